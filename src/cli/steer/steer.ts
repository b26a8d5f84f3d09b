import { existsSync, readFileSync } from 'node:fs';
import type { CallOptions, ReflectionClient } from '../../client';
import { CallAbortedError, NoAnswerError } from '../../domain/errors/call-errors';
import type { CommandName, CommandPayloads, Decision } from '../../domain/state/command-payloads';
import type { Json } from '../../domain/base/json';
import type { Progress } from '../../domain/page/progress';
import type { WaitingFor } from '../../domain/commands/available';
import { CliError } from '../support/cli-error';
import { connect } from '../support/connect';
import { describeRun } from '../show/describe-run';
import { onInterrupt } from '../support/interrupts';
import { notifyIfSlow } from '../support/notify-if-slow';
import { noWorkerText, pollerCount } from '../support/pollers';
import { command, count } from '../views/printable';
import { typedOffer } from './typed-offer';

export interface SteerOptions {
  iteration?: number;
  by?: string;
  reason?: string;
  /** Of the command. */
  id?: string;
  timeout?: string;
  address?: string;
  namespace?: string;
}

/** `reflect accept`: ends a run with its best version, or with the current one when it is named. */
export async function accept(workflowId: string, options: SteerOptions): Promise<number> {
  const payload = { ...common(options), ...why(options) };
  return steer(
    workflowId,
    options,
    'accept',
    () => payload,
    ({ best, iteration }) => {
      // Before a version was judged, there is no best one: the output that is there is taken.
      const accepted = options.iteration ?? best?.iteration ?? iteration;
      return accepted === iteration
        ? `Accepted version ${accepted}.`
        : `Accepted version ${accepted}, the best one; the latest was version ${iteration}.`;
    },
  );
}

/** `reflect abort`: ends a run with what there is, cancelling the call in flight. What is no loop is cancelled. */
export async function abort(workflowId: string, options: SteerOptions): Promise<number> {
  const payload = { ...commandId(options), ...(options.by === undefined ? {} : { by: options.by }), ...why(options) };
  return steer(
    workflowId,
    options,
    'abort',
    () => payload,
    ({ best, phase }) =>
      phase === 'remembering'
        ? 'It ends as it stood; what it learned may not be kept.'
        : `Aborted${best ? `; the best was version ${best.iteration}` : ''}.`,
  );
}

/** `reflect guide`: the next revision is told a reviewer's word. */
export async function guide(workflowId: string, text: string, options: SteerOptions): Promise<number> {
  const payload = { text, ...common(options) };
  return steer(
    workflowId,
    options,
    'guide',
    () => payload,
    ({ waitingFor }) => toldText(workflowId, waitingFor),
  );
}

/** A loop that waits on after it was told something is at a limit. */
function toldText(workflowId: string, waitingFor: WaitingFor | undefined): string {
  if (!waitingFor) return 'The next revision will be told.';
  const extension = waitingFor.commands.find(({ name }) => name === 'extend');
  return extension
    ? `It will be told once its limit is extended: ${command(`npx reflect ${typedOffer(extension, workflowId)}`)}`
    : 'It will not be told: it is at a limit that nothing lifts.';
}

/** `reflect override`: a person's output becomes the next version. */
export async function override(workflowId: string, options: SteerOptions & { output: string }): Promise<number> {
  const payload = { output: readOutput(options.output), ...common(options) };
  return steer(
    workflowId,
    options,
    'override',
    () => payload,
    () => 'Your version will be judged.',
  );
}

/** `reflect extend`: raises limits. */
export async function extend(
  workflowId: string,
  options: SteerOptions & { iterations?: number; tokens?: number; usd?: number },
): Promise<number> {
  const { iterations, tokens, usd } = options;
  if (iterations === undefined && tokens === undefined && usd === undefined) {
    throw new CliError(
      'NothingToExtend',
      'No limit is named that is to be raised.',
      'Add --iterations, --tokens or --usd.',
    );
  }
  const payload = {
    ...(iterations === undefined ? {} : { iterations }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usd === undefined ? {} : { usd }),
    ...common(options),
  };
  return steer(
    workflowId,
    options,
    'extend',
    () => payload,
    ({ maxIterations }) =>
      iterations === undefined ? 'Extended.' : `Extended; it makes at most ${count(maxIterations, 'version')}.`,
  );
}

/** `reflect decide`: overrules the loop. Without `--iteration`, about the version that is current now. */
export async function decide(workflowId: string, decision: Decision, options: SteerOptions): Promise<number> {
  const payload = async (client: ReflectionClient) => {
    const iteration = options.iteration ?? (await client.progress(workflowId)).iteration;
    return { ...common(options), iteration, decision };
  };
  return steer(
    workflowId,
    options,
    'decide',
    payload,
    ({ iteration }) => `Decided about version ${iteration}: ${decision}.`,
  );
}

/** `reflect reflect`: the current version is judged again. */
export async function reflectAgain(workflowId: string, options: SteerOptions): Promise<number> {
  const payload = common(options);
  return steer(
    workflowId,
    options,
    'reflect',
    () => payload,
    ({ iteration }) => `Version ${iteration} will be judged again.`,
  );
}

function commandId({ id }: SteerOptions): { id?: string } {
  return id === undefined ? {} : { id };
}

function common(options: SteerOptions): { id?: string; iteration?: number; by?: string } {
  const { iteration, by } = options;
  return {
    ...commandId(options),
    ...(iteration === undefined ? {} : { iteration }),
    ...(by === undefined ? {} : { by }),
  };
}

function why({ reason }: SteerOptions): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

/** A file's content, as JSON where it is JSON; or JSON itself. */
function readOutput(text: string): Json {
  const fromFile = existsSync(text);
  const content = fromFile ? readFileSync(text, 'utf8') : text;
  try {
    return JSON.parse(content) as Json;
  } catch {
    if (fromFile) return content;
    throw new CliError(
      'BadOutput',
      `--output is neither a file nor JSON: ${text.slice(0, 80)}`,
      'Text goes into a file.',
    );
  }
}

/**
 * Runs that have no best version to hand back: ending one early is cancelling it. Workflows of others may take the commands of a
 * loop that they run inside of them.
 */
const CANCELLED: Record<string, string> = {
  reflectionPipeline: ', and with it the loop that is under way',
  planReflection: ', and with it the tasks that are under way',
  agentReflection: '',
  reflectionEvaluate: '',
  reflectionCorrect: '',
};

function notSteerable(workflowId: string, type: string, name: string): CliError {
  const part = type === 'planReflection' ? 'task' : 'node';
  return new CliError(
    'NoLoop',
    `The run "${workflowId}" is a ${type}, which takes no ${name}: only loops do.`,
    type === 'planReflection' || type === 'reflectionPipeline'
      ? `A loop of it is a run of its own: npx reflect ${name} ${workflowId}/<${part}>`
      : undefined,
  );
}

async function steer<Name extends CommandName>(
  workflowId: string,
  options: SteerOptions,
  name: Name,
  payloadFor: (client: ReflectionClient) => CommandPayloads[Name] | Promise<CommandPayloads[Name]>,
  done: (progress: Progress) => string,
): Promise<number> {
  const client = await connect(options);
  try {
    const { running, status, taskQueue, type } = await describeRun(client, workflowId);
    if (!running) {
      throw new CliError(
        'RunEnded',
        `The run "${workflowId}" has ended (${status.toLowerCase()}).`,
        `See how: npx reflect show ${workflowId}`,
      );
    }
    if (Object.hasOwn(CANCELLED, type)) {
      if (name !== 'abort') throw notSteerable(workflowId, type, name);
      await client.temporal.workflow.getHandle(workflowId).cancel();
      console.log(`Cancelled${CANCELLED[type]}.`);
      console.log(`The run: ${command(`npx reflect show ${workflowId}`)}`);
      return 0;
    }
    const payload = await payloadFor(client);
    if (await sentAsSignal(client, workflowId, taskQueue, name, payload)) return 0;
    const slow = () =>
      console.error(`No answer yet. Is a worker of queue "${taskQueue}" running? Waiting for it; Ctrl-C gives up.`);
    console.log(done(await notifyIfSlow(send(client, workflowId, name, payload, options), slow)));
    console.log(
      `${name === 'accept' || name === 'abort' ? 'The result' : 'The run'}: ${command(`npx reflect show ${workflowId}`)}`,
    );
    return 0;
  } finally {
    await client.close();
  }
}

/** Sends a command; Ctrl-C ends the waiting for its answer. */
async function send<Name extends CommandName>(
  client: ReflectionClient,
  workflowId: string,
  name: Name,
  payload: CommandPayloads[Name],
  { timeout }: SteerOptions,
): Promise<Progress> {
  // One method of the client for each command, of the same name and the same form.
  const method = client[name].bind(client) as (
    id: string,
    payload: CommandPayloads[Name],
    options: CallOptions,
  ) => Promise<Progress>;
  const interrupted = new AbortController();
  const stopListening = onInterrupt(() => interrupted.abort());
  try {
    return await method(workflowId, payload, {
      signal: interrupted.signal,
      ...(timeout === undefined ? {} : { timeout }),
    });
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof CallAbortedError)) throw error;
    const again = `Send it again with \`--id ${error.commandId}\`; --timeout says how long to wait.`;
    throw new CliError(error.type, error.message, again);
  } finally {
    stopListening();
  }
}

/** Without a worker an update finds nobody; a signal waits in the run's history. */
async function sentAsSignal(
  client: ReflectionClient,
  workflowId: string,
  taskQueue: string,
  name: string,
  payload: object,
): Promise<boolean> {
  if ((await pollerCount(client, taskQueue, 'workflow')) > 0) return false;
  await client.temporal.workflow.getHandle(workflowId).signal(name, payload);
  console.log(`Sent; it waits for a worker. ${noWorkerText(taskQueue)}`);
  return true;
}
