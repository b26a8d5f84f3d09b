import { join } from 'node:path';

import { Connection } from '@temporalio/client';

import { findTemporalCli } from '../../src/apps/server/find-cli';
import { startDevServer, type DevServer, type DevServerOptions } from '../../src/apps/server/dev-server';

/** How the global setup hands the run's server to the test files, which run in other processes. */
export const ADDRESS_VARIABLE = 'REFLECT_TEST_ADDRESS';
export const PROBLEM_VARIABLE = 'REFLECT_TEST_PROBLEM';

const CACHE = join(__dirname, '..', '..', '.reflect', 'cache');

/** The Temporal CLI of this project's tests, fetched at the first run of a fresh clone. */
export async function testCli(onProgress?: (message: string) => void): Promise<string> {
  return (await findTemporalCli({ cacheDirectory: CACHE, onProgress })).path;
}

/** The address of the server that all test files share. Its namespace is `default`. */
export function testAddress(): string {
  const address = process.env[ADDRESS_VARIABLE];
  if (address === undefined) throw new Error(process.env[PROBLEM_VARIABLE] ?? 'the global setup did not run');
  return address;
}

/** A connection to the shared server. Close it in `afterAll`. */
export function testConnection(): Promise<Connection> {
  return Connection.connect({ address: testAddress() });
}

/** A server of a test's own, which it may kill. Stop it in the end; one that a failed test leaves holds up nothing. */
export async function startPrivateServer(options: Omit<DevServerOptions, 'cli'> = {}): Promise<DevServer> {
  return startDevServer({ cli: await testCli(), keepAlive: false, ...options });
}
