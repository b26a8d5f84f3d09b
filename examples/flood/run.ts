import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, Connection, type WorkflowHandle, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { loadTriggerConfig } from 'durable-reflection/compat';
import { installRuntime, ReflectionPlugin } from 'durable-reflection/worker';
import { parse } from 'yaml';
import * as activities from './activities';
import { floodReport } from './report';
import type { FloodInput, FloodResult, FloodYear } from './workflow';

/** The differences between the two examples. */
export interface FloodExample {
  name: string;
  /** The YAML file that configures when and how agents reflect. */
  agents: string;
  institutions: boolean;
  households: number;
}

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  years: { type: 'string', default: '15' },
  households: { type: 'string' },
  /** Id of the run; if a run with this id is in progress, the example follows it. */
  id: { type: 'string' },
  /** Minimum milliseconds of a year. */
  pause: { type: 'string', default: '0' },
  /** The only year to which the pause applies. */
  'pause-year': { type: 'string' },
  /** File to which the report is written. */
  report: { type: 'string' },
  /** File to which the result is written as JSON. */
  json: { type: 'string' },
} as const;

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new TypeError(`--${name} must be a whole number of at least ${least}`);
}

/** When and how agents reflect, as `global_config.reflection` of a YAML file says. */
function configOf(file: string): FloodInput['config'] {
  const read = parse(readFileSync(file, 'utf8')) as { global_config?: { reflection?: unknown } };
  const { method, batchSize, importanceBoost, critics, ...triggers } = loadTriggerConfig(
    read.global_config?.reflection,
  );
  return { reflection: { method, batchSize, importanceBoost, critics, triggers } };
}

function inputOf(
  { name, agents, institutions, households }: FloodExample,
  values: Record<string, string | undefined>,
): FloodInput {
  return {
    name,
    seed: whole('seed', values['seed']!, 0),
    years: whole('years', values['years']!, 1),
    households: whole('households', values['households'] ?? String(households), 1),
    institutions,
    config: configOf(agents),
    pauseMs: whole('pause', values['pause']!, 0),
    ...(values['pause-year'] === undefined ? {} : { pauseYear: whole('pause-year', values['pause-year'], 1) }),
  };
}

/** Starts the simulation, or returns the handle of the one with this id that is in progress. */
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

/** Prints each year when it is over, until the simulation has ended. */
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

/** Runs an example: starts a worker and the simulation, and writes the report. */
export async function runFlood(example: FloodExample): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  const input = inputOf(example, values);
  const workflowId = values.id ?? `${example.name}-${input.seed}`;
  installRuntime({ level: 'error' });
  const address = process.env['TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233';
  const plugin = new ReflectionPlugin({ drainMs: 0 });
  const native = await NativeConnection.connect({ address });
  const taskQueue = `flood-${workflowId}`;
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    workflowsPath: require.resolve('./workflow'),
    activities,
    plugins: [plugin],
  });
  const working = worker.run();
  const connection = await Connection.connect({ address });
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
  }
}
