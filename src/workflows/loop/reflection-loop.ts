import {
  allHandlersFinished,
  type ApplicationFailure,
  condition,
  makeContinueAsNewFunc,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type ContinueAsNewState,
  carriedState,
  heldBytes,
  shouldHandOver,
} from '../../domain/loop/continue-as-new-state';
import { asKnown, type CheckedBefore, isCheckedBefore } from '../../domain/spec/checked-before';
import { COMMAND_NAMES, type CommandName, COMMANDS } from '../../domain/state/command-payloads';
import { commandProblem, isRepeated, receiveCommand } from '../../domain/commands/commands';
import type { Json } from '../../domain/base/json/json';
import type { LoopSettings, Preparation } from '../../domain/state/loop-settings';
import { initialState, type LoopState } from '../../domain/state/loop-state';
import { endsCall, type Move, nextMove } from '../../domain/loop/next-move';
import { type Progress, progressOf } from '../../domain/page/progress';
import { historyPage } from '../../domain/versions/history-page';
import { inputLimit, payloadLimit } from '../../domain/limits/payload-limit';
import { noteUnknown } from '../../domain/state/command-log';
import { beginReview, leaveReview } from '../../domain/commands/review';
import { failedAttempts, type ReflectionResult, resultOf } from '../../domain/versions/result';
import { jsonBytes } from '../../domain/base/json/json-bytes';
import type { LoopRun } from './loop-run';
import type { ReflectionSpec } from '../../domain/spec/spec';
import { type ResolvedSpec, resolveSpec } from '../../domain/state/resolved-spec';
import { rememberingRules } from '../../domain/loop/stop-rules';
import { unknownCommand } from '../../domain/commands/unknown-command';
import { checkingActivities } from '../shared/activity-calls';
import { historyLength, isContinueAsNewSuggested, noteEvent, now, timestamp } from '../shared/clock';
import { fullHistoryCheck } from '../shared/full-history';
import { runLoop } from './loop';
import { commandDefinition, historyQuery, progressQuery, QUERIES } from '../messages';
import { onceAnActivation } from '../signals/once-an-activation';
import { keepDetails, KeptDetails, listed, showDetails } from './run-details';
import { failureText } from '../shared/kept-page';
import { RunList } from '../shared/run-list';
import { permanentFailure, prepared } from '../shared/step-failure';
import { untilEndFits } from '../shared/scheduling';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import { isBoundToBuild, nextRunOptions, versioningOptions } from '../shared/versioning';

/** What handlers work on: they must be there before the spec was prepared, so that no early message is lost. */
export interface HandlerContext {
  state: LoopState;
  run?: LoopRun;
  /** Shows on the page, later in this activation, what was received. */
  showNews?(): void;
}

/** Where a run stands. */
export function progress(context: HandlerContext): Progress {
  return progressOf(context.state, context.run?.spec.settings, context.run?.phase ?? 'preparing');
}

/** Takes a command in, and ends the call in flight when it is of no use any more. Returns why it was refused, if it was. */
export function receive(
  context: HandlerContext,
  name: CommandName,
  payload: unknown,
  via: 'signal' | 'update',
): string | undefined {
  noteEvent();
  const at = timestamp();
  const { run, state } = context;
  const settings = run?.spec.settings;
  const why = receiveCommand(state, { name, payload: payload as Json | undefined, via, at }, settings);
  showNews(context);
  // What was refused changed nothing that a move depends on.
  if (!run || !settings || why !== undefined) return why;
  const move = nextMove(run.spec, settings, state, now(), run.rules);
  if (endsCall(move)) run.interrupt?.();
  if (state.review && move.kind === 'wait') beginReview(state, settings, move.reason, now());
  // Whoever let it go on is not told that it waits.
  else leaveReview(state);
  return undefined;
}

function showNews(context: HandlerContext): void {
  context.showNews ??= onceAnActivation(() => context.run?.onChange());
  context.showNews();
}

/** Takes a command that came as a signal. */
function takeSignal(context: HandlerContext, name: CommandName): (payload?: unknown) => void {
  return (payload) => void receive(context, name, payload, 'signal');
}

/** Sets the handlers of the contract's messages. */
export function setHandlers(context: HandlerContext): void {
  const refuse = (name: CommandName, payload: unknown): void => {
    const settings = context.run?.spec.settings;
    const repeated = isRepeated(context.state, payload);
    const why = repeated ? undefined : commandProblem(context.state, name, payload, 'update', settings);
    if (why) throw permanentFailure('CommandRefused', why);
  };
  for (const name of COMMAND_NAMES) {
    const { signal, update } = commandDefinition(name);
    const { description } = COMMANDS[name];
    setHandler(signal, takeSignal(context, name), { description });
    setHandler(
      update,
      (payload?: unknown) => {
        receive(context, name, payload, 'update');
        return progress(context);
      },
      { validator: (payload?: unknown) => refuse(name, payload), description },
    );
  }
  setHandler(progressQuery, () => progress(context), { description: QUERIES.progress });
  setHandler(historyQuery, (argument) => historyPage(context.state, argument ?? {}), { description: QUERIES.history });
}

/** Says on the page what was sent under a name that is no command: who types it by hand sees nothing else. */
function noteUnknownSignal(context: HandlerContext, name: string, payload: unknown): void {
  noteEvent();
  noteUnknown(context.state, { name, payload: payload as Json | undefined, at: timestamp() }, unknownCommand);
  showNews(context);
}

/** All handlers of a run of its own. */
function serveMessages(context: HandlerContext): void {
  const note = (name: string, payload: unknown): void => noteUnknownSignal(context, name, payload);
  const early = Object.fromEntries(COMMAND_NAMES.map((name) => [name, takeSignal(context, name)]));
  takeEarlySignals(early, note, () => {
    setHandlers(context);
    refuseUnknownMessages(unknownCommand, note);
  });
}

/**
 * Checks a spec and finds out what the loop has to know, before anything is paid for.
 *
 * @param before of a run that another one started
 * @throws ApplicationFailure what is wrong with the spec, as the caller sees it
 */
export function prepare(spec: unknown, summary = 'prepare', before?: CheckedBefore): Promise<Preparation> {
  return prepared(checkingActivities(summary, before).prepare({ spec, ...asKnown(before?.known) }));
}

/** What the loop throws when no version was good enough and its spec says `onFailure: raise`. */
function noneGoodEnough(state: LoopState, settings: LoopSettings, { history }: ReflectionResult): ApplicationFailure {
  const { reason, message, unanswered } = state.stopped!;
  const what = unanswered ? 'Nobody answered the review in time' : 'No version was good enough';
  const text = `${what}: ${reason} after ${history.totalIterations} versions.${message ? ` ${message}` : ''}`;
  return permanentFailure('ReflectionFailedError', text, [{ history: failedAttempts(state, settings) }]);
}

/** True when the loop throws instead of handing back what it has. */
function mustRaise({ onFailure }: LoopSettings, { stopped }: LoopState, result: ReflectionResult): boolean {
  if (stopped?.unanswered) return true;
  return onFailure === 'raise' && !result.success && result.convergenceReason !== 'aborted';
}

/**
 * The result of a loop that has stopped.
 *
 * @throws ApplicationFailure `ReflectionFailedError` where the spec asks for that
 */
export function finalResult(spec: ResolvedSpec, state: LoopState): ReflectionResult {
  const { settings } = spec;
  const result = resultOf(state, settings, now(), spec);
  if (mustRaise(settings, state, result)) throw noneGoodEnough(state, settings, result);
  return result;
}

function handOverQuestion(
  spec: ReflectionSpec,
  preparation: Preparation,
  state: LoopState,
  held: (state: LoopState) => number,
): (move: Move) => boolean {
  const limit = payloadLimit(preparation.settings);
  // A wait asks after each signal; it is looked at whole once a task, and after each version.
  const looked: { at?: string; fits?: boolean } = {};
  const fits = (): boolean => {
    const at = `${historyLength().events} ${state.versions.length}`;
    if (looked.at !== at) {
      looked.at = at;
      looked.fits = limit === Infinity || jsonBytes([spec, carriedRun(spec, preparation, state)]) <= limit;
    }
    return looked.fits!;
  };
  return (move) =>
    shouldHandOver(state, move, {
      heldBytes: () => held(state),
      isSuggested: isContinueAsNewSuggested(),
      isBoundToBuild: isBoundToBuild(),
      fits,
    });
}

function carriedRun(spec: ReflectionSpec, preparation: Preparation, state: LoopState): ContinueAsNewState {
  return { state: carriedState(spec, preparation, state), preparation };
}

/**
 * A reflection loop: generates, evaluates and revises until a version is good enough or further attempts are pointless.
 *
 * @param earlier the state that the previous run of the same chain passes on, or what the pipeline or plan that starts
 *   this run found; leave it out when you start the workflow
 */
export async function reflectionLoop(
  spec: ReflectionSpec,
  earlier?: ContinueAsNewState | CheckedBefore,
): Promise<ReflectionResult> {
  const before = isCheckedBefore(earlier) ? earlier : undefined;
  const carried = before ? undefined : (earlier as ContinueAsNewState | undefined);
  // The time of the first task is another one in a replay, where a task without commands followed it.
  const context: HandlerContext = { state: carried?.state ?? initialState(workflowInfo().startTime.getTime()) };
  serveMessages(context);
  const preparation = carried?.preparation ?? (await prepare(spec, undefined, before));
  const { state } = context;
  const { settings } = preparation;
  const held = heldBytes();
  const runList = new RunList(preparation);
  const versionsListed = () => (preparation.runList === 'each_version' ? state.versions.length : 0);
  let shown = carried ? versionsListed() : -1;
  const kept = new KeptDetails();
  const run: LoopRun = {
    spec: resolveSpec(spec, preparation),
    state,
    phase: 'preparing',
    rules: rememberingRules(),
    shouldContinueAsNew: handOverQuestion(spec, preparation, state, held),
    whyFull: fullHistoryCheck(),
    onChange: () => {
      showDetails(run);
      kept.show(run);
      // The run list is told when that is over.
      if (run.phase === 'remembering') return;
      // A run that waits says with what, and one that goes on says so.
      const news = state.stopped ? Infinity : run.phase === 'waiting' ? state.versions.length + 0.5 : versionsListed();
      if (news === shown) return;
      shown = news;
      runList.set(listed(state));
    },
  };
  context.run = run;
  try {
    const end = await runLoop(run);
    if (runList.isAsking) await runList.settled();
    if (!allHandlersFinished()) await condition(allHandlersFinished);
    if (end === 'continue') {
      // What was answered is not to stand there as a wait until the next one.
      if (state.review === undefined) kept.show(run, true);
      const next = carriedRun(spec, preparation, state);
      await untilEndFits([spec, next], inputLimit(settings));
      await makeContinueAsNewFunc<typeof reflectionLoop>(nextRunOptions(state.review !== undefined))(spec, next);
    }
    const result = finalResult(run.spec, state);
    keepDetails(run);
    await untilEndFits(result, inputLimit(settings));
    return result;
  } catch (error) {
    const failure = failureText(error);
    if (failure !== undefined) keepDetails(run, failure);
    throw error;
  }
}

setWorkflowOptions(versioningOptions, reflectionLoop);
