import pc from 'picocolors';
import type { ReflectionClient } from '../../../../client';
import type { TemporalOverrides } from '../../../../lib/config';
import type { AgentEvent } from '../../../../kinds/agents/state/population';
import { omitUndefined } from '../../../../lib/base/defined';
import type { JsonObject } from '../../../../lib/json/json';
import { describeRun, type RunDescription } from '../../show/describe-run';
import { CliError } from '../../support/cli-error';
import { withClient } from '../../support/connect';
import { noWorkerText, pollerCount, warnWithoutWorker } from '../../support/pollers';
import { startWithId } from '../../support/run-id';
import { readRunFile, readState } from '../../support/run-input';
import { runLink, serverOf } from '../../support/web-ui';
import { lookOrRename, startError } from '../../support/with-file-location';
import { printText, writeJson } from '../../terminal/say';
import { answerText, reflectionTable, reportText } from './agents-view';
import { command, count } from '../../views/printable';

interface ServerOptions extends TemporalOverrides {
  json?: boolean;
}

interface AgentsStartOptions extends ServerOptions {
  workflowId?: string;
}

interface TriggerOptions extends ServerOptions {
  year: number;
  id?: string;
  agent?: string;
  context: string[];
}

export async function agentsStart(file: string, { workflowId, ...options }: AgentsStartOptions): Promise<number> {
  const read = await readRunFile(file);
  if (read.kind !== 'agents') {
    throw new CliError('NoPopulation', `${read.file} holds no population: it has no \`agents:\`.`);
  }
  return withClient(options, async (client) => {
    const reference = await startWithId({ asked: workflowId, name: '', otherwise: 'agents' }, (start) =>
      client.agents.start(read.spec, start),
    ).catch((error: unknown) => {
      throw startError(error, read, lookOrRename);
    });
    const id = reference.workflowId;
    if (options.json) {
      writeJson(reference);
      return 0;
    }
    const link = runLink(serverOf(client), reference);
    printText(`${pc.bold(id)}  ${count(read.spec.agents.length, 'agent')}`);
    if (link !== undefined) printText(pc.dim(link));
    await warnWithoutWorker(client, (text) => printText(pc.yellow(text)));
    printText(`\nTell them what happens: ${command(`npx reflect agents trigger ${id} crisis --year 1`)}`);
    return 0;
  });
}

async function population(client: ReflectionClient, workflowId: string): Promise<RunDescription> {
  const description = await describeRun(client, workflowId);
  if (description.type === 'agentReflection') return description;
  throw new CliError('NoPopulation', `The run "${workflowId}" is no population.`);
}

async function assertLivePopulation(client: ReflectionClient, workflowId: string): Promise<void> {
  const { running, taskQueue } = await population(client, workflowId);
  if (!running) {
    throw new CliError('RunEnded', `The run "${workflowId}" has ended.`, `See how: npx reflect show ${workflowId}`);
  }
  if ((await pollerCount(client, taskQueue, 'workflow')) === 0) throw new CliError('NoWorker', noWorkerText(taskQueue));
}

export async function agentsTrigger(
  workflowId: string,
  kind: AgentEvent['kind'],
  { year, id, agent, context: pairs, json, ...options }: TriggerOptions,
): Promise<number> {
  if (kind === 'decision' && agent === undefined) {
    throw new CliError('NoAgent', "A decision is somebody's.", 'Say whose with --agent.');
  }
  const context: JsonObject = await readState([], pairs);
  const said = Object.keys(context).length === 0 ? undefined : context;
  const event: AgentEvent = omitUndefined({ kind, year, id, agentId: agent, context: said });
  return withClient(options, async (client) => {
    await assertLivePopulation(client, workflowId);
    const answer = await client.agents.trigger(workflowId, event);
    if (json) writeJson(answer);
    else printText(answerText(answer));
    return 0;
  });
}

export async function agentsReflections(
  workflowId: string,
  { agent, json, ...options }: ServerOptions & { agent?: string },
): Promise<number> {
  return withClient(options, async (client) => {
    await population(client, workflowId);
    const reflections = await client.agents.reflections(workflowId, { agentId: agent });
    if (json) writeJson(reflections);
    else printText(reflections.length === 0 ? 'Nobody has reflected.' : reflectionTable(reflections));
    return 0;
  });
}

/** `reflect agents finish`: no more events come; waits for the report. */
export async function agentsFinish(workflowId: string, { json, ...options }: ServerOptions): Promise<number> {
  return withClient(options, async (client) => {
    await assertLivePopulation(client, workflowId);
    const report = await client.agents.finish(workflowId);
    if (json) writeJson(report);
    else printText(reportText(report));
    return 0;
  });
}
