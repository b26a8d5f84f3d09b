import { omitUndefined } from '../../lib/base/defined';
import { weightedMean } from './scores';
import { boundedEvaluation } from './bounded';
import { separateIssues } from './issue-identity';
import type { Verdict } from '../state/evaluation';
import type { ReflectionEvaluation, Outcome } from '../contract/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput } from '../state/loop-state';
import type { KeptCalls } from '../contract/calls';
import { boundCalls, EVALUATION_CALLS_BYTES, joinCalls, keptCalls } from '../evidence/bounded-calls';

function combinedOutcome(verdicts: readonly Verdict[]): Outcome {
  if (verdicts.some((verdict) => verdict.outcome === 'fail')) return 'fail';
  if (verdicts.length === 0 || verdicts.some((verdict) => verdict.outcome === 'inconclusive')) return 'inconclusive';
  return 'pass';
}

/** One `fail` makes `fail`; otherwise one `inconclusive` makes `inconclusive`. */
export function combineVerdicts(
  verdicts: readonly Verdict[],
  weightOf: (verdict: Verdict) => number,
): ReflectionEvaluation {
  const outcome = combinedOutcome(verdicts);
  const scored = verdicts.filter(({ score }) => score !== null);
  const reasons = verdicts.flatMap((verdict) => verdict.reason ?? []);
  const proofs = verdicts.flatMap((verdict) => verdict.proofs ?? []);
  return {
    outcome,
    satisfactory: outcome === 'pass',
    overallScore:
      outcome === 'inconclusive' || scored.length === 0
        ? null
        : weightedMean(scored, weightOf, ({ score }) => score ?? 0),
    criteriaScores: Object.fromEntries(verdicts.flatMap(({ criteriaScores }) => Object.entries(criteriaScores ?? {}))),
    issues: separateIssues(verdicts.flatMap((verdict) => verdict.issues)),
    suggestions: [...new Set(verdicts.flatMap((verdict) => verdict.suggestions))],
    confidence: weightedMean(scored, weightOf, ({ confidence }) => confidence),
    ...(reasons.length > 0 ? { reason: reasons.join(' ') } : {}),
    evaluators: verdicts.map(({ name, type, outcome: said, score, checksPassed, coverage, ms }) =>
      omitUndefined({ name, type, outcome: said, score, checksPassed, coverage, ms }),
    ),
    ...(proofs.length > 0 && { proofs }),
  };
}

export function unjudgedEvaluation(reason: string): ReflectionEvaluation {
  return { ...combineVerdicts([], () => 1), reason };
}

/** The evaluator and the type of issues about a reply that is not in the requested form. */
export const OF_REPLY = 'reply';

function evaluationOfFaults(faults: readonly string[]): ReflectionEvaluation {
  const severity = 'critical' as const;
  const issues = faults.map((message) => ({ message, severity, type: OF_REPLY, evaluator: OF_REPLY }));
  return { ...unjudgedEvaluation(faults.join(' ')), outcome: 'fail', overallScore: 0, confidence: 1, issues };
}

/** The reasons of which the evaluation of an unusable reply consists, for an output that is judged again. */
export function faultsOf({ evaluators, issues }: ReflectionEvaluation): Pick<PendingOutput, 'faults'> {
  const faults = issues.filter(({ type, evaluator }) => type === OF_REPLY && evaluator === OF_REPLY);
  const isFaulty = evaluators.length === 0 && faults.length > 0;
  return isFaulty ? { faults: faults.map(({ message }) => message) } : {};
}

function callsOfJudges({ judgeCalls = {} }: PendingOutput): KeptCalls {
  const ordered = Object.keys(judgeCalls).toSorted();
  const all = ordered.reduce<KeptCalls>((joined, key) => joinCalls(joined, judgeCalls[key]!), {});
  return keptCalls(boundCalls(all, EVALUATION_CALLS_BYTES));
}

export function evaluationOf(pending: PendingOutput, plans: readonly EvaluatorPlan[]): ReflectionEvaluation {
  if (pending.faults) return boundedEvaluation(evaluationOfFaults(pending.faults));
  const weights = new Map(plans.map((plan, index) => [pending.verdicts[index], plan.weight]));
  const verdicts = pending.verdicts
    .slice(0, plans.length)
    .filter((verdict) => verdict !== undefined && verdict !== null);
  const evaluation = boundedEvaluation(combineVerdicts(verdicts, (verdict) => weights.get(verdict) ?? 1));
  return { ...evaluation, ...callsOfJudges(pending) };
}
