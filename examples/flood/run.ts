import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection, type WorkflowHandle, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
// An application of yours imports these from 'durable-reflection/worker' and its siblings.
import { installQuietRuntime } from '../../src/cli/worker/quiet-runtime';
import { connectOrStart, defaultDatabaseFile } from '../../src/server/index';
import { ReflectionPlugin } from '../../src/worker';
import { parseFile } from '../../src/yaml/index';
import * as activities from './activities';
import { floodReport } from './report';
import type { FloodInput, FloodResult, FloodYear } from './workflow';

/** What is different between the two examples. */
export interface FloodExample {
  name: string;
  /** The YAML file that says when and how agents reflect. */
  agents: string;
  institutions: boolean;
  households: number;
}

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  years: { type: 'string', default: '15' },
  households: { type: 'string' },
  /** Of the run; one that is under way is gone on with. */
  id: { type: 'string' },
  /** Milliseconds that a year lasts at least. */
  pause: { type: 'string', default: '0' },
  /** The only year that lasts so long. */
  'pause-year': { type: 'string' },
  /** Where the report is written. */
  report: { type: 'string' },
  /** The result as JSON, for programs. */
  json: { type: 'string' },
} as const;

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new TypeError(`--${name} must be a whole number of at least ${least}`);
}

function inputOf(
  { name, agents, institutions, households }: FloodExample,
  values: Record<string, string | undefined>,
): FloodInput {
  const file = parseFile(readFileSync(agents, 'utf8'), agents);
  if (file.kind !== 'config' || !file.config.reflection)
    throw new TypeError(`${agents} has no global_config.reflection`);
  return {
    name,
    seed: whole('seed', values['seed']!, 0),
    years: whole('years', values['years']!, 1),
    households: whole('households', values['households'] ?? String(households), 1),
    institutions,
    config: { reflection: file.config.reflection },
    pauseMs: whole('pause', values['pause']!, 0),
    ...(values['pause-year'] === undefined ? {} : { pauseYear: whole('pause-year', values['pause-year'], 1) }),
  };
}

/** Starts the simulation, or goes on with the one of this id that is under way. */
async function startOrGoOn(
  client: Client,
  taskQueue: string,
  workflowId: string,
  input: FloodInput,
): Promise<WorkflowHandle> {
  try {
    return await client.workflow.start('floodSimulation', { taskQueue, workflowId, args: [input] });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const handle = client.workflow.getHandle(workflowId);
    const years = await handle.query<FloodYear[]>('years');
    console.log(`${workflowId} goes on in year ${years.at(-1)?.year ?? 1}.`);
    return handle;
  }
}

function yearText({ year, flood, decisions, policies, told }: FloodYear): string {
  const reflected = told.reduce((sum, event) => sum + event.reflected.length, 0);
  return [
    `year ${year}:`,
    flood ? `flood of severity ${flood.severity} in ${flood.affected.length} houses,` : 'no flood,',
    `${decisions.length} decisions,`,
    ...(policies.length > 0 ? [`${policies.length} policies changed,`] : []),
    `${reflected} reflections`,
  ].join(' ');
}

/** Says each year when it is over, until the result is there. */
async function followYears(handle: WorkflowHandle, result: Promise<FloodResult>): Promise<FloodResult> {
  let told = 0;
  let over = false;
  const settled = result.then(
    () => (over = true),
    () => (over = true),
  );
  while (!over) {
    const years = await handle.query<FloodYear[]>('years').catch(() => []);
    for (; told < years.length - 1; told += 1) console.log(yearText(years[told]!));
    await Promise.race([settled, wait(150)]);
  }
  const ended = await result;
  for (; told < ended.years.length; told += 1) console.log(yearText(ended.years[told]!));
  return ended;
}

/** Runs an example: a server if none is there, a worker, the simulation, and the report at its end. */
export async function runFlood(example: FloodExample): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const input = inputOf(example, values);
  const workflowId = values.id ?? `${example.name}-${input.seed}`;
  installQuietRuntime('ERROR');
  const server = await connectOrStart({ databaseFile: defaultDatabaseFile(), onProgress: (text) => console.log(text) });
  const plugin = new ReflectionPlugin({ drainMs: 0 });
  const native = await NativeConnection.connect({ address: server.address });
  const taskQueue = `flood-${workflowId}`;
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: require.resolve('./workflow'),
    activities,
    plugins: [plugin],
  });
  const working = worker.run();
  const connection = await Connection.connect({ address: server.address });
  try {
    const handle = await startOrGoOn(new Client({ connection }), taskQueue, workflowId, input);
    const result = await followYears(handle, handle.result() as Promise<FloodResult>);
    const report = resolve(values.report ?? `.reflect/${example.name}.html`);
    mkdirSync(dirname(report), { recursive: true });
    writeFileSync(report, floodReport(result));
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(result, null, 2));
    console.log(
      `${result.report.counts.reflections} reflections upon ${result.report.counts.events} events. Report: ${report}`,
    );
  } finally {
    worker.shutdown();
    await working;
    await connection.close();
    await native.close();
    await plugin.close();
    await server.stop();
  }
}
