import type { CallOptions, ReflectionClient } from '../../../client';
import { runKindOf } from '../../../kinds/list/client';
import type { TemporalOverrides } from '../../../lib/config';
import { CallAbortedError, NoAnswerError } from '../../../loop/errors/call-errors';
import type { Progress } from '../../../loop/contract/results';
import type { CommandName, CommandPayloads, Decision } from '../../../loop/base/command-payloads';
import type { RunView } from '../show/run-view';
import { RUN_VIEWS } from '../kinds/list/views';
import { describeRun } from '../show/describe-run';
import { noLoop, servesNoLoop } from '../show/inspect-run';
import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import { jsonMistake } from '../../../lib/json/json-mistake';
import { exactJson } from '../support/run-input';
import { ask } from '../support/ask';
import { CliError } from '../support/cli-error';
import { withClient } from '../support/connect';
import { onInterrupt } from '../support/interrupts';
import { notifyIfSlow } from '../support/notify-if-slow';
import { noWorkerText, pollerCount } from '../support/pollers';
import { printText, printAside, writeJson } from '../terminal/say';
import { command, count, oneLine } from '../views/printable';
import { assertNoSlip, formOf, type GivenOutput, givenOutput } from '../steer/given-output';
import type { WaitingFor } from '../../../loop/contract/waiting';
import { typedOffer } from '../views/waiting-view';

interface Typed {
  iteration?: number;
  iterations?: number;
  decision?: Decision;
}

type Text = (progress: Progress, typed: Typed, workflowId: string) => string;

// A loop inside a user's own workflow answers at once: why it ends is not known then.
const TEXTS: Record<CommandName, Text> = {
  accept({ accepted: taken, best, iteration, convergenceReason }, typed) {
    if (convergenceReason === 'aborted') return 'It was aborted at the same time: no version was accepted.';
    // Before a version was judged, there is no best one: the output that is there is taken.
    const accepted = taken ?? typed.iteration ?? best?.iteration ?? iteration;
    const isBest = accepted === best?.iteration ? ', the best one' : '';
    return accepted === iteration
      ? `Accepted version ${accepted}.`
      : `Accepted version ${accepted}${isBest}; the latest was version ${iteration}.`;
  },
  abort: ({ best, convergenceReason }) =>
    convergenceReason !== undefined && convergenceReason !== 'aborted'
      ? 'It ends as it stood; what it learned may not be kept.'
      : `Aborted${best ? `; the best was version ${best.iteration}` : ''}.`,
  answer: ({ waitingFor }) =>
    waitingFor?.waits ? `Taken. It still waits for ${oneLine(waitingFor.what)}.` : 'Taken; the run goes on.',
  guide: ({ waitingFor }, _given, workflowId) => toldText(workflowId, waitingFor),
  override: () => 'Your version will be judged.',
  extend: ({ maxIterations }, { iterations }) =>
    iterations === undefined ? 'Extended.' : `Extended; it makes at most ${count(maxIterations, 'version')}.`,
  decide: ({ iteration }, { decision }) => `Decided about version ${iteration}: ${decision}.`,
  reflect: ({ iteration }) => `Version ${iteration} will be judged again.`,
};

/** Describes the effect of guidance. A loop whose review still waits after it received guidance is at a limit. */
function toldText(workflowId: string, waitingFor: WaitingFor | undefined): string {
  if (!waitingFor || waitingFor.waits) return 'The next revision will get your text.';
  const extension = waitingFor.commands.find(({ name }) => name === 'extend');
  return extension
    ? `The next revision will get your text once the limit is extended: ${command(`npx reflect ${typedOffer(extension, workflowId)}`)}`
    : 'No revision will get your text: the loop is at a limit that cannot be raised.';
}

export function takenText(name: CommandName, progress: Progress, typed: Typed, workflowId: string): string {
  return TEXTS[name](progress, typed, workflowId);
}

export interface SteerOptions extends TemporalOverrides {
  id?: string;
  /** For `answer`: the question or the call that it is for. A text without it is for the only wait. */
  to?: string;
  approve?: true;
  refuse?: true;
  arguments?: string;
  iteration?: number;
  best?: true;
  by?: string;
  reason?: string;
  /** For `guide`: the guidance. For `override`: the output, `-` for the standard input; true: `output` is a text. */
  text?: string | true;
  output?: string;
  given?: GivenOutput;
  decision?: Decision;
  iterations?: number;
  tokens?: number;
  usd?: number;
  timeout?: string;
  json?: boolean;
}

function changedArguments(given: string): JsonObject {
  const mistake = jsonMistake(given);
  const value = mistake === undefined ? exactJson(given, '--arguments') : undefined;
  if (isJsonObject(value)) return value;
  const why = mistake === undefined ? '' : `: ${mistake}`;
  throw new CliError(
    'BadArguments',
    `--arguments is no JSON object${why}. Nothing was sent.`,
    'Such as: --arguments \'{"amount": 20}\'',
  );
}

function whichAnswer(message: string): CliError {
  return new CliError('WhichAnswer', message, 'Name one with --to, such as: --to approval-1');
}

const PAYLOADS: { [Name in CommandName]: (options: SteerOptions) => CommandPayloads[Name] } = {
  accept: ({ id, iteration, best, by, reason }) => ({ iteration, best, by, reason, id }),
  abort: ({ id, by, reason }) => ({ by, reason, id }),
  answer({ id, to, text, approve, refuse, arguments: changed, reason, by }) {
    const given = { text: typeof text === 'string' ? text : undefined, approve, refuse };
    const other = changed === undefined ? undefined : changedArguments(changed);
    // The only call that waits may be another one by now than the one that was read.
    if (to === undefined && (approve || refuse || other)) throw whichAnswer('A decision about a call says which call.');
    return { to: String(to), ...given, arguments: other, reason, by, id };
  },
  guide: ({ id, iteration, by, text }) => ({ text: text as string, iteration, by, id }),
  override: ({ id, iteration, by, given }) => ({ output: given!.output, iteration, by, id }),
  extend({ id, iteration, by, iterations, tokens, usd }) {
    if (iterations !== undefined || tokens !== undefined || usd !== undefined) {
      return { iterations, tokens, usd, iteration, by, id };
    }
    throw new CliError(
      'NothingToExtend',
      'No limit is named that is to be raised.',
      'Add --iterations, --tokens or --usd.',
    );
  },
  decide: ({ id, iteration, by, decision }) => ({ iteration: iteration!, by, decision: decision!, id }),
  reflect: ({ id, iteration, by }) => ({ iteration, by, id }),
};

async function overrideOutput({ output, text }: SteerOptions): Promise<GivenOutput> {
  if (output !== undefined && typeof text !== 'string') return givenOutput(output, text === true);
  if (output === undefined && text === '-') return givenOutput(text, true);
  if (output === undefined && typeof text === 'string') return { output: text };
  const message =
    output === undefined ? 'The version is missing.' : '--output and the text of --text are two versions.';
  throw new CliError('BadOutput', message, 'Give either --output, or --text with the text.');
}

function notSteerable(workflowId: string, type: string, name: string, part: string | undefined): CliError {
  return new CliError(
    'NoLoop',
    `The run "${workflowId}" is a ${type}, which takes no ${name}: only loops do.`,
    part && `A loop of it is a run of its own: npx reflect ${name} ${workflowId}/<${part}>`,
  );
}

/**
 * Sends what a person wants of a run: `reflect accept`, `abort`, `guide` and so on. A run that has no best version to hand back is
 * cancelled by `abort`, and takes nothing else. Workflows of others may take the commands of a loop that they run inside of them.
 */
export async function steer(name: CommandName, workflowId: string, options: SteerOptions): Promise<number> {
  const given = name === 'override' ? await overrideOutput(options) : undefined;
  const payload = PAYLOADS[name]({ ...options, ...(given && { given }) });
  return withClient(options, async (client) => {
    const { running, status, taskQueue, type } = await describeRun(client, workflowId);
    if (!running) {
      throw new CliError(
        'RunEnded',
        `The run "${workflowId}" has ended (${status.toLowerCase()}).`,
        `See how: npx reflect show ${workflowId}`,
      );
    }
    const { cancelled, part }: RunView<unknown> = RUN_VIEWS[runKindOf(type) ?? 'loop'];
    if (cancelled !== undefined) {
      if (name !== 'abort') throw notSteerable(workflowId, type, name, part);
      await client.temporal.workflow.getHandle(workflowId).cancel();
      if (options.json) writeJson({ workflowId, sent: 'cancellation' });
      else printText(`Cancelled${cancelled}.\nThe run: ${command(`npx reflect show ${workflowId}`)}`);
      return 0;
    }
    if (given?.unsure) assertNoSlip(given, formOf((await ask(client, () => client.history(workflowId)))?.at(-1)));
    // Without --iteration, it is decided about the version that is current now.
    const decidesNow = name === 'decide' && options.iteration === undefined;
    if (name === 'answer' && options.to === undefined) {
      (payload as CommandPayloads['answer']).to = await soleWait(client, workflowId, type);
    }
    const sent = decidesNow
      ? { ...payload, iteration: (await progressNow(client, workflowId, type)).iteration }
      : payload;
    if (await sentAsSignal(client, workflowId, taskQueue, name, sent)) {
      if (options.json) writeJson({ workflowId, sent: 'signal' });
      else printText(`Sent; it waits for a worker. ${noWorkerText(taskQueue)}`);
      return 0;
    }
    const slow = () =>
      printAside(`No answer yet. Is a worker of queue "${taskQueue}" running? Waiting for it; Ctrl-C gives up.`);
    const progress = await notifyIfSlow(send(client, workflowId, name, sent, options), slow);
    if (options.json) writeJson(progress);
    else {
      const ends = name === 'accept' || name === 'abort';
      printText(takenText(name, progress, options, workflowId));
      printText(`${ends ? 'The result' : 'The run'}: ${command(`npx reflect show ${workflowId}`)}`);
    }
    return 0;
  });
}

/** @throws CliError of type `NoLoop` for a user's own workflow that does not answer for a loop */
async function progressNow(client: ReflectionClient, workflowId: string, type: string): Promise<Progress> {
  try {
    return await client.progress(workflowId);
  } catch (error) {
    throw servesNoLoop(error) ? noLoop(workflowId, type) : error;
  }
}

async function soleWait(client: ReflectionClient, workflowId: string, type: string): Promise<string> {
  const { waits = [] } = (await progressNow(client, workflowId, type)).waitingFor ?? {};
  const [only, ...others] = waits;
  if (only && others.length === 0) return only.id;
  const see = `See what it waits for: npx reflect show ${workflowId}`;
  if (!only) throw new CliError('NothingAsked', `The run "${workflowId}" waits for no answer.`, see);
  const ids = waits.map(({ id }) => id).join(', ');
  throw whichAnswer(`The run "${workflowId}" waits for several answers: ${ids}.`);
}

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
    return await method(workflowId, payload, { signal: interrupted.signal, timeout });
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof CallAbortedError)) throw error;
    const again = `Send it again with \`--id ${error.commandId}\`; --timeout says how long to wait.`;
    throw new CliError(error.type, error.message, again);
  } finally {
    stopListening();
  }
}

/** Sends a command as a signal. Without a worker an update is not received; a signal waits in the run's history. */
async function sentAsSignal(
  client: ReflectionClient,
  workflowId: string,
  taskQueue: string,
  name: string,
  payload: object,
): Promise<boolean> {
  if ((await pollerCount(client, taskQueue, 'workflow')) > 0) return false;
  await client.temporal.workflow.getHandle(workflowId).signal(name, payload);
  return true;
}
