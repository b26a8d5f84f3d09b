import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { judges } from '../../src/apps/testing/scripted-model/judges';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { sdkVersion } from '../../src/worker/sdk/sdk-copies';
import { helloWorld } from '../../testing/build/installed/hello-world';
import { ONE_LOOP } from '../../testing/build/installed/one-loop';
import { fetchedPrograms, NODE_VERSIONS, type NodeVersion, type Programs } from '../../testing/support/node-programs';
import { packedPackage } from '../../testing/support/packed-package';
import { testAddress } from '../../testing/support/temporal-server';

/** Versions of Node.js are fetched, and pnpm installs the SDK. */
jest.setTimeout(300_000);

const MODULES = path.join(__dirname, '..', '..', 'node_modules');
const TSC = path.join(MODULES, 'typescript', 'bin', 'tsc');
const TSX = ['--import', pathToFileURL(require.resolve('tsx')).href];
/** Examples that need packages of others, with which sdk-versions.long.test.ts and review-mounts.test.ts run them. */
const PROJECTS = ['openai-agents', 'ai-sdk-agent', 'review-mounts'];
/** What docs/install.md tells users of pnpm to name. The version of the SDK is that of the bundle in the package. */
const SDK = ['activity', 'client', 'common', 'worker', 'workflow'].map((name) => `@temporalio/${name}@${sdkVersion()}`);

let folder: string;
let programs: Programs;
beforeAll(async () => {
  programs = fetchedPrograms();
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-pnpm-'));
  const files = { ...helloWorld(), ...ONE_LOOP, 'package.json': '{ "name": "hello-world", "private": true }' };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  programs.pnpm(
    ['add', '--ignore-scripts', await packedPackage(), ...SDK, 'zod@4', 'yaml@2', '@types/node@20'],
    folder,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(major: NodeVersion, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const taskQueue = `pnpm-${randomUUID()}`;
  const queue = { TASK_QUEUE: taskQueue, REFLECT_TASK_QUEUE: taskQueue };
  const env = { ...process.env, TEMPORAL_ADDRESS: testAddress(), ...queue, ...more };
  return promisify(execFile)(programs.node(major), args, { cwd: folder, env, timeout: 120_000 });
}

test.each(NODE_VERSIONS.flatMap((major) => Object.keys(ONE_LOOP).map((file) => [major, file] as const)))(
  'Node.js %d runs a worker and a loop of %s, with the bundle of the package',
  async (node, file) => {
    const { stdout, stderr } = await run(node, [file]);
    expect(JSON.parse(stdout)).toEqual({ node, success: true, iterationsUsed: 2, finalOutput: { greeting: 'Hello' } });
    expect(stderr).not.toContain('bundled anew');
  },
);

test('a worker that has workflows of its own compiles, and bundles them with ours', async () => {
  execFileSync(process.execPath, [TSC, '-p', folder]);
  const { stdout } = await run(24, ['lib/worker.js']);
  expect(stdout).toContain('Hello, Temporal!');
  expect(stdout).toContain('calls 2');
});

describe('the examples of the package, copied into the project', () => {
  beforeAll(() => {
    const examples = path.join(folder, 'examples');
    // pnpm links packages.
    cpSync(path.join(folder, 'node_modules', 'durable-reflection', 'examples'), examples, { recursive: true });
    const compilerOptions = { module: 'node20', strict: true, skipLibCheck: true, types: ['node'], noEmit: true };
    writeFileSync(
      path.join(examples, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['**/*.ts'], exclude: PROJECTS }),
    );
  });

  test('compile', () => {
    execFileSync(process.execPath, [TSC, '-p', path.join(folder, 'examples')]);
    const listed = execFileSync(process.execPath, [TSC, '-p', path.join(folder, 'examples'), '--listFilesOnly']);
    for (const file of ['usage.ts', 'flood/workflow.ts', 'order-extraction/service.ts', 'plan-and-learn/main.ts']) {
      expect(listed.toString()).toContain(`/examples/${file}`);
    }
  });

  test('usage.ts runs its loops on a model', async () => {
    const model = await ScriptedOpenAI.start({
      script: ({ text }) => (text.includes('Questions about the output:') ? judges.pass() : { reply: 'let a;' }),
    });
    try {
      const scripted = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none' };
      const { stdout } = await run(22, [...TSX, 'examples/usage.ts'], scripted);
      expect(stdout.match(/^after 1 version: let a;$/gm)).toHaveLength(3);
    } finally {
      await model.close();
    }
  });

  test('order-extraction/worker.ts serves orders until Ctrl-C', async () => {
    const running = run(22, [...TSX, 'examples/order-extraction/worker.ts', '--scripted']);
    running.child.stdout!.on('data', (text) => String(text).includes('Serves orders') && running.child.kill('SIGINT'));
    const { stdout } = await running;
    expect(stdout).toMatch(/^A script stands in for a model.*\nServes orders on the queue pnpm-/);
  });

  test('governed-flood/main.ts bundles its workflow and writes a report', async () => {
    const id = `flood-${randomUUID()}`;
    const report = path.join(folder, 'report.html');
    const options = ['--years', '2', '--households', '3', '--id', id, '--report', report];
    const { stdout } = await run(22, [...TSX, 'examples/governed-flood/main.ts', ...options]);
    expect(stdout).toMatch(/^year 1: [^]*\nyear 2: [^]* reflections upon \d+ events\. Report: /);
    expect(readFileSync(report, 'utf8')).toContain('<html');
  });
});
