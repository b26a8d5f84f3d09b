import { setTimeout as sleep } from 'node:timers/promises';

import { startPrivateServer } from '../../../testing/support/temporal-server';

/** A program that starts a server and never stops it, for the test that kills the program. */
async function main(): Promise<void> {
  const { pid } = await startPrivateServer();
  // After its greeting a server writes nothing: a pipe that nobody reads any more is not what ends it.
  await sleep(1_000);
  process.stdout.write(`${JSON.stringify({ pid })}\n`);
  setInterval(() => {}, 60_000);
}

void main();
