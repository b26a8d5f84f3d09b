import { boundedEvaluation } from './bounded';
import type { ReflectionEvaluation, Outcome, Verdict } from '../state/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';

/** What the loop says of an evaluator that it weighs. */
export interface EvaluatorWeight {
  weight: number;
  gate: boolean;
}

function combinedOutcome(verdicts: readonly Verdict[]): Outcome {
  if (verdicts.some((verdict) => verdict.outcome === 'fail')) return 'fail';
  if (verdicts.length === 0 || verdicts.some((verdict) => verdict.outcome === 'inconclusive')) return 'inconclusive';
  return 'pass';
}

/**
 * One evaluation out of the verdicts of all evaluators that ran: one `fail` makes `fail`; else one `inconclusive` makes
 * `inconclusive`; the score is the weighted mean of those that judged.
 */
export function combineVerdicts(
  verdicts: readonly Verdict[],
  weightOf: (verdict: Verdict) => number,
): ReflectionEvaluation {
  const outcome = combinedOutcome(verdicts);
  const scored = verdicts.filter(({ score }) => score !== null);
  // Where nobody who judged counts for the score, all do alike: there is a score.
  const areWeighed = scored.some((verdict) => weightOf(verdict) > 0);
  let weights = 0;
  let weighted = 0;
  let sure = 0;
  for (const verdict of scored) {
    if (verdict.score === null) continue;
    const weight = areWeighed ? weightOf(verdict) : 1;
    weights += weight;
    weighted += weight * verdict.score;
    sure += weight * verdict.confidence;
  }
  const reasons = verdicts.flatMap((verdict) => verdict.reason ?? []);
  return {
    outcome,
    satisfactory: outcome === 'pass',
    overallScore: outcome === 'inconclusive' || weights === 0 ? null : weighted / weights,
    criteriaScores: Object.fromEntries(verdicts.flatMap(({ criteriaScores }) => Object.entries(criteriaScores ?? {}))),
    issues: verdicts.flatMap((verdict) => verdict.issues),
    suggestions: [...new Set(verdicts.flatMap((verdict) => verdict.suggestions))],
    confidence: weights === 0 ? 0 : sure / weights,
    ...(reasons.length > 0 ? { reason: reasons.join(' ') } : {}),
    evaluators: verdicts.map((verdict) => ({
      name: verdict.name,
      type: verdict.type,
      outcome: verdict.outcome,
      score: verdict.score,
      ...(verdict.checksPassed === undefined ? {} : { checksPassed: verdict.checksPassed }),
      ms: verdict.ms,
    })),
  };
}

/** The evaluation of an output that nobody judged. */
export function unjudged(reason: string): ReflectionEvaluation {
  return {
    outcome: 'inconclusive',
    satisfactory: false,
    overallScore: null,
    criteriaScores: {},
    issues: [],
    suggestions: [],
    confidence: 0,
    reason,
    evaluators: [],
  };
}

/** The evaluation that the verdicts on an output make, so far. */
export function evaluationOf(pending: PendingOutput, plans: readonly EvaluatorPlan[]): ReflectionEvaluation {
  const weights = new Map(plans.map((plan, index) => [pending.verdicts[index], plan.weight]));
  const verdicts = pending.verdicts
    .slice(0, plans.length)
    .filter((verdict) => verdict !== undefined && verdict !== null);
  return boundedEvaluation(combineVerdicts(verdicts, (verdict) => weights.get(verdict) ?? 1));
}
