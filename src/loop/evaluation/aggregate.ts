import { distinctIssues, type Judgement, UNPROVEN_TYPE, type Verdict, withoutScore } from '../state/evaluation';
import { deviation, mean } from './scores';
import { omitUndefined } from '../../lib/base/defined';
import type { Issue, ProofOutcome } from '../contract/evaluation';
import { assignIssue } from './issue-identity';
import { combineCriteria, type CriterionResult } from './combine-criteria';
import { DEFAULT_CRITERION_THRESHOLD, DEFAULT_CRITERION_WEIGHT } from '../spec/criteria';
import type { PartTree } from '../spec/evaluator-parts';
import type { QualityCriterion } from '../contract/criteria';

/** Verdicts are in the order of `partsOf`; tokens and warnings were counted before. `halfDecides`: the other half could not judge. */
export function aggregateParts(
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
    const covered = folded.flatMap(({ coverage }) => coverage ?? []);
    return {
      ...judgement,
      ...(covered.length > 0 ? { coverage: mean(covered) } : {}),
      ...(isUnsure ? { unsure: true } : {}),
      name,
      type,
      ms,
    };
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
      : verdict.issues.map((issue) => assignIssue(criterion.proof ? asUnproven(issue) : issue, name)),
    suggestions: isFirst ? verdict.suggestions : [],
    ...(criterion.proof && { proof: outcomeOfProof(criterion, verdict) }),
    ...(isFirst && verdict.reason !== undefined ? { reason: verdict.reason } : {}),
  };
}

const CLAIM_CHARACTERS = 300;

function outcomeOfProof({ name, description }: QualityCriterion, { outcome, found = [] }: Verdict): ProofOutcome {
  const claim = description?.slice(0, CLAIM_CHARACTERS);
  return omitUndefined({ criterion: name, claim, record: outcome === 'pass' ? found[0] : undefined });
}

function asUnproven(issue: Issue): Issue {
  return { ...issue, type: UNPROVEN_TYPE, message: `unproven: ${issue.message}` };
}

/** Computes the standard deviation of values between 0 and 1, as a share of the largest possible one, which is 0.5. */
function spread(values: readonly number[]): number {
  return Math.min(1, 2 * deviation(values));
}

function meanScores(votes: readonly Verdict[]): Record<string, number> {
  const names = new Set(votes.flatMap(({ criteriaScores = {} }) => Object.keys(criteriaScores)));
  const scoresOf = (name: string): number[] =>
    votes.flatMap(({ criteriaScores = {} }) => (Object.hasOwn(criteriaScores, name) ? criteriaScores[name]! : []));
  return Object.fromEntries([...names].map((name) => [name, mean(scoresOf(name))]));
}

/**
 * Inconclusive votes are left out; unless more than half of all judged (or half, if that decides), so is the panel. A
 * tie is a fail. Confidence is the mean, lowered by the spread of the scores, by votes that disagreed, and by those
 * that did not judge.
 */
export function majority(votes: readonly Verdict[], halfDecides = false): Judgement {
  const judged = votes.filter(({ outcome }) => outcome !== 'inconclusive');
  const enough = votes.length / 2;
  if (judged.length < enough || (judged.length === enough && !halfDecides)) return judgeUndecided(votes, judged.length);
  const passes = judged.filter(({ outcome }) => outcome === 'pass').length;
  const outcome = passes * 2 > judged.length ? 'pass' : 'fail';
  const agreeing = judged.filter((vote) => vote.outcome === outcome);
  const scores = judged.flatMap(({ score }) => score ?? []);
  const agreement = (agreeing.length / judged.length) * (judged.length / votes.length);
  const criteriaScores = meanScores(judged);
  const reason = `${passes} of ${votes.length} votes passed it${judged.length < votes.length ? `, ${votes.length - judged.length} could not judge` : ''}.`;
  return {
    outcome,
    score: scores.length === 0 ? null : mean(scores),
    ...(Object.keys(criteriaScores).length > 0 ? { criteriaScores } : {}),
    // Those who decided come first.
    issues: distinctIssues(
      [...agreeing, ...judged.filter((vote) => vote.outcome !== outcome)].flatMap(({ issues }) => issues),
    ),
    suggestions: [...new Set(judged.flatMap(({ suggestions }) => suggestions))],
    confidence: mean(judged.map(({ confidence }) => confidence)) * (1 - spread(scores)) * agreement,
    reason: [reason, agreeing[0]?.reason ?? ''].join(' ').trim(),
  };
}

function judgeUndecided(votes: readonly Verdict[], judged: number): Judgement {
  const [why] = votes.flatMap(({ outcome, reason }) => (outcome === 'inconclusive' ? (reason ?? []) : []));
  return withoutScore('inconclusive', `Only ${judged} of ${votes.length} votes could judge. ${why ?? ''}`.trim());
}

const EVEN = 0.5;

/** Factor of a judge's confidence where its preference changed with the order of the two texts (position bias). */
const CONFIDENCE_OF_DISAGREEMENT = 0.5;

export function nothingToCompareWith({ name, type }: Pick<Verdict, 'name' | 'type'>): Verdict {
  return { ...withoutScore('pass', 'There is no earlier version to compare with.'), name, type, ms: 0 };
}

/** The verdict on a proof while the work is not done: neither a pass nor a fail. */
export function notYetProven({ name, type }: Pick<Verdict, 'name' | 'type'>): Verdict {
  return { ...withoutScore('pass', 'The work is not done yet.'), name, type, ms: 0 };
}

/**
 * The score is the mean, so that a preference for a place cancels out (Zheng et al. 2023, "Judging LLM-as-a-Judge",
 * section 3.4). The candidate passes if it is at least as good. Inconclusive while one order is.
 */
export function combineSwapped(verdicts: readonly Verdict[]): Judgement {
  const unsaid = verdicts.find(({ outcome }) => outcome === 'inconclusive');
  const [first, second] = verdicts;
  if (unsaid || !first || !second) {
    return withoutScore('inconclusive', `It must be compared in both orders. ${unsaid?.reason ?? ''}`.trim());
  }
  const [one, other] = [first.score, second.score];
  if (one === null || other === null) return nothingToCompareWith(first);
  const disagree = (one > EVEN && other < EVEN) || (one < EVEN && other > EVEN);
  const score = disagree ? EVEN : (one + other) / 2;
  const isPass = score >= EVEN;
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const sure = (first.confidence + second.confidence) / 2;
  return {
    outcome: isPass ? 'pass' : 'fail',
    score,
    issues: isPass ? [] : distinctIssues(verdicts.flatMap(({ issues }) => issues)),
    suggestions: [...new Set(verdicts.flatMap(({ suggestions }) => suggestions))],
    confidence: sure * (disagree ? CONFIDENCE_OF_DISAGREEMENT : 1) * (1 - (high - low) / 2),
    reason: disagree
      ? 'The judge preferred a place, not a text: counted as a tie.'
      : [...new Set([first.reason ?? '', second.reason ?? ''])].join(' ').trim(),
  };
}
