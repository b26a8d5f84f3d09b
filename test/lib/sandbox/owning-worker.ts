/** A worker with a sandbox: runs a piece of code, says so, and then waits to be killed. */
import { createSandbox } from '../../../src/lib/sandbox';

async function main(): Promise<void> {
  const sandbox = createSandbox({ level: 'trusted', poolSize: 0 });
  const value = await sandbox.run({ language: 'javascript', code: 'return 6 * 7', inputs: { state: {} } });
  console.log(JSON.stringify(value));
  setInterval(() => undefined, 60_000);
}

void main();
