import type { Ranking } from '../contract/results';
import { asksModel } from '../evaluation/flags';
import { OF_REPLY } from '../evaluation/combine';
import { mean } from '../evaluation/scores';
import type { Verdict } from '../state/evaluation';
import type { Issue, Severity } from '../contract/evaluation';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { PendingOutput, ReflectionVersion } from '../state/loop-state';

export const SEVERITY_WEIGHTS: Record<Severity, number> = { minor: 1, major: 2, critical: 3 };

function weightOf(issues: readonly Issue[]): number {
  return issues.reduce((sum, { severity = 'minor' }) => sum + SEVERITY_WEIGHTS[severity], 0);
}

function isCheck(plan: EvaluatorPlan): boolean {
  return !(plan.parts ?? [plan]).some(asksModel);
}

export function rankingOf(
  { verdicts, faults }: Pick<PendingOutput, 'verdicts' | 'faults'>,
  plans: readonly EvaluatorPlan[],
): Ranking {
  const judged = plans.map((plan, index) => ({ plan, verdict: verdicts[index] as Verdict | null | undefined }));
  const failed = judged.filter(({ verdict }) => verdict?.outcome === 'fail');
  const namesOf = (those: typeof judged): string[] => those.map(({ plan }) => plan.name);
  const checks = judged.filter(({ plan }) => isCheck(plan));
  const found = verdicts.slice(0, plans.length).filter((verdict) => verdict !== undefined && verdict !== null);
  return {
    // A reply that is not in the requested form failed before any evaluator was asked.
    failedGates: [...(faults ? [OF_REPLY] : []), ...namesOf(failed.filter(({ plan }) => plan.gate))],
    failedChecks: namesOf(failed.filter(({ plan }) => isCheck(plan))),
    unjudgedChecks: checks.filter(({ verdict }) => !verdict || verdict.outcome === 'inconclusive').length,
    checksPassed: mean(found.flatMap((verdict) => verdict.checksPassed ?? [])),
    issueWeight: weightOf(found.flatMap(({ issues }) => issues)),
  };
}

export function rankOf({ ranking, evaluation }: ReflectionVersion): Ranking {
  if (ranking) return ranking;
  return {
    failedGates: [],
    failedChecks: [],
    unjudgedChecks: 0,
    checksPassed: mean(evaluation.evaluators.flatMap((evaluator) => evaluator.checksPassed ?? [])),
    issueWeight: weightOf(evaluation.issues),
  };
}

/** Whether a version failed a gate. Unless a person accepts it, such a version is not returned while there is another. */
export function failsGate(version: ReflectionVersion): boolean {
  return rankOf(version).failedGates.length > 0;
}

export function failedChecks(version: ReflectionVersion): string[] {
  const { failedGates, failedChecks: failed } = rankOf(version);
  return [...new Set([...failedGates, ...failed])];
}
