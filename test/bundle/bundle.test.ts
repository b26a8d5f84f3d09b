import { createContext, Script } from 'node:vm';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { modulesOf, strangersAmong } from '../../testing/build/check-bundle';

const PROJECT = path.join(__dirname, '..', '..');
const WORKFLOWS = path.join(PROJECT, 'src', 'workflows', 'index.ts');
const FORBIDDEN_PACKAGES = ['ajv', 'openai', 'zod', 'yaml', 'commander', '@huggingface/jinja', '@temporalio/activity'];
const FORBIDDEN_ROOMS = [
  'activities',
  'evaluators',
  'actions',
  'worker',
  'client',
  'apps',
  'loop/contract',
  'loop/parse',
  'kinds/list',
  'lib/contract',
  'lib/models',
  'lib/templates',
  'lib/yaml',
];

/** The bundler prints webpack's whole report of what fails, and here some bundles must fail. */
const SILENT = new DefaultLogger('ERROR', () => {});

const fixture = (name: string) => path.join(__dirname, 'fixtures', name);

async function bundle(workflowsPath: string): Promise<string> {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: SILENT });
  return code;
}

describe('the workflow bundle', () => {
  let code: string;
  let modules: string[];

  beforeAll(async () => {
    code = await bundle(WORKFLOWS);
    modules = modulesOf(code);
  });

  test('holds the loop and the pure code that it decides with', () => {
    expect(modules).toContain('./src/workflows/index.ts');
    expect(modules).toContain('./src/workflows/loop/reflection-loop.ts');
    expect(modules.filter((module) => module.startsWith('./src/loop/')).length).toBeGreaterThan(10);
  });

  test('offers reflectionLoop, and only workflow functions', () => {
    const sandbox = createContext({});
    // The bundle asks its surroundings for these two; the worker's sandbox provides them.
    new Script('globalThis.__webpack_module_cache__ = {}; globalThis.AsyncLocalStorage = class {};').runInContext(
      sandbox,
    );
    new Script(code).runInContext(sandbox);
    const exported = new Script('__TEMPORAL__.importWorkflows()').runInContext(sandbox) as Record<string, unknown>;
    expect(Object.keys(exported)).toContain('reflectionLoop');
    expect(Object.values(exported).filter((value) => typeof value !== 'function')).toEqual([]);
  });

  test.each(FORBIDDEN_PACKAGES)('holds nothing of the package %s', (name) => {
    expect(modules.filter((module) => module.includes(`node_modules/${name}/`))).toEqual([]);
  });

  test.each(FORBIDDEN_ROOMS)('holds nothing of src/%s', (room) => {
    expect(modules.filter((module) => module.includes(`/src/${room}`))).toEqual([]);
  });

  test('holds no Node module, and nothing else that we do not expect', () => {
    expect(code).not.toMatch(/require\("node:/);
    expect(strangersAmong(modules)).toEqual([]);
  });

  test('no module of ours remembers anything: all runs of a worker share them, see scripts/build.ts', () => {
    const sources = modules.filter((module) => module.startsWith('./src/'));
    const remembering = sources.filter((module) => remembers(readFileSync(path.join(PROJECT, module), 'utf8')));
    expect(sources.length).toBeGreaterThan(50);
    expect(remembering).toEqual([]);
  });

  test.each(['let runs = 0;', 'export var last;', 'const seen = new Set();\nfunction f(x) { seen.add(x); }'])(
    'such a module would be found: %s',
    (source) => expect(remembers(source)).toBe(true),
  );
});

/** Whether a module has a variable, or a collection that is changed, outside of its functions. */
function remembers(source: string): boolean {
  if (/^(export )?(let|var) /m.test(source)) return true;
  const collections = [...source.matchAll(/^(?:export )?const (\w+)[^=\n]*= (?:new (?:Weak)?(?:Map|Set)|\[|\{)/gm)];
  return collections.some(([, name]) =>
    new RegExp(`\\b${name}(\\.(add|set|delete|clear|push)\\(|\\[[^\\]]+\\] =[^=])`).test(source),
  );
}

describe('the check of the bundle', () => {
  test('finds ajv when workflow code imports it', async () => {
    const strangers = strangersAmong(modulesOf(await bundle(fixture('imports-ajv.ts'))));
    expect(strangers).toContainEqual(expect.stringMatching(/node_modules\/ajv\//));
  });

  test('finds a room of ours that workflow code may not enter', async () => {
    const strangers = strangersAmong(modulesOf(await bundle(fixture('imports-schemas.ts'))));
    expect(strangers).toContain('./src/loop/parse/spec.ts');
    expect(strangers).not.toContainEqual(expect.stringMatching(/\/src\/loop\/state\//));
  });

  test('the bundler itself refuses Node modules', async () => {
    await expect(bundle(fixture('imports-node.ts'))).rejects.toThrow('Webpack');
  });

  test('a bundle whose modules cannot be read is not taken for a clean one', () => {
    expect(() => modulesOf('module.exports = {};')).toThrow('No modules');
  });
});
