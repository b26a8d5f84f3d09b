import { condition } from '@temporalio/workflow';
import type { Issue } from '../../loop/contract/evaluation';
import { guidedVersion, type LoopState } from '../../loop/state/loop-state';
import { type Move, nextMove } from '../../loop/moves/next-move';
import type { Phase } from '../../loop/contract/results';
import { reviewedVersion } from '../../loop/commands/available';
import { leaveReview } from '../../loop/state/review-wait';
import { callKey, isRepeatable, wasAnswered } from '../../loop/revision/repeated-call';
import { noteContinued } from '../../loop/state/conversations';
import { noteAnswered, noteRepetition } from '../../loop/state/notes';
import { stateForStep } from '../../loop/step-state/project';
import type { StepOutcome } from '../../loop/step-state/step-call';
import { continueConversation, withFormWarning } from '../../loop/revision/conversation';
import { adviceRequest, planRevision, type RevisionPlan, revisionRequest } from '../../loop/revision/revision-plan';
import { schemaFor } from '../../loop/spec/reply-schema';
import type { ModelCallStep, Step } from '../../loop/contract/steps';
import {
  recordDraft,
  recordHint,
  recordOverride,
  recordUnappliedEdit,
  reopenLatest,
} from '../../loop/moves/transitions';
import { noteEvent, now, timestamp } from '../shared/clock';
import { evaluatePending } from './evaluation';
import { completeStep, type StepWork } from './generation';
import { builtInAdviser, builtInReviser, isModelCall } from '../../loop/spec/steps';
import type { LoopRun } from './loop-run';
import { countWaits, notifyOfWait } from './waits';
import { renderCount } from '../../lib/text/counted';

type PersonalMove = 'wait' | 'await_answer';

export function enter(run: LoopRun, phase: Phase): void {
  run.phase = phase;
  run.onChange();
}

/** Not where the reply is known: the loop ends then, if its spec lets it give up and no user asked it to go on. */
function runUnlessAnswered(
  run: LoopRun,
  work: StepWork,
  take: (outcome: StepOutcome) => void,
): Promise<void> | undefined {
  const { spec, state } = run;
  const { step, revision } = work;
  const last = state.versions.at(-1)?.iteration ?? 0;
  const readState = () => stateForStep(spec, state, step, spec.actionNeeds, last + 1);
  const key = isRepeatable(step)
    ? callKey({ step, task: spec.task, state: readState(), revision: revision?.() })
    : undefined;
  if (spec.settings.convergence && wasAnswered(state, key) && state.repeatsAfter !== last) {
    noteRepetition(state, last);
    return undefined;
  }
  return completeStep(run, work).then((outcome) => {
    noteAnswered(state, key);
    take(outcome);
  });
}

function modelOf({ spec }: LoopRun, step: Step): string | undefined {
  return (isModelCall(step) ? step.model : undefined) ?? spec.model;
}

function generate(run: LoopRun, origin: 'draft' | 'regeneration'): Promise<void> | undefined {
  enter(run, 'generating');
  const told = origin === 'draft' ? 0 : run.state.guidance?.length;
  const { generator: step } = run.spec;
  const outputSchema = schemaFor(step, run.spec.outputSchema);
  const work = { activity: 'generate', step, summary: origin, outputSchema } as const;
  const guided = guidedVersion(run.state);
  return runUnlessAnswered(run, work, (outcome) => {
    const isConversation = isModelCall(step) && step.context === 'conversation';
    recordDraft(run.state, outcome, origin, { told, model: modelOf(run, step), isConversation });
    noteContinued(run.state, guided);
  });
}

function countOf(issues: readonly Issue[]): string {
  return renderCount(issues.length, 'issue');
}

function issueCount(state: LoopState): string {
  return countOf(state.versions.at(-1)?.evaluation.issues ?? []);
}

function reviseByPlan(run: LoopRun, step: ModelCallStep, plan: RevisionPlan): Promise<void> | undefined {
  const { state, spec } = run;
  const { strategy, reverted, base, issues } = plan;
  const told = state.guidance?.length ?? 0;
  const from = reverted ? ` · from #${base.iteration}` : '';
  const work: StepWork = {
    activity: 'revise',
    step,
    summary: `revise · ${countOf(issues)} · ${strategy}${from}`,
    revision: () => revisionRequest(state, spec.settings, plan, modelOf(run, step), spec.allEvaluators),
    maxTokens: spec.settings.revision.maxRevisionTokens,
    outputSchema: schemaFor(step, spec.outputSchema, strategy),
  };
  return runUnlessAnswered(run, work, (outcome) => {
    const { unappliedEdit } = outcome;
    if (unappliedEdit !== undefined) return recordUnappliedEdit(state, outcome, unappliedEdit);
    const model = modelOf(run, step);
    const isConversation = step.context === 'conversation';
    recordDraft(state, continueConversation(state, outcome, base), 'revision', {
      isConversation,
      strategy,
      told,
      model,
      ...(reverted ? { basedOn: base.iteration } : {}),
    });
  });
}

function revise(run: LoopRun): Promise<void> | undefined {
  enter(run, 'revising');
  const { spec, state } = run;
  const builtIn = builtInReviser(spec);
  const plan = builtIn && planRevision(spec.settings, state);
  if (plan) return reviseByPlan(run, builtIn, plan);
  const told = state.guidance?.length ?? 0;
  const step = spec.corrector ?? spec.generator;
  const guided = guidedVersion(state);
  const isOlder = guided !== undefined && guided !== state.versions.at(-1);
  const before = (guided ?? state.versions.at(-1))?.output;
  const made = { strategy: 'full_rewrite', told, ...(isOlder && { basedOn: guided.iteration }) };
  const work: StepWork = {
    activity: 'revise',
    step,
    summary: `revise · ${issueCount(state)} · full_rewrite`,
    outputSchema: schemaFor(step, spec.outputSchema),
  };
  return runUnlessAnswered(run, work, (outcome) =>
    recordDraft(state, withFormWarning(outcome, before), 'revision', made),
  );
}

function askForHint(run: LoopRun): Promise<void> | undefined {
  enter(run, 'revising');
  const { spec, state } = run;
  const adviser = builtInAdviser(spec);
  const revision = adviser && adviceRequest(state, spec.settings);
  const work: StepWork = {
    activity: 'revise',
    step: adviser ?? spec.corrector!,
    summary: `hint · ${issueCount(state)}`,
    revision: () => revision,
  };
  return runUnlessAnswered(run, work, (outcome) => recordHint(state, outcome));
}

export function decideMove({ spec, state, stopRules }: LoopRun): Move {
  return nextMove({ spec, settings: spec.settings, state, now: now(), stopRules });
}

/** Returns the end of a wait in epoch milliseconds, and its summary for the timeline. */
function describeTimer({ review, parked }: LoopState, kind: PersonalMove): { until: number; summary: string } {
  if (kind === 'wait') {
    return { until: review?.until ?? 0, summary: `review of version ${review ? reviewedVersion(review) : 0}` };
  }
  const ids = parked?.waits.map(({ id }) => id).join(', ') ?? '';
  return { until: parked?.until ?? 0, summary: `answer to ${ids}` };
}

async function waitForPerson(run: LoopRun, kind: PersonalMove): Promise<void> {
  const { state } = run;
  enter(run, 'waiting');
  const isOver = (): boolean => {
    const move = decideMove(run);
    return move.kind !== kind || (run.shouldContinueAsNew?.(move) ?? false);
  };
  const { until, summary } = describeTimer(state, kind);
  const asked = kind === 'await_answer' ? state.parked?.waits : undefined;
  const stopNotifying = notifyOfWait(run);
  try {
    const isAnswered = await condition(isOver, Math.max(1, until - Date.now()), { summary });
    // The time is up.
    if (!isAnswered) noteEvent(until);
    // A wait that the next run of the chain goes on with has not ended.
    if (!isAnswered || decideMove(run).kind !== kind) countWaits(asked, isAnswered);
  } finally {
    stopNotifying();
  }
}

export function perform(run: LoopRun, move: Exclude<Move, { kind: 'stop' }>): Promise<void> | undefined {
  const { state, spec } = run;
  if (move.kind !== 'wait') leaveReview(state);
  switch (move.kind) {
    case 'draft':
      return generate(run, 'draft');
    case 'regenerate':
      return generate(run, 'regeneration');
    case 'revise':
      return revise(run);
    case 'hint':
      return askForHint(run);
    case 'evaluate':
      enter(run, 'evaluating');
      return evaluatePending(run);
    case 'override':
      recordOverride(state, spec.settings, timestamp(), spec.allEvaluators);
      return undefined;
    case 'judge_again':
      reopenLatest(state, spec.settings, move.trigger);
      return undefined;
    case 'wait':
    case 'await_answer':
      return waitForPerson(run, move.kind);
    default:
      return move satisfies never;
  }
}
