import type { ResultFlag } from '../contract/results';
import { issueIdentity } from '../state/evaluation';
import type { ReflectionEvaluation } from '../contract/evaluation';
import type { EvaluatorPlan, PartPlan } from '../state/loop-settings';
import type { ReflectionVersion } from '../state/loop-state';

const CEILING = 0.95;
const JUDGED_VERSIONS = 3;
/** An issue without a severity counts as serious where the score is further below the threshold than this. */
const NEARLY = 0.2;

export function asksModel({ local, asksModel: asks }: PartPlan): boolean {
  return !local && asks !== false;
}

export function isModelOnly(plans: readonly EvaluatorPlan[]): boolean {
  return plans.length > 0 && plans.every((plan) => asksModel(plan) && (plan.parts ?? []).every(asksModel));
}

export function isAtCeiling({ outcome, overallScore, issues }: ReflectionEvaluation): boolean {
  return outcome === 'pass' && overallScore !== null && overallScore >= CEILING && issues.length === 0;
}

/** False after a second judge, which the evaluation lists as one more evaluator. */
function isUndercritical(versions: readonly ReflectionVersion[], plans: readonly EvaluatorPlan[]): boolean {
  const draft = versions[0];
  if (draft?.origin !== 'draft' || !isModelOnly(plans) || !isAtCeiling(draft.evaluation)) return false;
  return draft.evaluation.evaluators.length === plans.length;
}

/** Whether only models failed a version: a check that fails is not a matter of taste. */
function failedByModels({ evaluators }: ReflectionEvaluation, plans: readonly EvaluatorPlan[]): boolean {
  const failed = new Set(evaluators.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name));
  const blamed = plans.filter(({ name }) => failed.has(name));
  return failed.size > 0 && blamed.length === failed.size && isModelOnly(blamed);
}

function isNearlyGood({ issues, overallScore }: ReflectionEvaluation, threshold: number): boolean {
  const near = overallScore !== null && overallScore >= threshold - NEARLY;
  return issues.every(({ severity }) => severity === 'minor' || (severity === undefined && near));
}

/** Whether each revision fixes the reported issues, and the judge then reports at least as many new ones. */
function movesTheGoal(versions: readonly ReflectionVersion[]): boolean {
  const said = new Set<string>();
  let before: readonly string[] | undefined;
  for (const { evaluation } of versions) {
    const keys = evaluation.issues.map(issueIdentity);
    if (before) {
      const left = new Set(keys);
      const resolved = before.filter((key) => !left.has(key)).length;
      const fresh = keys.filter((key) => !said.has(key)).length;
      if (resolved === 0 || fresh < resolved) return false;
    }
    for (const key of keys) said.add(key);
    before = keys;
  }
  return true;
}

/** No version passed, although the issues are small, or are different ones each time. */
function isOvercritical(
  versions: readonly ReflectionVersion[],
  best: ReflectionVersion | undefined,
  judges: readonly EvaluatorPlan[],
  threshold: number,
): boolean {
  const judged = versions.filter(({ evaluation }) => evaluation.outcome !== 'inconclusive');
  if (!best || judged.length < JUDGED_VERSIONS || judged.some(({ evaluation }) => evaluation.satisfactory))
    return false;
  if (!failedByModels(best.evaluation, judges)) return false;
  return isNearlyGood(best.evaluation, threshold) || movesTheGoal(judged);
}

/** Flags about the judge of a run. They are for users: no decision depends on them. */
export function flagsOf(
  versions: readonly ReflectionVersion[],
  best: ReflectionVersion | undefined,
  plans: readonly EvaluatorPlan[],
  threshold: number,
  second?: EvaluatorPlan,
): ResultFlag[] {
  const flags: ResultFlag[] = [];
  if (isOvercritical(versions, best, second ? [...plans, second] : plans, threshold)) flags.push('overcritical');
  if (isUndercritical(versions, plans)) flags.push('undercritical');
  return flags;
}
