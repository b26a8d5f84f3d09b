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
import { stepFailureOf } from './step-failure';

/** What handlers work on: they must be there before the spec was prepared, so that no early message is lost. */
interface Desk {
  state: LoopState;
  run?: LoopRun;
}

function progress(desk: Desk): Progress {
  return progressOf(desk.state, desk.run?.preparation.settings, desk.run?.phase ?? 'preparing');
}

function receive(desk: Desk, name: CommandName, payload: CommandPayload | undefined, via: 'signal' | 'update'): void {
  const at = new Date(Date.now()).toISOString();
  receiveCommand(desk.state, { name, payload: payload as Json | undefined, via, at });
  const { run } = desk;
  if (run) {
    const { kind } = nextMove(run.spec, run.preparation.settings, desk.state);
    if (kind === 'stop') run.interrupt?.();
    run.onChange();
  }
}

function setHandlers(desk: Desk): void {
  const refuse = (name: CommandName, payload: unknown): void => {
    const why = isRepeated(desk.state, payload) ? undefined : commandProblem(desk.state, name, payload, 'update');
    if (why) throw ApplicationFailure.create({ type: 'CommandRefused', message: why, nonRetryable: true });
  };
  const update = (name: CommandName) => (payload?: CommandPayload) => {
    receive(desk, name, payload, 'update');
    return progress(desk);
  };
  setHandler(acceptSignal, (payload) => receive(desk, 'accept', payload, 'signal'));
  setHandler(abortSignal, (payload) => receive(desk, 'abort', payload, 'signal'));
  setHandler(acceptUpdate, update('accept'), { validator: (payload?: CommandPayload) => refuse('accept', payload) });
  setHandler(abortUpdate, update('abort'), { validator: (payload?: CommandPayload) => refuse('abort', payload) });
  setHandler(progressQuery, () => progress(desk));
  setHandler(historyQuery, (argument) => historyPage(desk.state, argument?.from));
}

/** The failure of a prepared run's spec, as the caller sees it. */
async function prepare(spec: unknown) {
  try {
    return await callPrepare(spec);
  } catch (error) {
    const { type, message, details } = stepFailureOf(error, false);
    throw ApplicationFailure.create({ type, message, details, nonRetryable: true });
  }
}

function failed(state: LoopState, { history }: ReflectionResult): ApplicationFailure {
  const { reason, message } = state.stopped!;
  return ApplicationFailure.create({
    type: 'ReflectionFailedError',
    message: `No version was good enough: ${reason} after ${history.totalIterations} versions.${message ? ` ${message}` : ''}`,
    nonRetryable: true,
    details: [{ history: history.versions.map(attemptOf) }],
  });
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
  if (settings.onFailure === 'raise' && !result.success && result.convergenceReason !== 'aborted')
    throw failed(state, result);
  return result;
}
