import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, Connection } from '@temporalio/client';

import { startDevServer, type DevServer, type DevServerOptions } from '../../../src/apps/server/dev-server';
import { DatabaseInUse, PortInUse, TemporalServerFailed } from '../../../src/apps/server/errors';
import { registerSearchAttributes } from '../../../src/apps/server/register-search-attributes';
import { startPrivateServer, testCli } from '../../../testing/support/temporal-server';
import { script, temporaryFolders } from './fake-programs';

const newFolder = temporaryFolders();
const servers: DevServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function start(options: Omit<DevServerOptions, 'cli'> = {}): Promise<DevServer> {
  const server = await startPrivateServer(options);
  servers.push(server);
  return server;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function outsideAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 }, () => end(true));
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('error', () => end(false)).once('timeout', () => end(false));
  });
}

async function connected<Result>(address: string, use: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

test('answers, with the search attributes and the page, from this machine only; every setting is accepted', async () => {
  const logFile = join(newFolder(), 'server.log');
  const server = await start({ ui: true, logFile });
  await connected(server.address, async (connection) => {
    expect(await registerSearchAttributes(connection, 'default')).toBe('already there');
  });
  for (const url of [`http://${server.address}`, server.uiUrl!]) {
    expect(await Promise.all(outsideAddresses().map((host) => listens(host, Number(new URL(url).port))))).not.toContain(
      true,
    );
  }
  expect((await fetch(`${server.uiUrl}/namespaces/default/workflows`)).status).toBe(200);
  // It greets when everything is up, after all that it has to say about its settings.
  // A busy machine opens the file after the server answered.
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  for (let waited = 0; !log().includes('Temporal Server:') && waited < 5_000; waited += 50) await sleep(50);
  expect(log()).toContain('Temporal Server:');
  expect(log()).not.toMatch(/convert value/i);
});

/**
 * Measures how many milliseconds timers of 100 ms take, one after the other. The one before them is not counted: the server moves a timer
 * past the mark that it has read up to, and where that stands is a matter of chance before the first timer fired.
 */
async function measureTimers(tuned: boolean): Promise<number[]> {
  const server = await start({ tuned });
  return connected(server.address, async (connection) => {
    const client = new Client({ connection });
    const waited: number[] = [];
    for (const taskQueue of ['first', 'a', 'b', 'c', 'd']) {
      // Before the start, which itself takes a while on a busy machine: the timer runs from somewhere in it.
      const started = performance.now();
      await client.workflow.start('anything', { taskQueue, workflowId: taskQueue, startDelay: 100 });
      const poll = { namespace: 'default', taskQueue: { name: taskQueue } };
      await connection.withDeadline(Date.now() + 10_000, () => connection.workflowService.pollWorkflowTaskQueue(poll));
      waited.push(performance.now() - started);
    }
    return waited.slice(1);
  });
}

// The second row is the control of the first: without our settings the same timers take longer than may be with them. A busy
// machine makes any one of them longer, or sends it late to a mark that comes nearer, but not all four.
test.each([
  [true, 50, 700, Math.min],
  [false, 700, 2_500, Math.max],
])('tuned %s: a timer of 100 ms takes between %d and %d ms', async (tuned, least, most, typical) => {
  const waited = await measureTimers(tuned);
  expect(typical(...waited)).toBeGreaterThan(least);
  expect(Math.min(...waited)).toBeLessThan(most);
});

test('search attributes are registered on a server that lacks them, once', async () => {
  const server = await start({ searchAttributes: false });
  await connected(server.address, async (connection) => {
    expect(await registerSearchAttributes(connection, 'default')).toBe('registered');
    expect(await registerSearchAttributes(connection, 'default')).toBe('already there');
    const nowhere = await registerSearchAttributes(connection, 'no-such-namespace');
    expect(nowhere).toEqual({ unavailable: expect.stringContaining('no-such-namespace') });
  });
});

test('on the same database file, history survives a kill; a second server on it is refused', async () => {
  const databaseFile = join(newFolder(), 'new folder', 'temporal.db');
  const first = await start({ databaseFile });
  await expect(start({ databaseFile })).rejects.toThrow(DatabaseInUse);
  const runId = await connected(first.address, async (connection) => {
    const handle = await new Client({ connection }).workflow.start('nobodyRunsThis', {
      taskQueue: 'q',
      workflowId: 'w',
    });
    return handle.firstExecutionRunId;
  });
  process.kill(first.pid, 'SIGKILL');
  await first.exited;

  const second = await start({ databaseFile });
  await connected(second.address, async (connection) => {
    const description = await new Client({ connection }).workflow.getHandle('w').describe();
    expect([description.runId, description.status.name]).toEqual([runId, 'RUNNING']);
    expect(await registerSearchAttributes(connection, 'default')).toBe('already there');
  });
  await second.stop();
  expect(existsSync(`${databaseFile}.server.json`)).toBe(false);
});

test('a port that is in use is named in a typed error, for the server and for the page', async () => {
  // Another Temporal server, which would answer in ours' place.
  const port = Number((await start()).address.split(':')[1]);
  for (const options of [{ port }, { ui: port }]) {
    const error: unknown = await start(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PortInUse);
    expect(error).toMatchObject({ type: 'PortInUse', port, message: expect.stringContaining(String(port)) });
  }
});

test('stop leaves no process, and can be called again', async () => {
  const server = await start();
  expect(isAlive(server.pid)).toBe(true);
  const started = performance.now();
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(isAlive(server.pid)).toBe(false);
  expect(await server.exited).toBeDefined();
});

test('a server that ends early, hangs or cannot be run is a typed error with its last words', async () => {
  const folder = newFolder();
  const failing = script(join(folder, 'failing'), 'echo "the disk is full" >&2; exit 4');
  const error: unknown = await startDevServer({ cli: failing }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TemporalServerFailed);
  expect(error).toMatchObject({
    type: 'TemporalServerFailed',
    message: expect.stringMatching(/code 4.*disk is full/s),
  });

  const hanging = script(join(folder, 'hanging'), 'exec sleep 60');
  await expect(startDevServer({ cli: hanging, startTimeout: 200 })).rejects.toThrow('did not answer within 0.2 s');
  await expect(startDevServer({ cli: join(folder, 'nothing') })).rejects.toThrow(/could not be started.*ENOENT/s);
});

test('a server that panics while it starts is started again, and if it goes on, the panic is what is told', async () => {
  const folder = newFolder();
  const count = join(folder, 'count');
  const panics = `echo x >> "${count}"; echo "panic: no port" >&2; seq 3000 >&2; echo "main.main()" >&2; exit 2`;
  const always = script(join(folder, 'always'), panics);
  await expect(startDevServer({ cli: always })).rejects.toThrow(/code 2.*panic: no port/s);
  expect(readFileSync(count, 'utf8').trim().split('\n')).toHaveLength(3);

  const lucky = script(
    join(folder, 'once'),
    `if [ ! -e "${join(folder, 'tried')}" ]; then touch "${join(folder, 'tried')}"; ${panics}; fi; exec "${await testCli()}" "$@"`,
  );
  const server = await startDevServer({ cli: lucky });
  expect(isAlive(server.pid)).toBe(true);
  await server.stop();
});

test.each(['SIGKILL', 'SIGTERM'] as const)('the server dies with a program that ends by %s', async (signal) => {
  const program = spawn(process.execPath, ['-r', 'tsx/cjs', join(__dirname, 'start-and-hang.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const failed = once(program, 'exit').then(([code]) => Promise.reject(new Error(`the program ended with ${code}`)));
  const [line] = (await Promise.race([once(program.stdout, 'data'), failed])) as [Buffer];
  failed.catch(() => undefined);
  const { pid } = JSON.parse(line.toString()) as { pid: number };
  expect(isAlive(pid)).toBe(true);
  program.kill(signal);
  for (let waited = 0; isAlive(pid) && waited < 2_000; waited += 50) await sleep(50);
  expect(isAlive(pid)).toBe(false);
});
