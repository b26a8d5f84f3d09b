import { combineSwapped } from './pairwise';
import { combineCriteria, type CriterionResult } from './combine-criteria';
import { DEFAULT_CRITERION_THRESHOLD, DEFAULT_CRITERION_WEIGHT } from '../spec/criteria';
import type { Verdict } from '../state/evaluation';
import type { PartTree } from '../spec/evaluator-parts';
import { majority } from './panel';
import type { QualityCriterion } from '../spec/spec';

/**
 * One verdict out of those of an evaluator's parts, in the order of `partsOf`. Pure, so that the workflow can do it. Tokens
 * and warnings are not summed: they were counted when each part answered.
 *
 * @param halfDecides half of a panel is enough: the others were asked as often as may be, and could not judge
 */
export function foldParts(
  tree: PartTree,
  verdicts: readonly Verdict[],
  { name, type }: Pick<Verdict, 'name' | 'type'>,
  qualityThreshold: number,
  halfDecides = false,
): Verdict {
  const left = [...verdicts];
  const fold = (node: PartTree): Verdict => {
    if (node.kind === 'part') return left.shift()!;
    const folded = node.of.map(fold);
    const ms = Math.max(...folded.map((verdict) => verdict.ms));
    const judgement = judgementOf(node, folded, name, qualityThreshold, halfDecides);
    const isUnsure = judgement.outcome === 'pass' && folded.some(({ unsure }) => unsure);
    return { ...judgement, ...(isUnsure ? { unsure: true } : {}), name, type, ms };
  };
  return fold(tree);
}

function judgementOf(
  node: Exclude<PartTree, { kind: 'part' }>,
  verdicts: Verdict[],
  evaluator: string,
  qualityThreshold: number,
  halfDecides: boolean,
): Omit<Verdict, 'name' | 'type' | 'ms'> {
  if (node.kind === 'panel') return majority(verdicts, halfDecides);
  if (node.kind === 'both_orders') return combineSwapped(verdicts);
  const results = node.groups.flatMap((group, index) => group.map((each) => resultOf(each, group, verdicts[index]!)));
  const failed = verdicts.some(({ outcome }) => outcome === 'fail');
  return combineCriteria(results, qualityThreshold, evaluator, failed);
}

/** What a part says about one of its criteria. */
function resultOf(criterion: QualityCriterion, group: QualityCriterion[], verdict: Verdict): CriterionResult {
  const { name, weight = DEFAULT_CRITERION_WEIGHT, threshold = DEFAULT_CRITERION_THRESHOLD } = criterion;
  const { criteriaScores = {}, confidence } = verdict;
  // Answers come by criterion; another evaluator knows of no criterion but its own.
  const asked = Object.hasOwn(criteriaScores, name) || group.length > 1;
  const score = asked ? (criteriaScores[name] ?? null) : verdict.score;
  const isFirst = group[0] === criterion;
  return {
    name,
    weight,
    threshold,
    score,
    confidence,
    unjudged: asked ? score === null : verdict.outcome === 'inconclusive',
    issues: asked
      ? verdict.issues.filter((issue) => issue.criterion === name)
      : verdict.issues.map((issue) => ({ ...issue, criterion: name })),
    suggestions: isFirst ? verdict.suggestions : [],
    ...(isFirst && verdict.reason !== undefined ? { reason: verdict.reason } : {}),
  };
}
