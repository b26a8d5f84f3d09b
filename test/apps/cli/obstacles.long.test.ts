import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortestTime } from '../../../testing/support/measure-again';
import { testAddress, testCli } from '../../../testing/support/temporal-server';
import { ReflectCommand, reflect } from './reflect-command';

const SPEC = 'generator: { action: llm.call, prompt: hi }\nevaluator: { type: llm }\n';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('no server: said at once, with what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const took = await shortestTime(8_000, async () => {
    const startedAt = Date.now();
    const { code, stderr } = await reflect(['run', '-', '--address', address], { input: SPEC });
    expect(stderr).toBe(
      `ServerUnreachable: No Temporal server answers at ${address}.\nStart one with \`npx reflect server\`, or name another with --address or TEMPORAL_ADDRESS.\n`,
    );
    expect(code).toBe(1);
    return Date.now() - startedAt;
  });
  expect(took).toBeLessThan(8_000);
  const doctor = await reflect(['doctor', '--address', address]);
  expect(doctor.stdout).toMatch(/✗ No Temporal server answers/);
  expect(doctor.code).toBe(1);
});

test('no namespace: said with its name', async () => {
  const { stderr } = await reflect(['list', '--address', testAddress(), '--namespace', 'nowhere']);
  expect(stderr).toMatch(/^NamespaceNotFound: .* has no namespace "nowhere"/);
});

test.concurrent(
  'no worker: said after a moment; a command for such a run waits for a worker as a signal',
  async () => {
    const queue = `nobody-${randomUUID()}`;
    const env = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: queue };
    const id = `lonely-${randomUUID()}`;
    const run = new ReflectCommand(['run', '-', '--workflow-id', id], { env, input: SPEC });
    await run.says(
      new RegExp(`No worker on queue "${queue}": start one with .npx reflect worker --task-queue ${queue}.`),
    );
    const aborted = await reflect(['abort', id], { env });
    expect(aborted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Sent; it waits for a worker/) });
    run.kill('SIGINT');
    expect((await run.finished).code).toBe(130);
    const doctor = await reflect(['doctor'], { env });
    expect(doctor.stdout).toContain(`✗ Queue ${queue}: no worker`);
    expect(doctor.code).toBe(1);
  },
  60_000,
);

test.concurrent(
  'a worker of this machine that was killed is not counted as up, though the server still lists it',
  async () => {
    const env = { TEMPORAL_ADDRESS: testAddress(), REFLECT_TASK_QUEUE: `killed-${randomUUID()}` };
    const worker = new ReflectCommand(['worker'], { env });
    await worker.says(/Ctrl-C lets/);
    const queue = env.REFLECT_TASK_QUEUE;
    expect((await reflect(['doctor'], { env })).stdout).toContain(`✓ Queue ${queue}: a worker `);
    worker.kill('SIGKILL');
    await worker.finished;
    const { code, stdout } = await reflect(['doctor'], { env });
    expect(stdout).toMatch(
      new RegExp(`✗ Queue ${queue}: no worker: the last was seen \\d+ s ago, and its process has ended\n +Start one`),
    );
    expect(code).toBe(1);
  },
  60_000,
);

test.concurrent(
  'server: prints address and Web UI, says when it is there already, ends cleanly at Ctrl-C',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reflect-server-'));
    const [port, uiPort] = [await freePort(), await freePort()];
    const options = { cwd: folder, env: { TEMPORAL_CLI: await testCli() } };
    const args = ['server', '--port', String(port), '--ui-port', String(uiPort)];
    const server = new ReflectCommand(args, options);
    await server.says(/Ctrl-C ends it/);
    expect(server.stdout).toContain(`Temporal server at 127.0.0.1:${port}\nWeb UI at http://127.0.0.1:${uiPort}\n`);
    expect(await readdir(join(folder, '.reflect'))).toContain('temporal.db');
    const page = await fetch(`http://127.0.0.1:${uiPort}/`);
    expect(page.status).toBe(200);
    const again = await reflect(args, options);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('A Temporal server already runs at') });
    server.kill('SIGINT');
    expect((await server.finished).code).toBe(0);
    await expect(fetch(`http://127.0.0.1:${uiPort}/`)).rejects.toThrow();
    await rm(folder, { recursive: true });
  },
  60_000,
);

test('help and mistakes of the command line', async () => {
  expect((await reflect(['--help'])).stdout).toMatch(/run \[options\] <file>/);
  const wrong = await reflect(['list', '--limit', 'many']);
  expect(wrong.stderr).toMatch(/'many' is invalid/);
  expect(wrong.code).toBe(1);
  const inGroup = await reflect(['memory', 'list', '--limit', '0']);
  expect(inGroup.stderr).toMatch(/'0' is invalid. It must be at least 1.\n\(add --help/);
  const decide = await reflect(['decide', '--help']);
  expect(decide.stdout).toMatch(/choices: "auto", "continue", "stop"/);
});
