import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ReflectionPlugin, WorkflowBundleError } from '../../src/worker';
import { listMissingParts } from '../../src/worker/bundle/own-bundle';

const WORKFLOWS = 'exports.__durable_reflection_workflows = true;';
const INTERCEPTORS = "exports.mark = '__durable_reflection_interceptors';";
const OURS = `${WORKFLOWS}\n${INTERCEPTORS}\n`;
/** As webpack names modules where it does not minify. */
const modules = (...names: string[]) => names.map((name) => `/***/ "${name}"\n`).join('');
const everything = { ours: true, interceptors: true, modules: [] };

test.each<[what: string, code: string, needed: Parameters<typeof listMissingParts>[1], lacks: string[]]>([
  ['one made with the plugin', OURS, everything, []],
  [
    'one made without it',
    modules('./workflows.ts'),
    everything,
    ['the workflows of durable-reflection', 'its workflow interceptors'],
  ],
  ['one with our workflows only', WORKFLOWS, everything, ['its workflow interceptors']],
  ['one whose payload converter is the owner’s', WORKFLOWS, { ...everything, interceptors: false }, []],
  ['one of a worker for model calls', 'owners();', { ours: false, interceptors: false, modules: [] }, []],
  [
    'one with an interceptor of its owner, made of TypeScript elsewhere',
    OURS + modules('./packages/app/src/tracing.ts'),
    { ...everything, modules: ['/app/lib/tracing.js'] },
    [],
  ],
  [
    'one with another interceptor',
    OURS + modules('./src/metrics.ts', './src/tracing/other.ts'),
    { ...everything, modules: ['/app/src/tracing.ts', '/app/src/metrics.ts'] },
    ['/app/src/tracing.ts'],
  ],
  [
    'one with another index',
    OURS + modules('./tracing/index.js'),
    { ...everything, modules: ['/app/tracing/index.js', '/app/metrics/index.js'] },
    ['/app/metrics/index.js'],
  ],
  [
    'one with the interceptor of a package',
    OURS + modules('./node_modules/@acme/tracing/lib/main.js'),
    { ...everything, modules: ['@acme/tracing', '@acme/metrics'] },
    ['@acme/metrics'],
  ],
  [
    'one with a file of a package',
    OURS + modules('../node_modules/.pnpm/a@1/node_modules/@acme/tracing/lib/main.js'),
    {
      ...everything,
      modules: ['/app/node_modules/@acme/tracing/lib/main.js', '/app/node_modules/@acme/tracing/lib/other.js'],
    },
    ['/app/node_modules/@acme/tracing/lib/other.js'],
  ],
  [
    'one whose packages have a file of the same name',
    OURS + modules('./node_modules/@temporalio/workflow/lib/interceptors.js'),
    { ...everything, modules: ['/app/lib/interceptors.js'] },
    ['/app/lib/interceptors.js'],
  ],
  [
    'a path of Windows',
    OURS + modules('./src/tracing.ts'),
    { ...everything, modules: ['C:\\app\\src\\tracing.ts'] },
    [],
  ],
  ['a minified one, which names no modules', OURS, { ...everything, modules: ['/app/src/tracing.ts'] }, []],
])('of a bundle: %s', (_what, code, needed, lacks) => {
  expect(listMissingParts(code, needed)).toEqual(lacks);
});

describe('the plugin', () => {
  const create = (
    workflowBundle: { code: string } | { codePath: string },
    serve?: 'models',
    workflowModules: string[] = [],
  ) =>
    new ReflectionPlugin(serve ? { serve } : {}).configureWorker({
      taskQueue: 'own',
      workflowBundle,
      interceptors: { workflowModules },
    });

  test('refuses a worker whose bundle lacks our workflows, and says how to make it', () => {
    const refused = () => create({ code: modules('./workflows.ts') });
    expect(refused).toThrow(WorkflowBundleError);
    expect(refused).toThrow(
      /lacks the workflows of durable-reflection, its workflow interceptors\. .*bundleWorkflowCode\(/,
    );
    expect(() => create({ code: OURS })).not.toThrow();
    expect(() => create({ code: '' }, 'models')).not.toThrow();
  });

  test('refuses one that lacks an interceptor which the worker was given', () => {
    const given = ['/app/lib/tracing.js'];
    const code = OURS + modules('./lib/workflows.js');
    expect(() => create({ code }, undefined, given)).toThrow(
      expect.objectContaining({ type: 'WorkflowBundle', missing: given }) as Error,
    );
    expect(() => create({ code: code + modules('./lib/tracing.js') }, undefined, given)).not.toThrow();
  });

  test('looks into a file, and leaves one that is not there to the SDK', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'own-bundle-'));
    const codePath = path.join(folder, 'bundle.js');
    try {
      expect(() => create({ codePath })).not.toThrow();
      writeFileSync(codePath, 'owners();');
      expect(() => create({ codePath })).toThrow(WorkflowBundleError);
      writeFileSync(codePath, OURS);
      expect(() => create({ codePath })).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
