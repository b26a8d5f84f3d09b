import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { Issue } from '../domain/evaluation';
import type { Preparation } from '../domain/loop-settings';
import { currentIteration, type LoopState } from '../domain/loop-state';
import {
  builtInAdviser,
  builtInReviser,
  isModelCall,
  makesVersion,
  type Move,
  nextMove,
  stepOf,
} from '../domain/next-move';
import type { Phase } from '../domain/progress';
import { beginReview, leaveReview } from '../domain/review';
import { planRevision, type RevisionPlan } from '../domain/revision-plan';
import { adviceRequest, revisionRequest } from '../domain/revision-request';
import type { ModelCallStep, ReflectionSpec } from '../domain/spec';
import type { StopRules } from '../domain/stop-rules';
import {
  stop,
  takeBack,
  takeFailure,
  takeHint,
  takeOutput,
  takeOverride,
  takeUnappliedEdit,
} from '../domain/transitions';
import { markOfLoop } from '../domain/turns';
import { callGenerate, callRevise } from './activity-calls';
import { evaluatePending } from './evaluation';
import { completeStep } from './generation';
import { hasHooks, type ReflectionHooks, tellHooks } from './hooks';
import { endForFullHistory } from './history-room';
import { LimitReached } from './limit-reached';
import { keepOfLoop, learnedOfLoop, recallForLoop, wantsToRecall } from './loop-memory';
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
  /** Asked before every move: whether a new run takes over instead. It may, then, and it does. */
  shouldContinueAsNew?(move: Move): boolean;
  /** Asked before each new version: why the history of the run has no room for one; undefined: it has. */
  whyFull?(): string | undefined;
  /** Rules that remember what they found of the same versions; absent: they do not. */
  rules?: StopRules;
  /** Cancels the call in flight; present while there is one. */
  interrupt?(): void;
  /**
   * Calls run in it, one after the other, until somebody ends one. Its parent remembers every scope that it ever had, so one for
   * each call would cost memory and time.
   */
  scope?: CancellationScope;
}

/** The workflow's time. A replay gives it again but for milliseconds: what a call hands back with its result is exact. */
function timestamp(): string {
  return new Date(Date.now()).toISOString();
}

function enter(run: LoopRun, phase: Phase): void {
  run.phase = phase;
  run.onChange();
}

/**
 * Does the work unless a person ends it, and says whether it was done. A cancellation of the whole run is thrown on.
 *
 * @param mayEnd false: not now, whatever the next move is
 */
async function interruptible(
  run: LoopRun,
  work: () => Promise<void>,
  mayEnd: () => boolean = () => true,
): Promise<boolean> {
  const scope = (run.scope ??= new CancellationScope());
  run.interrupt = () => void (mayEnd() && scope.cancel());
  try {
    await scope.run(work);
    return true;
  } catch (error) {
    const byPerson = scope.consideredCancelled && !CancellationScope.current().consideredCancelled;
    if (!byPerson || !isCancellation(error)) throw error;
    return false;
  } finally {
    delete run.interrupt;
    if (scope.consideredCancelled) delete run.scope;
  }
}

async function generate(run: LoopRun, origin: 'draft' | 'regeneration'): Promise<void> {
  enter(run, 'generating');
  const told = origin === 'draft' ? 0 : run.state.guidance?.length;
  const iteration = currentIteration(run.state) + 1;
  const outcome = await completeStep(run, {
    step: run.spec.generator,
    iteration,
    summary: `#${iteration} ${origin}`,
    send: (input, how) => callGenerate(run.preparation.settings, input, how),
  });
  takeOutput(run.state, outcome, origin, { told });
}

function countOf(issues: readonly Issue[]): string {
  return `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`;
}

function issueCount(state: LoopState): string {
  return countOf(state.versions.at(-1)?.evaluation.issues ?? []);
}

/** The built-in revision: on the generator's model, in the way and from the version that the plan names. */
async function reviseByPlan(run: LoopRun, step: ModelCallStep, plan: RevisionPlan): Promise<void> {
  const { state, preparation } = run;
  const { settings } = preparation;
  const iteration = currentIteration(state) + 1;
  const told = state.guidance?.length ?? 0;
  const from = plan.reverted ? ` · from #${plan.base.iteration}` : '';
  const summary = `#${iteration} revise · ${countOf(plan.issues)} · ${plan.strategy}${from}`;
  const outcome = await completeStep(run, {
    step,
    iteration,
    summary,
    send: (input, how) => {
      const limits = [input.maxTokens, settings.revision?.maxRevisionTokens].filter((limit) => limit !== undefined);
      const limit = limits.length === 0 ? {} : { maxTokens: Math.min(...limits) };
      return callRevise(settings, { ...input, ...limit, revision: revisionRequest(state, settings, plan) }, how);
    },
  });
  const { unappliedEdit } = outcome;
  if (unappliedEdit !== undefined) return takeUnappliedEdit(state, outcome, unappliedEdit);
  takeOutput(state, outcome, 'revision', {
    strategy: plan.strategy,
    notesAsked: settings.revising !== undefined,
    told,
    ...(plan.reverted ? { basedOn: plan.base.iteration } : {}),
  });
}

async function revise(run: LoopRun): Promise<void> {
  enter(run, 'revising');
  const { spec, state, preparation } = run;
  const builtIn = builtInReviser(spec);
  const plan = builtIn && planRevision(preparation.settings, state);
  if (plan) return reviseByPlan(run, builtIn, plan);
  const told = state.guidance?.length ?? 0;
  const iteration = currentIteration(state) + 1;
  const summary = `#${iteration} revise · ${issueCount(state)} · full_rewrite`;
  const outcome = await completeStep(run, {
    step: spec.corrector ?? spec.generator,
    iteration,
    summary,
    send: (input, how) => callRevise(preparation.settings, input, how),
  });
  takeOutput(state, outcome, 'revision', { strategy: 'full_rewrite', told });
}

async function hint(run: LoopRun): Promise<void> {
  enter(run, 'revising');
  const { spec, state, preparation } = run;
  const iteration = currentIteration(state) + 1;
  const adviser = builtInAdviser(spec);
  const revision = adviser && adviceRequest(state, preparation.settings);
  const outcome = await completeStep(run, {
    step: adviser ?? spec.corrector!,
    iteration,
    summary: `#${iteration} hint · ${issueCount(state)}`,
    send: (input, how) => callRevise(preparation.settings, revision ? { ...input, revision } : input, how),
  });
  takeHint(state, outcome);
}

/** Waits until the next move is another one: a person said something, or nobody did in time. */
async function waitForPerson(run: LoopRun): Promise<void> {
  const { spec, preparation, state } = run;
  enter(run, 'waiting');
  const isOver = (): boolean => {
    const move = nextMove(spec, preparation.settings, state, Date.now(), run.rules);
    return move.kind !== 'wait' || (run.shouldContinueAsNew?.(move) ?? false);
  };
  await condition(isOver, Math.max(1, (state.review?.until ?? 0) - Date.now()));
}

async function perform(run: LoopRun, move: Exclude<Move, { kind: 'stop' }>): Promise<void> {
  const { state, preparation } = run;
  if (move.kind !== 'wait') leaveReview(state);
  switch (move.kind) {
    case 'draft':
      return generate(run, 'draft');
    case 'regenerate':
      return generate(run, 'regeneration');
    case 'revise':
      return revise(run);
    case 'hint':
      return hint(run);
    case 'evaluate':
      enter(run, 'evaluating');
      return evaluatePending(run, timestamp);
    case 'override':
      return takeOverride(state, preparation.settings, timestamp());
    case 'judge_again':
      return takeBack(state, preparation.settings, move.trigger);
    case 'wait':
      return waitForPerson(run);
  }
}

/** The result stands; whoever aborts the run now does not want to wait for the memory. */
async function keepLearned(run: LoopRun): Promise<void> {
  const { stopped } = run.state;
  const insights = learnedOfLoop(run);
  if (!stopped || insights.length === 0) return;
  stopped.keeping = true;
  enter(run, 'remembering');
  await interruptible(
    run,
    () => keepOfLoop(run, insights),
    () => stopped.keeping === false,
  );
  delete stopped.keeping;
}

function callsModel(run: LoopRun, move: Move): boolean {
  return isModelCall(stepOf(run.spec, move) ?? run.spec.generator);
}

/** Hooks are told of what the loop did, not of what people did. */
function isTold({ kind }: Move): boolean {
  return kind !== 'override' && kind !== 'judge_again' && kind !== 'wait';
}

/**
 * Runs a loop until it stops. It has no handlers of its own, so that workflows of every kind can use it.
 *
 * @throws ApplicationFailure when the draft fails for good; `NoProgress`
 */
export async function runLoop(run: LoopRun): Promise<LoopEnd> {
  const { state, spec, preparation } = run;
  const turn = progressGuard('A loop');
  for (;;) {
    turn(markOfLoop(state));
    const move = nextMove(spec, preparation.settings, state, Date.now(), run.rules);
    if (move.kind === 'stop') {
      stop(state, preparation.settings, move, timestamp());
      await keepLearned(run);
      enter(run, 'done');
      return 'ended';
    }
    if (move.kind === 'wait') beginReview(state, preparation.settings, move.reason, Date.now());
    if (run.shouldContinueAsNew?.(move)) return 'continue';
    const full = makesVersion(move) ? run.whyFull?.() : undefined;
    if (full !== undefined) {
      endForFullHistory(state, full);
      continue;
    }
    if (wantsToRecall(run, move)) {
      await interruptible(run, () => recallForLoop(run));
      continue;
    }
    let done: boolean;
    try {
      done = await interruptible(run, () => perform(run, move));
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
    if (done && isTold(move) && hasHooks(run)) await interruptible(run, () => tellHooks(run));
  }
}
