import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The version of a package that this repository has. */
const own = (name: string): string => (require(`${name}/package.json`) as { version: string }).version;

const SDK = ['activity', 'client', 'common', 'worker', 'workflow'].map((name) => `@temporalio/${name}`);

const MANIFEST = {
  name: 'existing',
  private: true,
  scripts: { build: 'tsc' },
  dependencies: Object.fromEntries(SDK.map((name) => [name, own(name)])),
  devDependencies: { typescript: own('typescript'), '@types/node': own('@types/node') },
};

/** As `tsc --init` has them; the types of the SDK 1.24 themselves need `skipLibCheck`. */
const OPTIONS = {
  target: 'es2022',
  module: 'commonjs',
  strict: true,
  esModuleInterop: true,
  skipLibCheck: true,
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
};

const WORKFLOWS = `export async function greet(name: string): Promise<string> {
  return \`Dear \${name}\`;
}
`;

/** A worker as its owner has it, with or without the lines that add loops. */
const worker = (
  imports: string,
  model: string,
  plugins: string,
  says: string,
): string => `${imports}import { NativeConnection, Worker } from '@temporalio/worker';

async function main(): Promise<void> {
${model}  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS }),
    taskQueue: 'mine',
    workflowsPath: require.resolve('./workflows'),${plugins}
  });
  console.log('${says}');
  await worker.run();
}

void main();
`;

const ADDED_IMPORTS = `import { judges, ScriptedOpenAI } from 'durable-reflection/testing';
import { ReflectionPlugin } from 'durable-reflection/worker';
`;

const ADDED_MODEL = `  const model = await ScriptedOpenAI.start({
    script: [{ ...judges.fail('It greets nobody.', { about: 'Hello' }), times: 'always' }, { ...judges.pass(), times: 'always' },
      { reply: 'Hello' }, { reply: 'Dear Ada' }],
  });
  const plugin = new ReflectionPlugin({ models: [{ name: 'writer', model: 'scripted', baseUrl: model.baseUrl }] });
`;

const ADDED_WORKFLOW = `import { reflect } from 'durable-reflection/workflow';

export async function letter(name: string): Promise<unknown> {
  const { finalOutput } = await reflect({ task: \`Greet \${name}.\`, evaluator: ['It greets a person by name.'] });
  return finalOutput;
}
`;

const CLIENT = `import { Client, Connection } from '@temporalio/client';

async function main(): Promise<void> {
  const connection = await Connection.connect({ address: process.env.TEMPORAL_ADDRESS });
  const { workflow } = new Client({ connection });
  const letter = await workflow.execute('letter', { taskQueue: 'mine', workflowId: 'letter-1', args: ['Ada'] });
  console.log(JSON.stringify(letter));
  await connection.close();
}

void main();
`;

function write(folder: string, files: Record<string, string>): void {
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
}

/** Writes a project with a worker of Temporal's that knows nothing of loops. */
export function writeExistingWorker(folder: string): void {
  write(folder, {
    'package.json': JSON.stringify(MANIFEST),
    'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }),
    'src/workflows.ts': WORKFLOWS,
    'src/worker.ts': worker('', '', '', 'Serves workflows'),
  });
}

/** Makes the edits of docs/embedding.md: the plugin, and a workflow that calls `reflect`. */
export function addLoop(folder: string): void {
  write(folder, {
    'src/workflows.ts': `${ADDED_WORKFLOW}${WORKFLOWS}`,
    'src/worker.ts': worker(ADDED_IMPORTS, ADDED_MODEL, '\n    plugins: [plugin],', 'Serves loops'),
    'src/client.ts': CLIENT,
  });
}
