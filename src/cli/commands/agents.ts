import pc from 'picocolors';
import type { AgentEvent, AgentReflectionSpec } from '../../domain/agents/population';
import { AlreadyRunningError } from '../../domain/errors/call-errors';
import type { Json, JsonObject } from '../../domain/base/json';
import type { SpecProblem } from '../../domain/base/spec-problem';
import type { FileProblem } from '../../yaml/index';
import { answerText, reflectionTable, reportText } from '../views/agents-view';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { describeRun } from '../show/describe-run';
import { withFileLocation } from '../support/with-file-location';
import { noWorkerText, pollerCount } from '../support/pollers';
import { command } from '../views/printable';
import { readRunFile, readState } from '../support/run-input';
import { serverOf } from '../support/server-of';
import { runLink } from '../support/web-ui';

interface ServerOptions {
  address?: string;
  namespace?: string;
  json?: boolean;
}

export interface AgentsStartOptions extends ServerOptions {
  workflowId?: string;
  taskQueue?: string;
}

export interface TriggerOptions extends ServerOptions {
  year: number;
  id?: string;
  agent?: string;
  context: string[];
}

type Client = Awaited<ReturnType<typeof connect>>;

async function connected<T>(options: ServerOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(options);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** `reflect agents start`: starts the population of a file. */
export async function agentsStart(file: string, { workflowId, ...options }: AgentsStartOptions): Promise<number> {
  const read = await readRunFile(file);
  if (read.kind !== 'agents') {
    throw new CliError('NoPopulation', `${read.file} holds no population: it has no \`agents:\`.`);
  }
  return connected(options, async (client) => {
    const reference = await startedBy(client, read, workflowId);
    const id = reference.workflowId;
    if (options.json) {
      console.log(JSON.stringify(reference));
      return 0;
    }
    const link = runLink(serverOf(client), reference);
    console.log(`${pc.bold(id)}  ${read.spec.agents.length} agents`);
    if (link !== undefined) console.log(pc.dim(link));
    if ((await pollerCount(client, client.taskQueue, 'workflow')) === 0)
      console.log(pc.yellow(noWorkerText(client.taskQueue)));
    console.log(`\nTell them what happens: ${command(`npx reflect agents trigger ${id} crisis --year 1`)}`);
    return 0;
  });
}

async function startedBy(
  client: Client,
  read: { file: string; spec: AgentReflectionSpec; locate(problem: SpecProblem): FileProblem[] },
  workflowId: string | undefined,
): ReturnType<Client['startAgents']> {
  try {
    return await client.startAgents(read.spec, workflowId === undefined ? {} : { workflowId });
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) throw withFileLocation(error, read);
    throw new CliError(
      'AlreadyRunning',
      `The run "${error.workflowId}" is there already, and it has not ended.`,
      `Look at it with \`npx reflect show ${error.workflowId}\`, or choose another --workflow-id.`,
    );
  }
}

/** Only a population takes events, and only while it lives. */
async function livePopulation(client: Client, workflowId: string): Promise<void> {
  const { type, running, taskQueue } = await describeRun(client, workflowId);
  if (type !== 'agentReflection') throw new CliError('NoPopulation', `The run "${workflowId}" is no population.`);
  if (!running) {
    throw new CliError('RunEnded', `The run "${workflowId}" has ended.`, `See how: npx reflect show ${workflowId}`);
  }
  if ((await pollerCount(client, taskQueue, 'workflow')) === 0) throw new CliError('NoWorker', noWorkerText(taskQueue));
}

/** `reflect agents trigger`: tells a population what happened, and says who reflected. */
export async function agentsTrigger(
  workflowId: string,
  kind: AgentEvent['kind'],
  { year, id, agent, context: pairs, json, ...options }: TriggerOptions,
): Promise<number> {
  if (kind === 'decision' && agent === undefined) {
    throw new CliError('NoAgent', "A decision is somebody's.", 'Say whose with --agent.');
  }
  const context: JsonObject = await readState([], pairs);
  const event: AgentEvent = {
    kind,
    year,
    ...(id === undefined ? {} : { id }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
  return connected(options, async (client) => {
    await livePopulation(client, workflowId);
    const answer = await client.triggerAgents(workflowId, event);
    console.log(json ? JSON.stringify(answer, null, 2) : answerText(answer));
    return 0;
  });
}

/** `reflect agents reflections`: who reflected when, and why. */
export async function agentsReflections(
  workflowId: string,
  { agent, json, ...options }: ServerOptions & { agent?: string },
): Promise<number> {
  return connected(options, async (client) => {
    const { type } = await describeRun(client, workflowId);
    if (type !== 'agentReflection') throw new CliError('NoPopulation', `The run "${workflowId}" is no population.`);
    const reflections = await client.agentReflections(workflowId, agent === undefined ? {} : { agentId: agent });
    if (json) console.log(JSON.stringify(reflections, null, 2));
    else console.log(reflections.length === 0 ? 'Nobody has reflected.' : reflectionTable(reflections));
    return 0;
  });
}

/** `reflect agents finish`: no more events come; waits for the report. */
export async function agentsFinish(workflowId: string, { json, ...options }: ServerOptions): Promise<number> {
  return connected(options, async (client) => {
    await livePopulation(client, workflowId);
    const report = await client.finishAgents(workflowId);
    console.log(json ? JSON.stringify(report as unknown as Json, null, 2) : reportText(report));
    return 0;
  });
}
