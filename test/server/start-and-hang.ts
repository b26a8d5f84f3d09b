import { startPrivateServer } from '../support/temporal-server';

/** A program that starts a server and never stops it, for the test that kills the program. */
async function main(): Promise<void> {
  const { pid } = await startPrivateServer();
  process.stdout.write(`${JSON.stringify({ pid })}\n`);
  setInterval(() => {}, 60_000);
}

void main();
