// @ts-check
/** Runs the loop once and prints the result: `npm run client`, or `npm run client -- "Another message"`. */
import { existsSync } from 'node:fs';
import { loadSpec, ReflectionClient } from 'durable-reflection';

if (existsSync('.env')) process.loadEnvFile('.env');

const spec = await loadSpec('loop.yaml');
const [message] = process.argv.slice(2);
if (message !== undefined) spec.state = { ...spec.state, message };

const client = await ReflectionClient.connect();
try {
  const { workflowId, result } = await client.start(spec);
  console.log(`Started ${workflowId}. It needs a worker (npm run worker).`);
  const { success, convergenceReason, iterationsUsed, finalOutput } = await result();
  const count = iterationsUsed === 1 ? '1 version' : `${iterationsUsed} versions`;
  console.log(`Ended with ${convergenceReason} after ${count}:`);
  console.log(finalOutput);
  if (!success) process.exitCode = 2;
} catch (error) {
  // A run that failed says why. Without this, Node.js would print the stack, too.
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  await client.close();
}
