import { allHandlersFinished, CancellationScope, condition, isCancellation, setHandler } from '@temporalio/workflow';
import { commandProblem, isDue, isRepeated, receiveCommand } from '../../loop/commands/commands';
import { unknownCommand } from '../../loop/commands/unknown-command';
import { beginReview, leaveReview } from '../../loop/state/review-wait';
import type { Json } from '../../lib/json/json';
import { endsCall } from '../../loop/moves/next-move';
import { progressOf, withoutLongArguments } from '../../loop/page/progress';
import type { Progress } from '../../loop/contract/results';
import { COMMAND_NAMES, type CommandName, COMMANDS } from '../../loop/base/command-payloads';
import { noteUnknown } from '../../loop/state/command-log';
import type { LoopState } from '../../loop/state/loop-state';
import { historyPage } from '../../loop/versions/history-page';
import { commandDefinition, historyQuery, progressQuery, QUERIES } from '../messages';
import { withRetry } from '../shared/kept-page';
import { noteEvent, now, timestamp } from '../shared/clock';
import { permanentFailure } from '../shared/step-failure';
import { onceAnActivation } from '../signals/once-an-activation';
import { refuseUnknownMessages, takeEarlySignals } from '../signals/unknown-messages';
import type { LoopRun } from './loop-run';
import { decideMove } from './moves';
import { checkChange } from './reply-calls';

/** The state that message handlers work on: it must exist before the spec is prepared, so that no early message is lost. */
export interface HandlerContext {
  state: LoopState;
  run?: LoopRun;
  /** Shows on the page, later in this activation, what was received. */
  showNews?(): void;
  /** Ends what is prepared; present while it is. */
  endPreparing?(): void;
  /** Why the run fails, once it does: a command that waits for its effect has none then. */
  failure?: unknown;
  /** Number of commands that are being checked: no other run takes over meanwhile. */
  checks?: number;
}

export function progress(context: HandlerContext): Progress {
  const early = context.state.stopped ? 'done' : 'preparing';
  return withRetry(progressOf(context.state, context.run?.spec.settings, context.run?.phase ?? early));
}

function brief(context: HandlerContext): Progress {
  return withoutLongArguments(progress(context));
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
  if (why === undefined && name === 'abort') context.endPreparing?.();
  // What was refused changed nothing that a move depends on.
  if (!run || !settings || why !== undefined) return why;
  const move = decideMove(run);
  if (endsCall(move)) run.interrupt?.();
  if (state.review && move.kind === 'wait') beginReview(state, settings, move.reason, now());
  // The user who let it go on is not informed that it waits.
  else leaveReview(state);
  return undefined;
}

function showNews(context: HandlerContext): void {
  context.showNews ??= onceAnActivation(() => context.run?.onChange());
  context.showNews();
}

function takeSignal(context: HandlerContext, name: CommandName): (payload?: unknown) => void {
  return (payload) => void receive(context, name, payload, 'signal');
}

/** A command that ends the run takes effect as soon as the call in flight is cancelled. */
function answer(context: HandlerContext, name: CommandName): Progress | Promise<Progress> {
  const isOver = (): boolean => context.failure !== undefined || !isDue(context.state, name);
  if (isOver()) return brief(context);
  // Cancelling the run must not take the answer away.
  return CancellationScope.nonCancellable(() => condition(isOver)).then(() => {
    const { failure } = context;
    if (failure === undefined) return brief(context);
    const why = failure instanceof Error ? failure.message : 'for an unknown reason';
    throw permanentFailure('CommandRefused', `the run ended before it took effect: ${why}`);
  });
}

/** Waits until everybody who sent an update has an answer: one that has none when a run ends gets the server's own, which says little. */
export async function waitForHandlers(): Promise<void> {
  if (allHandlersFinished()) return;
  await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
}

/** @param answers when updates are answered that end the loop */
export function setHandlers(context: HandlerContext, answers: 'at_once' | 'after_effect'): void {
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
        const take = (): Progress | Promise<Progress> => {
          receive(context, name, payload, 'update');
          return answers === 'at_once' ? brief(context) : answer(context, name);
        };
        const check = name === 'answer' && context.run ? checkChange(context.run, payload) : undefined;
        if (!check) return take();
        context.checks = (context.checks ?? 0) + 1;
        return check.then((invalid) => {
          context.checks! -= 1;
          if (invalid !== undefined) throw permanentFailure('CommandRefused', invalid);
          // The call may have been decided meanwhile.
          refuse(name, payload);
          return take();
        });
      },
      { validator: (payload?: unknown) => refuse(name, payload), description },
    );
  }
  setHandler(progressQuery, () => progress(context), { description: QUERIES.progress });
  setHandler(historyQuery, (argument) => historyPage(context.state, argument ?? {}), { description: QUERIES.history });
}

function noteUnknownSignal(context: HandlerContext, name: string, payload: unknown): void {
  noteEvent();
  noteUnknown(context.state, { name, payload: payload as Json | undefined, at: timestamp() }, unknownCommand);
  showNews(context);
}

export function serveMessages(context: HandlerContext): void {
  const note = (name: string, payload: unknown): void => noteUnknownSignal(context, name, payload);
  const early = Object.fromEntries(COMMAND_NAMES.map((name) => [name, takeSignal(context, name)]));
  takeEarlySignals(early, note, () => {
    setHandlers(context, 'after_effect');
    refuseUnknownMessages(unknownCommand, note);
  });
}

/** Returns whether a person ended the work in the scope, rather than a cancellation of the whole run. */
export function isEndedByPerson(scope: CancellationScope): boolean {
  return scope.consideredCancelled && !scope.parent?.consideredCancelled;
}

export async function runUnlessAborted<T>(context: HandlerContext, prepare: () => Promise<T>): Promise<T | undefined> {
  if (context.state.commands.abort) return undefined;
  const scope = new CancellationScope();
  context.endPreparing = () => scope.cancel();
  try {
    return await scope.run(prepare);
  } catch (error) {
    if (!isEndedByPerson(scope) || !isCancellation(error)) throw error;
    return undefined;
  } finally {
    delete context.endPreparing;
  }
}
