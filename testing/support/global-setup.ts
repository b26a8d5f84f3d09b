import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';

import { serverAddress } from '../../src/apps/server/connect-or-start';
import { startDevServer, type DevServer } from '../../src/apps/server/dev-server';
import { TemporalServerUnavailable } from '../../src/apps/server/errors';
import { registerSearchAttributes } from '../../src/apps/server/register-search-attributes';
import { RUN_FOLDER_VARIABLE } from './run-folder';
import { ADDRESS_VARIABLE, PROBLEM_VARIABLE, testCli } from './temporal-server';

declare global {
  var sharedTestServer: DevServer | undefined;
}

/** One server for the whole run: the one that TEMPORAL_ADDRESS names, or our own. Jest takes what the module itself is. */
export = async function startSharedServer(): Promise<void> {
  process.env[RUN_FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'reflect-test-run-'));
  // Of the server, and of each that a test starts: it collects garbage a fourth as often, and takes twice the memory.
  process.env.GOGC ??= '400';
  const address = serverAddress();
  if (address !== undefined) {
    const connection = await Connection.connect({ address });
    await registerSearchAttributes(connection, 'default');
    await connection.close();
    process.env[ADDRESS_VARIABLE] = address;
    return;
  }
  try {
    const cli = await testCli((message) => process.stderr.write(`${message}\n`));
    globalThis.sharedTestServer = await startDevServer({ cli, keepAlive: false });
    process.env[ADDRESS_VARIABLE] = globalThis.sharedTestServer.address;
  } catch (error) {
    if (!(error instanceof TemporalServerUnavailable)) throw error;
    // Tests without a server still run; each one that needs it fails with this text.
    process.env[PROBLEM_VARIABLE] = error.message;
  }
};
