import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARES_BUNDLES } from '../../testing/support/child-environment';
import { testAddress, testCli } from '../../testing/support/temporal-server';

const DEMO = join(__dirname, '..', '..', 'scripts', 'demo.ts');

/** Runs the demo in a folder of its own, so that its database is not the developer's. */
async function startDemo(
  folder: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ child: ChildProcess; output: () => string }> {
  const {
    OPENAI_API_KEY: _key,
    OPENAI_BASE_URL: _url,
    TEMPORAL_ADDRESS: _address,
    TEMPORAL_UI_URL: _ui,
    ...inherited
  } = process.env;
  const env = { ...inherited, NO_COLOR: '1', TEMPORAL_CLI: await testCli(), ...more };
  const child = spawn(process.execPath, ['--import', require.resolve('tsx'), DEMO], { cwd: folder, env });
  let output = '';
  child.stdout.on('data', (piece) => (output += String(piece)));
  child.stderr.on('data', (piece) => (output += String(piece)));
  return { child, output: () => output };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reflect-demo-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('the demo starts all it needs, shows each iteration, keeps its history, and ends cleanly', async () => {
  const { child, output } = await startDemo(folder);
  const [code] = await once(child, 'close');
  expect(output()).toMatch(/A script stands in for a model/);
  expect(output()).toMatch(/#1 {2}✗ fail .*\n {2}✗ wanted: is missing\n/);
  expect(output()).toMatch(/ {2}changed items\[0\]\.quantity: "three" → 3\n/);
  expect(output()).toMatch(/✓ quality_met · 3 versions/);
  expect(output()).toMatch(/"wanted": "replacement"/);
  const [, ui, workflow] = /Web UI: (http:\/\/127\.0\.0\.1:\d+)\/namespaces\/default\/workflows\/(demo-[\d-]+)\//.exec(
    output(),
  )!;
  expect(workflow).toBeDefined();
  expect(output()).toMatch(/its database stays\. Open the run again: npx reflect server/);
  expect(code).toBe(0);
  expect(await readdir(join(folder, '.reflect'))).toContain('temporal.db');
  await expect(fetch(ui!)).rejects.toThrow();
}, 90_000);

test('Ctrl-C ends the demo and leaves nothing behind', async () => {
  const { child, output } = await startDemo(folder, SHARES_BUNDLES);
  while (!output().includes('#1')) {
    if (child.exitCode !== null) throw new Error(`the demo ended before its first version: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGINT');
  // npm passes on what the terminal sent already.
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(output()).toMatch(/Stopped\. Nothing is left running\.\n$/);
  expect(output()).not.toMatch(/Error|WARN/);
  expect(code).toBe(130);
}, 90_000);

test('the demo uses the server of TEMPORAL_ADDRESS, and then starts none', async () => {
  const { child, output } = await startDemo(folder, { ...SHARES_BUNDLES, TEMPORAL_ADDRESS: testAddress() });
  const [code] = await once(child, 'close');
  expect(output()).toMatch(/✓ quality_met/);
  expect(output()).not.toMatch(/Open the run again/);
  expect(code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
}, 90_000);

test('on a terminal the demo keeps its server and worker until Ctrl-C, and its link opens the page', async () => {
  const command = ['exec', process.execPath, '--import', require.resolve('tsx'), DEMO].join(' ');
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, TEMPORAL_ADDRESS: _address, ...inherited } = process.env;
  const env = { ...inherited, ...SHARES_BUNDLES, NO_COLOR: '1', TEMPORAL_CLI: await testCli() };
  // `script` gives it a terminal of its own; a shell in between would end with 130 where it is dash.
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env });
  let output = '';
  child.stdout.on('data', (piece) => (output += String(piece)));
  const closed = once(child, 'close');
  while (!output.includes('Ctrl-C ends the demo.')) {
    if (child.exitCode !== null) throw new Error(`the demo ended by itself: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [, ui] = /Web UI: (http:\/\/\S+?)\/namespaces\/\S+\/user-metadata/.exec(output)!;
  expect(output).toMatch(/The same without a worker: http:\/\/\S+\/timeline/);
  expect((await fetch(ui!)).status).toBe(200);
  child.stdin.write('\u0003');
  const [code] = await closed;
  expect(output).toMatch(/Stopped\. Nothing is left running\./);
  expect(code).toBe(0);
  await expect(fetch(ui!)).rejects.toThrow();
}, 120_000);
