import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type CarriedRun, carriedState, ITERATIONS_PER_RUN, iterationsOfRun } from '../domain/carried-state';
import { type CommandName, type CommandPayload, commandProblem, isRepeated, receiveCommand } from '../domain/commands';
import type { Json } from '../domain/json';
import type { LoopSettings, Preparation } from '../domain/loop-settings';
import { initialState, type LoopState } from '../domain/loop-state';
import { nextMove } from '../domain/next-move';
import { type Progress, progressOf } from '../domain/progress';
import { historyPage } from '../domain/history-page';
import { attemptOf, type ReflectionResult, resultOf } from '../domain/result';
import type { ReflectionSpec } from '../domain/spec';
import { callPrepare } from './activity-calls';
import { type LoopRun, runLoop } from './loop';
import { abortSignal, abortUpdate, acceptSignal, acceptUpdate, historyQuery, progressQuery } from './messages';
import { showDetails, showInRunList } from './run-details';
import { prepared } from './step-failure';

/** What handlers work on: they must be there before the spec was prepared, so that no early message is lost. */
export interface Desk {
  state: LoopState;
  run?: LoopRun;
}

/** Where a run stands. */
export function progress(desk: Desk): Progress {
  return progressOf(desk.state, desk.run?.preparation.settings, desk.run?.phase ?? 'preparing');
}

/** Takes a command in, and ends the call in flight when it ends the loop. Returns why it was refused, if it was. */
export function receive(
  desk: Desk,
  name: CommandName,
  payload: CommandPayload | undefined,
  via: 'signal' | 'update',
): string | undefined {
  const at = new Date(Date.now()).toISOString();
  const why = receiveCommand(desk.state, { name, payload: payload as Json | undefined, via, at });
  const { run } = desk;
  if (run) {
    const { kind } = nextMove(run.spec, run.preparation.settings, desk.state, Date.now());
    if (kind === 'stop') run.interrupt?.();
    run.onChange();
  }
  return why;
}

/** Sets the handlers of the contract's messages. */
export function setHandlers(desk: Desk): void {
  const refuse = (name: CommandName, payload: unknown): void => {
    const why = isRepeated(desk.state, payload) ? undefined : commandProblem(desk.state, name, payload, 'update');
    if (why) throw ApplicationFailure.create({ type: 'CommandRefused', message: why, nonRetryable: true });
  };
  const update = (name: CommandName) => (payload?: CommandPayload) => {
    receive(desk, name, payload, 'update');
    return progress(desk);
  };
  setHandler(acceptSignal, (payload) => void receive(desk, 'accept', payload, 'signal'));
  setHandler(abortSignal, (payload) => void receive(desk, 'abort', payload, 'signal'));
  setHandler(acceptUpdate, update('accept'), { validator: (payload?: CommandPayload) => refuse('accept', payload) });
  setHandler(abortUpdate, update('abort'), { validator: (payload?: CommandPayload) => refuse('abort', payload) });
  setHandler(progressQuery, () => progress(desk));
  setHandler(historyQuery, (argument) => historyPage(desk.state, argument?.from));
}

/** The failure of a prepared run's spec, as the caller sees it. */
export async function prepare(spec: unknown): Promise<Preparation> {
  return prepared(callPrepare(spec));
}

/** What the loop throws when no version was good enough and its spec says `onFailure: raise`. */
export function noneGoodEnough(state: LoopState, { history }: ReflectionResult): ApplicationFailure {
  const { reason, message } = state.stopped!;
  return ApplicationFailure.create({
    type: 'ReflectionFailedError',
    message: `No version was good enough: ${reason} after ${history.totalIterations} versions.${message ? ` ${message}` : ''}`,
    nonRetryable: true,
    details: [{ history: history.versions.map(attemptOf) }],
  });
}

/** True when the loop throws instead of handing back what it has. */
export function mustRaise({ onFailure }: LoopSettings, result: ReflectionResult): boolean {
  return onFailure === 'raise' && !result.success && result.convergenceReason !== 'aborted';
}

/** The server suggests a new run when a history grows long; we also keep runs short enough to read. */
function shouldContinueAsNew(state: LoopState): boolean {
  return workflowInfo().continueAsNewSuggested || iterationsOfRun(state) >= ITERATIONS_PER_RUN;
}

/**
 * A reflection loop: generate, evaluate, revise until good enough or until going on is pointless.
 *
 * @param carried what the run before this one of the same chain hands over; starters leave it out
 */
export async function reflectionLoop(spec: ReflectionSpec, carried?: CarriedRun): Promise<ReflectionResult> {
  const desk: Desk = { state: carried?.state ?? initialState(Date.now()) };
  setHandlers(desk);
  const preparation = carried?.preparation ?? (await prepare(spec));
  const { state } = desk;
  const { settings } = preparation;
  let shown = carried ? state.versions.length : -1;
  const run: LoopRun = {
    spec,
    preparation,
    state,
    phase: 'preparing',
    shouldContinueAsNew: () => shouldContinueAsNew(state),
    onChange: () => {
      showDetails(spec, state, settings, run.phase);
      const news = state.stopped ? Infinity : state.versions.length;
      if (!preparation.searchAttributes || news === shown) return;
      shown = news;
      showInRunList(state);
    },
  };
  desk.run = run;
  const end = await runLoop(run);
  await condition(allHandlersFinished);
  if (end === 'continue') {
    await continueAsNew<typeof reflectionLoop>(spec, { state: carriedState(spec, preparation, state), preparation });
  }
  const result = resultOf(state, settings, Date.now());
  if (mustRaise(settings, result)) throw noneGoodEnough(state, result);
  return result;
}
