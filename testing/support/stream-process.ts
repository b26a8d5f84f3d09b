import { appendFileSync } from 'node:fs';
import { ReflectionClient } from '../../src/client';

/** Writes all that a run is streamed as to a file, in a process of its own. Knows nothing but the run's id. */
async function main([workflowId = '', file = '']: string[]): Promise<void> {
  const client = await ReflectionClient.connect();
  process.stdout.write('ready\n');
  for await (const event of client.stream(workflowId)) appendFileSync(file, `${JSON.stringify(event)}\n`);
  await client.close();
}

void main(process.argv.slice(2));
