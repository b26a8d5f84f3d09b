import { omitUndefined } from '../../lib/base/defined';
import type { EvaluationTask } from '../state/evaluation-task';
import { evaluationOf, faultsOf, unjudgedEvaluation } from '../evaluation/combine';
import type { ConvergenceReason } from '../base/convergence';
import { type Verdict, resolvedIssues } from '../state/evaluation';
import type { ReflectionEvaluation } from '../contract/evaluation';
import type { EvaluatorPlan, LoopSettings } from '../state/loop-settings';
import type { Origin, ReflectionVersion } from '../contract/results';
import { bestSoFar, type LoopState, type PendingOutput, type StepFailure, versionOf } from '../state/loop-state';
import { keptCalls } from '../evidence/bounded-calls';
import { readOutput } from '../evaluation/output-reading';
import { noteUnused } from '../state/command-log';
import { noteAccepted } from './note-accepted';
import { forgetDecision, leaveReview } from '../state/review-wait';
import { unchangedWarning } from '../versions/attempts';
import { rankingOf } from '../versions/ranking';
import { betterVersion, selectBest, wholeVersions } from '../versions/selection';
import { finalOf } from '../versions/result';
import type { StepOutcome } from '../step-state/step-call';
import { keepReply, takeValue, writtenReply } from '../state/replies';
import { addUsage, NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';
import { dropParkedStep } from '../state/parking';
import { leaveCalls, NOTHING_YET, settleUnfinished } from '../state/unfinished-iteration';

export function recordDraft(
  state: LoopState,
  outcome: StepOutcome,
  origin: Origin,
  made: {
    strategy?: string;
    /** The iteration that it was revised from, where that is not the one before. */
    basedOn?: number;
    /** Number of texts of the guidance that were passed to it. */
    told?: number;
    /** The model that was asked; undefined for the worker's default. */
    model?: string | undefined;
    /** Revisions go on with the whole conversation. */
    isConversation?: boolean;
  } = {},
): void {
  const { commands } = state;
  const before = settleUnfinished(state);
  // Warnings about the work that a person's output replaces are not about that output.
  const { warnings, reflections, ...kept } = origin === 'override' ? NOTHING_YET : before;
  const strategy = outcome.strategy ?? made.strategy;
  state.tokenUsage = addUsage(state.tokenUsage, outcome.tokenUsage);
  const untold = state.guidance?.slice(made.told ?? 0) ?? [];
  if (untold.length > 0) state.guidance = untold;
  else delete state.guidance;
  state.pending = omitUndefined<PendingOutput>({
    output: outcome.output,
    origin,
    strategy,
    askedStrategy: made.strategy === strategy ? undefined : made.strategy,
    basedOn: made.basedOn,
    cutOff: outcome.cutOff,
    faults: outcome.faults,
    isGuided: made.told ? true : undefined,
    conversation: outcome.conversation,
    reply: outcome.reply && writtenReply(outcome.reply, made),
    verdicts: [],
    rounds: 0,
    tokenUsage: addUsage(before.tokenUsage, outcome.tokenUsage),
    warnings: [...warnings, ...outcome.warnings],
    reflections: reflections.length === 0 ? undefined : reflections,
    ...keptCalls(kept),
    // A request to judge again applies to this output, which is the latest now.
    trigger: commands.reflect ? 'manual' : undefined,
  });
  delete commands.reflect;
}

function recordSpending(state: LoopState, outcome: StepOutcome): { tokenUsage: TokenUsage; warnings: string[] } {
  state.tokenUsage = addUsage(state.tokenUsage, outcome.tokenUsage);
  const { tokenUsage, warnings, ...before } = settleUnfinished(state);
  leaveCalls(state, before);
  return { tokenUsage: addUsage(tokenUsage, outcome.tokenUsage), warnings: [...warnings, ...outcome.warnings] };
}

export function recordHint(state: LoopState, outcome: StepOutcome): void {
  state.hint = { text: outcome.output, ...recordSpending(state, outcome) };
}

/** Records that the edits of a revision did not apply. Their cost counts for the version that is made instead. */
export function recordUnappliedEdit(state: LoopState, outcome: StepOutcome, problem: string): void {
  const { tokenUsage, warnings } = recordSpending(state, outcome);
  const warning = `the edits could not be applied (${problem}), so the output was rewritten`;
  const { cutOff } = outcome;
  state.unappliedEdit = omitUndefined({ problem, tokenUsage, warnings: [...warnings, warning], cutOff });
  state.editsFailed = true;
}

function countAnswer(state: LoopState, pending: PendingOutput, verdict: Verdict): Verdict {
  const { reading, tokenUsage, warnings = [], unreadable: _unreadable, judgedAt, ...kept } = verdict;
  // All are ISO 8601 in UTC, which sort as text.
  if (judgedAt !== undefined && judgedAt > (pending.judgedAt ?? '')) pending.judgedAt = judgedAt;
  state.tokenUsage = addUsage(state.tokenUsage, tokenUsage);
  pending.tokenUsage = addUsage(pending.tokenUsage, tokenUsage);
  if (tokenUsage?.modelCalls) pending.evaluationUsage = addUsage(pending.evaluationUsage ?? NO_USAGE, tokenUsage);
  pending.warnings = [...new Set([...pending.warnings, ...warnings])];
  if (reading) takeValue(pending, reading, readOutput(pending.output, reading));
  return kept;
}

export function recordVerdict(state: LoopState, pending: PendingOutput, index: number, verdict: Verdict): void {
  pending.verdicts[index] = countAnswer(state, pending, verdict);
}

export function recordAnswer(
  state: LoopState,
  pending: PendingOutput,
  { index, part, of, folds }: Pick<EvaluationTask, 'index' | 'part' | 'of' | 'folds'>,
  verdict: Verdict,
  fold: (verdicts: Verdict[]) => Verdict,
): void {
  if (!folds) return recordVerdict(state, pending, index, verdict);
  const answers = { ...pending.parts?.[index], [part]: countAnswer(state, pending, verdict) };
  pending.parts = { ...pending.parts, [index]: answers };
  const all = Array.from({ length: of }, (_, each) => answers[each]);
  if (all.every((answer) => answer !== undefined)) pending.verdicts[index] = fold(all);
}

function pickCommonFields(from: PendingOutput | ReflectionVersion) {
  const { output, origin, strategy, askedStrategy, basedOn, tokenUsage, warnings } = from;
  const { evaluationUsage, reflections, qualityThreshold, cutOff } = from;
  const how = { strategy, askedStrategy, basedOn, evaluationUsage, reflections, qualityThreshold, cutOff };
  return { output, origin, tokenUsage, warnings, ...omitUndefined(how), ...keptCalls(from) };
}

function record(
  state: LoopState,
  settings: LoopSettings,
  evaluation: ReflectionEvaluation,
  plans: readonly EvaluatorPlan[],
  at: string,
): void {
  const { pending } = state;
  if (!pending) return;
  const previous = state.versions.at(-1);
  const base = pending.basedOn === undefined ? previous : (versionOf(state, pending.basedOn) ?? previous);
  const judged = evaluation.outcome !== 'inconclusive' && base;
  addVersion(state, settings, {
    iteration: (previous?.iteration ?? 0) + 1,
    ...pickCommonFields(pending),
    warnings: [...pending.warnings, ...unchangedWarning(pending, base)],
    evaluation,
    ...(pending.blocked && { blocked: pending.blocked }),
    improvementsApplied: judged ? resolvedIssues(base.evaluation.issues, evaluation.issues) : [],
    trigger: pending.trigger ?? 'completion',
    timestamp: at,
    ranking: rankingOf(pending, plans),
  });
}

function restore(state: LoopState, settings: LoopSettings, former: ReflectionVersion, warning: string): void {
  const { tokenUsage = former.tokenUsage, evaluationUsage, warnings = [] } = state.pending ?? {};
  // Otherwise the same drop would be judged again and again.
  const trigger = state.pending?.trigger === 'quality_drop' ? 'quality_drop' : former.trigger;
  addVersion(state, settings, {
    ...former,
    trigger,
    tokenUsage,
    ...(evaluationUsage && { evaluationUsage }),
    warnings: [...new Set([...warnings, warning])],
  });
}

function addVersion(state: LoopState, settings: LoopSettings, version: ReflectionVersion): void {
  state.bestIteration = betterVersion(bestSoFar(state), version, settings.bestVersionSelection).iteration;
  state.versions = [...state.versions, version];
  keepReply(state, version.iteration, state.pending);
  delete state.pending;
  forgetDecision(state);
}

/** Keeps an output that will not be judged any more as a version; if it was judged before, with that judgement. */
function setAside(
  state: LoopState,
  settings: LoopSettings,
  why: string,
  plans: readonly EvaluatorPlan[],
  at: string,
): void {
  const former = state.pending?.former;
  if (former) restore(state, settings, former, `It was not judged again: ${why}`);
  else if (state.pending) record(state, settings, unjudgedEvaluation(why), plans, at);
}

/** Makes the next override the output that waits to be judged. */
export function recordOverride(
  state: LoopState,
  settings: LoopSettings,
  at: string,
  plans: readonly EvaluatorPlan[] = [],
): void {
  const [output, ...others] = state.commands.overrides ?? [];
  if (output === undefined) return;
  setAside(state, settings, 'A person gave another version before this one was judged.', plans, at);
  if (others.length > 0) state.commands.overrides = others;
  else delete state.commands.overrides;
  delete state.failure;
  recordDraft(state, { output, warnings: [] }, 'override');
}

/** Makes the latest version, once more, the output that waits to be judged: a user requested it, or its score fell. */
export function reopenLatest(
  state: LoopState,
  settings: LoopSettings,
  trigger: 'manual' | 'quality_drop' = 'manual',
): void {
  const { commands, hint } = state;
  delete commands.reflect;
  const former = state.versions.at(-1);
  if (!former || state.pending) return;
  const reply = state.replies?.[former.iteration];
  delete state.hint;
  dropParkedStep(state);
  delete state.failure;
  if (former.iteration <= state.carriedThrough) state.judgedAgain = former.iteration;
  state.versions = state.versions.slice(0, -1);
  // A version without its output cannot be returned.
  state.bestIteration = selectBest(wholeVersions(state.versions), settings.bestVersionSelection)?.iteration ?? null;
  state.pending = {
    ...pickCommonFields(former),
    verdicts: [],
    rounds: 0,
    tokenUsage: addUsage(former.tokenUsage, hint?.tokenUsage),
    ...faultsOf(former.evaluation),
    trigger,
    former,
    ...(reply && { reply }),
  };
}

export function settleVersion(
  state: LoopState,
  settings: LoopSettings,
  evaluators: readonly EvaluatorPlan[],
  at: string,
): void {
  const { pending } = state;
  if (!pending) return;
  const evaluation = evaluationOf(pending, evaluators);
  const { former } = pending;
  // The earlier judgement is not lost because a judge fails now.
  if (former && evaluation.outcome === 'inconclusive' && former.evaluation.outcome !== 'inconclusive') {
    restore(state, settings, former, `It was judged again without a verdict: ${evaluation.reason ?? 'inconclusive'}`);
  } else record(state, settings, evaluation, evaluators, pending.judgedAt ?? at);
}

/** Ends the loop. An output that was not judged yet is kept as a version that says so. */
export function stop(
  state: LoopState,
  settings: LoopSettings,
  { reason, unanswered }: { reason: ConvergenceReason; unanswered?: true },
  at: string,
  plans: readonly EvaluatorPlan[] = [],
): void {
  const { overrides = [], reflect, ...commands } = state.commands;
  state.commands = commands;
  const why = 'The run ended before this version was judged.';
  setAside(state, settings, why, plans, at);
  for (const output of overrides) {
    recordDraft(state, { output, warnings: [] }, 'override');
    setAside(state, settings, why, plans, at);
  }
  noteUnused(state, 'guide', state.guidance?.length ?? 0, 'the run ended before another revision');
  noteUnused(state, 'reflect', reflect ? 1 : 0, 'the run ended before the version was judged again');
  const failure = reason === 'error' ? state.failure : undefined;
  const accepted = reason === 'review_timeout' ? state.review?.version : undefined;
  leaveReview(state);
  dropParkedStep(state, 'the run ended before the step went on');
  state.stopped = omitUndefined({ reason, message: failure?.message, failure, accepted, unanswered });
  if (reason === 'user_accepted') noteAccepted(state, finalOf(state, settings, reason));
}

/** Records the permanent failure of a step after the draft. A decision that was made before does not make the loop go on. */
export function recordFailure(state: LoopState, failure: StepFailure): void {
  state.failure = failure;
  delete state.commands.decision;
}
