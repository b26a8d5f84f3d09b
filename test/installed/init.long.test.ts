import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { npm, packedPackage } from '../../testing/support/packed-package';
import { testAddress } from '../../testing/support/temporal-server';

/** The package is built and packed, and npm installs it with the SDK, twice. */
jest.setTimeout(600_000);

const INSTALL = ['install', '--ignore-scripts', '--prefer-offline'];

/** Without what only this repository's processes have. */
function env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, OPENAI_BASE_URL: _url, OPENAI_API_KEY: _key, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: '1', ...more };
}

let folder: string;
let project: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'reflect-init-'));
  // Beside each other, so that nothing is found in the folder above.
  const taken = path.join(folder, 'taken');
  project = path.join(folder, 'contact-cards');
  const tarball = await packedPackage();
  // As npx does: into a folder of its own.
  npm([...INSTALL, '--prefix', taken, tarball], folder);
  const bin = path.join(taken, 'node_modules', '.bin', 'durable-reflection');
  const said = execFileSync(bin, ['init', project, '--json'], { encoding: 'utf8', env: env({}) });
  const next = ['npm install', 'npm test', 'npm run server', 'npm run worker -- --scripted', 'npm run client'];
  expect(JSON.parse(said)).toMatchObject({ folder: project, next });
  // Its package.json names the tarball.
  npm(INSTALL, project);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the test of a new project runs its loop on a server', async () => {
  const options = { cwd: project, env: env({ TEMPORAL_ADDRESS: testAddress() }), timeout: 120_000 };
  const { stdout } = await promisify(execFile)('npm', ['test'], options);
  expect(stdout).toMatch(/pass 1\b/);
  expect(stdout).toMatch(/fail 0\b/);
});

test('the worker of a new project executes what its client starts', async () => {
  const card = { name: 'Ada', email: 'ada@example.com', phone: '555-0143' };
  const script = [{ match: 'This is Ada', reply: { ...card, phone: '5550143' } }, { reply: card }];
  const model = await ScriptedOpenAI.start({ script });
  const settings = [
    `TEMPORAL_ADDRESS=${testAddress()}`,
    `REFLECT_TASK_QUEUE=${path.basename(folder)}`,
    `OPENAI_BASE_URL=${model.baseUrl}`,
    'OPENAI_API_KEY=none',
  ];
  writeFileSync(path.join(project, '.env'), settings.join('\n'));
  const options = { cwd: project, env: env({ TEMPORAL_ADDRESS: undefined }) };
  const worker = spawn(process.execPath, ['worker.mjs'], { ...options, stdio: 'ignore' });
  const ended = once(worker, 'exit');
  try {
    const client = ['run', 'client', '--', 'This is Ada, 5550143, ada@example.com'];
    const { stdout } = await promisify(execFile)('npm', client, { ...options, timeout: 120_000 });
    expect(stdout).toContain('Ended with quality_met after 2 versions:');
    expect(stdout).toContain('ada@example.com');
    model.assertDone();
  } finally {
    worker.kill('SIGINT');
    await model.close();
  }
  expect(await ended).toEqual([0, null]);
});

test('without a key, the worker says so and the client why the run failed; scripted replies stand in for a model', async () => {
  writeFileSync(path.join(project, '.env'), '');
  const settings = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: `${path.basename(folder)}-keyless` };
  const options = { cwd: project, env: env(settings) };
  const client = () => promisify(execFile)(process.execPath, ['client.mjs'], { ...options, timeout: 60_000 });
  const told = await withWorker([], options, async () => client().catch((error: { stderr: string }) => error));
  expect(told.said).toContain('To try without one: npm run worker -- --scripted');
  expect(told.result.stderr).toMatch(/^RunFailedError: [^\n]*No API key[^\n]*\n$/);
  writeFileSync(path.join(project, 'note.yaml'), 'task: Write a note.\nevaluator: [It is short., It is kind.]\n');
  const reflect = path.join(project, 'node_modules', '.bin', 'reflect');
  const run = async () => ({
    card: await client(),
    // The loop of README's first lines.
    note: await promisify(execFile)(reflect, ['run', 'note.yaml'], { ...options, timeout: 60_000 }),
  });
  const scripted = await withWorker(['--scripted'], options, run);
  expect(scripted.result.card.stdout).toContain('Ended with quality_met after 2 versions:');
  expect(scripted.result.note.stdout + scripted.result.note.stderr).toMatch(/✓ quality_met · 2 versions/);
});

/** What a worker says on standard error while something is done, and what came of that. */
async function withWorker<Result>(
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
  work: () => Promise<Result>,
): Promise<{ said: string; result: Result }> {
  const worker = spawn(process.execPath, ['worker.mjs', ...args], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(worker, 'exit');
  let said = '';
  worker.stderr.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
  try {
    const result = await work();
    return { result, said };
  } finally {
    worker.kill('SIGINT');
    await ended;
  }
}
