/**
 * Temporal's hello-world sample in its layout, and a loop beside its workflow; a line that the loop needs ends with `// +`.
 *
 * @param plugins the plugins of the worker, in TypeScript, and what they need; `ours` is replaced by this package's
 */
export function helloWorld(plugins = { imports: '', list: 'ours' }): Record<string, string> {
  const ours = 'new ReflectionPlugin({ actions: [draft] })';
  return {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'commonjs',
        moduleResolution: 'bundler',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        rootDir: 'src',
        outDir: 'lib',
      },
      include: ['src'],
    }),
    'src/activities.ts': `export async function greet(name: string): Promise<string> {
  return \`Hello, \${name}!\`;
}
`,
    'src/workflows.ts': `import { proxyActivities } from '@temporalio/workflow';
import type * as activities from './activities.js';

const { greet } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

export async function example(name: string): Promise<string> {
  return await greet(name);
}
`,
    'src/worker.ts': `import { NativeConnection, Worker } from '@temporalio/worker';
import { defineAction, ReflectionPlugin } from 'durable-reflection/worker'; // +
import { z } from 'zod'; // +
import * as activities from './activities.js';
import { run as client } from './client.js';
${plugins.imports}
let calls = 0; // +
const draft = defineAction({ // +
  name: 'draft', description: 'Drafts.', input: z.unknown(), // +
  run: () => ((calls += 1) === 1 ? 'Hello' : '{"greeting":"Hello","name":"Temporal"}'), // +
}); // +

async function run() {
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env['TASK_QUEUE'] ?? 'hello-world',
    workflowsPath: require.resolve('./workflows'),
    activities,
    plugins: [${plugins.list.replaceAll('ours', ours)}], // +
  });
  await worker.runUntil(client());
  await connection.close();
  console.log(\`calls \${calls}\`);
}

run().catch((err) => {
  console.error(err);
  process.exit(1);
});
`,
    'src/client.ts': `import { Client, Connection } from '@temporalio/client';
import { ReflectionClient } from 'durable-reflection'; // +
import { example } from './workflows.js';

const taskQueue = process.env['TASK_QUEUE'] ?? 'hello-world';

export async function run() {
  const connection = await Connection.connect({ address: process.env['TEMPORAL_ADDRESS'] });
  const client = new Client({ connection });
  console.log(await client.workflow.execute(example, { taskQueue, args: ['Temporal'], workflowId: \`\${taskQueue}-example\` }));
  const evaluator = { type: 'schema' as const, schema: { type: 'object', required: ['greeting', 'name'] } }; // +
  const order = (id: string) => // +
    new ReflectionClient(client, taskQueue).runOnce(id, { generator: { action: 'draft' }, evaluator }); // +
  const [first, again] = [await order(\`\${taskQueue}-loop\`), await order(\`\${taskQueue}-loop\`)]; // +
  console.log(JSON.stringify([first.finalOutput, first.iterationsUsed, again.finalOutput])); // +
  await connection.close();
}
`,
  };
}
