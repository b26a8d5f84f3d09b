import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Preparation } from '../domain/loop-settings';
import { currentIteration, type LoopState } from '../domain/loop-state';
import { isModelCall, makesVersion, type Move, nextMove, stepOf } from '../domain/next-move';
import type { Phase } from '../domain/progress';
import { beginReview } from '../domain/review';
import type { ReflectionSpec } from '../domain/spec';
import type { StopRules } from '../domain/stop-rules';
import { stop, takeFailure } from '../domain/transitions';
import { markOfLoop } from '../domain/turns';
import type { UnreadReply } from '../domain/unread-replies';
import { now, timestamp } from './clock';
import { hasHooks, type ReflectionHooks, tellHooks } from './hooks';
import { endForFullHistory } from './history-room';
import { LimitReached } from './limit-reached';
import { keepOfLoop, learnedOfLoop, recallForLoop, wantsToRecall } from './loop-memory';
import { enter, perform } from './moves';
import { progressGuard } from './progress-guard';
import { failedDraft, stepFailureOf } from './step-failure';
import { TimeIsUp } from './time-is-up';

/** How a loop left off: it ended, or a new run should take it over. */
export type LoopEnd = 'ended' | 'continue';

/** A loop in progress. Its handlers, if it has any, change `state.commands` and call `interrupt`. */
export interface LoopRun {
  spec: ReflectionSpec;
  preparation: Preparation;
  state: LoopState;
  phase: Phase;
  /** Functions of the workflow that runs the loop, beside the actions that the spec names. */
  hooks?: ReflectionHooks;
  /** What the summaries of evaluations begin with instead of the iteration, in a run that is no loop; may be empty. */
  label?: string;
  /** What all summaries begin with, where several loops may share a timeline. */
  title?: string;
  /** Called after every change that a page would show. */
  onChange(): void;
  /** Told of replies of judges that could not be read as they were. */
  onUnread?(reply: UnreadReply): void;
  /** Asked before every move: whether a new run takes over instead. It may, then, and it does. */
  shouldContinueAsNew?(move: Move): boolean;
  /** Asked before each new version: why the history of the run has no room for one; undefined: it has. */
  whyFull?(): string | undefined;
  /** Rules that remember what they found of the same versions; absent: they do not. */
  rules?: StopRules;
  /** Cancels the call in flight; present while there is one. */
  interrupt?(): void;
}

/** True where a person ended what ran in the scope, and not somebody the whole run. */
function isEndedByPerson(scope: CancellationScope): boolean {
  return scope.consideredCancelled && !scope.parent?.consideredCancelled;
}

/** The result stands; whoever aborts the run now does not want to wait for the memory. */
async function keepLearned(run: LoopRun, insights: ReturnType<typeof learnedOfLoop>): Promise<void> {
  const stopped = run.state.stopped!;
  stopped.keeping = true;
  enter(run, 'remembering');
  const scope = new CancellationScope();
  run.interrupt = () => void (stopped.keeping === false && scope.cancel());
  try {
    await scope.run(() => keepOfLoop(run, insights));
  } catch (error) {
    if (!isEndedByPerson(scope) || !isCancellation(error)) throw error;
  }
  delete stopped.keeping;
}

function callsModel(run: LoopRun, move: Move): boolean {
  return isModelCall(stepOf(run.spec, move) ?? run.spec.generator);
}

/** Hooks are told of what the loop did, not of what people did. */
function isTold({ kind }: Move): boolean {
  return kind !== 'override' && kind !== 'judge_again' && kind !== 'wait';
}

/** What outlives the scope of a loop, which ends with each call that a person ends. */
interface Turns {
  turn: ReturnType<typeof progressGuard>;
  /** Hooks are to be told of the last move. */
  untold: boolean;
}

/** Runs a loop in a scope, until the loop or the scope ends. */
async function takeTurns(run: LoopRun, scope: CancellationScope, turns: Turns): Promise<LoopEnd | 'interrupted'> {
  const { state, spec, preparation } = run;
  for (;;) {
    if (isEndedByPerson(scope)) return 'interrupted';
    if (turns.untold) {
      turns.untold = false;
      await tellHooks(run);
      continue;
    }
    turns.turn(markOfLoop(state));
    const move = nextMove(spec, preparation.settings, state, now(), run.rules);
    if (move.kind === 'stop') {
      stop(state, preparation.settings, move, timestamp());
      const insights = learnedOfLoop(run);
      if (insights.length > 0) await keepLearned(run, insights);
      enter(run, 'done');
      return 'ended';
    }
    if (move.kind === 'wait') beginReview(state, preparation.settings, move.reason, now());
    if (run.shouldContinueAsNew?.(move)) return 'continue';
    const full = makesVersion(move) ? run.whyFull?.() : undefined;
    if (full !== undefined) {
      endForFullHistory(state, full);
      continue;
    }
    if (wantsToRecall(run, move)) {
      await recallForLoop(run);
      continue;
    }
    try {
      const work = perform(run, move);
      if (work) await work;
    } catch (error) {
      // The next move is to stop, or to wait for somebody who allows more.
      if (error instanceof LimitReached) continue;
      if (error instanceof TimeIsUp) {
        state.timeIsUp = true;
        continue;
      }
      const failure = stepFailureOf(error, callsModel(run, move));
      const step = move.kind === 'revise' || move.kind === 'hint' ? 'corrector' : 'generator';
      const iteration = currentIteration(state) + 1;
      if (state.versions.length === 0) throw failedDraft(failure, step, iteration);
      takeFailure(state, {
        type: failure.type,
        message: `The ${step} failed in iteration ${iteration}: ${failure.message}`,
      });
      continue;
    }
    turns.untold = isTold(move) && hasHooks(run);
  }
}

/**
 * Runs a loop until it stops. It has no handlers of its own, so that workflows of every kind can use it.
 *
 * @throws ApplicationFailure when the draft fails for good; `NoProgress`
 */
export async function runLoop(run: LoopRun): Promise<LoopEnd> {
  const turns: Turns = { turn: progressGuard('A loop'), untold: false };
  for (;;) {
    // One for all calls until somebody ends one: a scope for each would cost memory and time.
    const scope = new CancellationScope();
    run.interrupt = () => scope.cancel();
    try {
      const end = await scope.run(() => takeTurns(run, scope, turns));
      if (end !== 'interrupted') return end;
    } catch (error) {
      if (!isEndedByPerson(scope) || !isCancellation(error)) throw error;
    } finally {
      delete run.interrupt;
    }
  }
}
