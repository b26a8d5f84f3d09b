import { CancellationScope, isCancellation, metricMeter } from '@temporalio/workflow';
import { currentIteration, type LoopState } from '../../loop/state/loop-state';
import { hasSucceeded } from '../../loop/state/success';
import { makesVersion, type Move, stepOf } from '../../loop/moves/next-move';
import { beginReview } from '../../loop/state/review-wait';
import { stop, recordFailure } from '../../loop/moves/transitions';
import { recordUsage } from '../../loop/state/unfinished-iteration';
import { markOfLoop } from '../../loop/moves/loop-mark';
import { isModelCall } from '../../loop/spec/steps';
import { now, timestamp } from '../shared/clock';
import { hasHooks, tellHooks } from './hooks';
import { endForFullHistory } from '../shared/full-history';
import type { LoopRun } from './loop-run';
import { keepInsights, insightsOfLoop, recallForLoop, wantsToRecall } from './loop-memory';
import { decideMove, enter, perform } from './moves';
import { isEndedByPerson } from './loop-messages';
import { progressGuard } from '../shared/progress-guard';
import { failedDraftFailure, usageOfFailure, stepFailureOf } from '../shared/step-failure';
import { BudgetExceeded, RunTimeExceeded, StepParked } from '../shared/limits-exceeded';
import { beginKeeping, endKeeping, noteTimeIsUp } from '../../loop/state/notes';

/** How a loop left off: it ended, or a new run should take it over. */
export type LoopEnd = 'ended' | 'continue';

/** A user who aborts the run does not want to wait for the memory. */
async function keepLearned(run: LoopRun, insights: ReturnType<typeof insightsOfLoop>): Promise<void> {
  const { state } = run;
  beginKeeping(state);
  enter(run, 'remembering');
  const scope = new CancellationScope();
  run.interrupt = () => void (state.stopped?.keeping === false && scope.cancel());
  try {
    await scope.run(() => keepInsights(run, insights));
  } catch (error) {
    if (!isEndedByPerson(scope) || !isCancellation(error)) throw error;
  }
  endKeeping(state);
}

/** Returns whether hooks are informed of a move: they hear of what the loop did, not of what users did. */
function isTold({ kind }: Move): boolean {
  return kind !== 'override' && kind !== 'judge_again' && kind !== 'wait' && kind !== 'await_answer';
}

/** State that is kept across cancellation scopes: each call that a command interrupts ends one. */
interface Turns {
  turn: ReturnType<typeof progressGuard>;
  untold: boolean;
}

async function takeTurns(run: LoopRun, scope: CancellationScope, turns: Turns): Promise<LoopEnd | 'interrupted'> {
  const { state, spec } = run;
  for (;;) {
    if (isEndedByPerson(scope)) return 'interrupted';
    if (turns.untold) {
      turns.untold = false;
      await tellHooks(run);
      continue;
    }
    turns.turn(markOfLoop(state));
    const move = decideMove(run);
    if (move.kind === 'stop') {
      stop(state, spec.settings, move, timestamp(), spec.allEvaluators);
      const insights = insightsOfLoop(run);
      if (insights.length > 0) await keepLearned(run, insights);
      enter(run, 'done');
      countLoop(state);
      return 'ended';
    }
    if (move.kind === 'wait') beginReview(state, spec.settings, move.reason, now());
    if (run.shouldContinueAsNew?.(move)) return 'continue';
    // A step that waited for a person goes on with a version that has had its room.
    const goesOn = state.parked !== undefined;
    const full = makesVersion(move) && !goesOn ? run.whyFull?.() : undefined;
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
      // The next move is to stop, or to wait for a user who allows more, or who answers the step.
      if (error instanceof BudgetExceeded || error instanceof StepParked) continue;
      if (error instanceof RunTimeExceeded) {
        noteTimeIsUp(state);
        continue;
      }
      const failure = stepFailureOf(error, isModelCall(stepOf(run.spec, move) ?? run.spec.generator));
      const tokenUsage = usageOfFailure(error);
      if (tokenUsage) recordUsage(state, { tokenUsage, warnings: [] });
      const step = move.kind === 'revise' || move.kind === 'hint' ? 'corrector' : 'generator';
      const iteration = currentIteration(state) + 1;
      if (state.versions.length === 0) throw failedDraftFailure(failure, step, iteration);
      recordFailure(state, {
        type: failure.type,
        message: `The ${step} failed in iteration ${iteration}: ${failure.message}`,
      });
      continue;
    }
    turns.untold = isTold(move) && hasHooks(run);
  }
}

/** Counts a loop that ended, once: a replay counts nothing. Labels have few values. */
function countLoop(state: LoopState): void {
  const reason = state.stopped?.reason ?? 'none';
  const labels = { reason, success: String(hasSucceeded(state)) };
  metricMeter.createCounter('reflect_loops_total', undefined, 'Loops that ended, by the reason.').add(1, labels);
  metricMeter
    .createHistogram('reflect_loop_versions', 'int', undefined, 'Versions of loops that ended.')
    .record(state.versions.at(-1)?.iteration ?? 0, labels);
}

/** @throws ApplicationFailure when the draft fails permanently; `NoProgress` */
export async function runLoop(run: LoopRun): Promise<LoopEnd> {
  const turns: Turns = { turn: progressGuard('A loop'), untold: false };
  for (;;) {
    // One scope for all calls until a user ends one: a scope for each would cost memory and time.
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
