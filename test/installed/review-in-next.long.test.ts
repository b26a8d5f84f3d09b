import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { npm, packedPackage } from '../../testing/support/packed-package';
import { REVIEWED, reviewOnce } from '../../testing/support/review-once';

/** The package and Next are installed from the registry, and a project of Next is built. Next has 340 MB: the repository does without. */
jest.setTimeout(600_000);

const EXAMPLE = path.join(__dirname, '..', '..', 'examples', 'review-mounts', 'next');

let folder: string;
let model: ScriptedOpenAI;
let world: LoopWorld;
let next: ChildProcess;
let origin: string;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const run = (args: string[]): ChildProcess =>
  spawn(process.execPath, [path.join(folder, 'node_modules', 'next', 'dist', 'bin', 'next'), ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NEXT_TELEMETRY_DISABLED: '1',
      TEMPORAL_ADDRESS: world.address,
      REFLECT_TASK_QUEUE: world.worker.taskQueue,
    },
    stdio: 'inherit',
  });

beforeAll(async () => {
  model = await ScriptedOpenAI.start({ script: [{ reply: 'A text.', times: 'always' }] });
  world = await startWorld({ models: [{ name: 'script', model: 'script', baseUrl: model.baseUrl }], memory: false });
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-next-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'next-app', private: true }));
  const sdk = ['activity', 'client', 'common', 'worker', 'workflow'].map((name) => `@temporalio/${name}`);
  const types = ['typescript', '@types/react', '@types/node@20'];
  npm(
    ['install', '--ignore-scripts', await packedPackage(), ...sdk, 'next@16', 'react', 'react-dom', ...types],
    folder,
  );
  const route = path.join(folder, 'app', 'review', '[[...path]]');
  mkdirSync(route, { recursive: true });
  copyFileSync(path.join(EXAMPLE, 'route.ts'), path.join(route, 'route.ts'));
  copyFileSync(path.join(EXAMPLE, 'next.config.js'), path.join(folder, 'next.config.js'));
  const [code] = (await once(run(['build']), 'exit')) as [number];
  expect(code).toBe(0);
  const port = await freePort();
  origin = `http://localhost:${port}`;
  next = run(['start', '-p', String(port)]);
  await eventually(
    () =>
      fetch(`${origin}/`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status > 0,
  );
});
afterAll(async () => {
  next.kill();
  await world.close();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the example for Next shows the pages and takes their forms only', async () => {
  expect(await reviewOnce(world, origin, { 'x-user': 'Ada' })).toEqual(REVIEWED);
  expect((await fetch(`${origin}/review/`)).status).toBe(401);
});
