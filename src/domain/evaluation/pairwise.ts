import type { Judgement, Verdict } from '../state/evaluation';
import { distinctIssues } from '../state/issues';

/** Half-way between the candidate losing and winning. */
const EVEN = 0.5;

/** A judge that prefers a place to a text knows little. */
const CONFIDENCE_OF_DISAGREEMENT = 0.5;

/** What is said of a draft: there is no version before it. It neither passes nor fails for that, and has no score. */
export function nothingToCompareWith({ name, type }: Pick<Verdict, 'name' | 'type'>): Verdict {
  return {
    name,
    type,
    outcome: 'pass',
    score: null,
    issues: [],
    suggestions: [],
    confidence: 0,
    reason: 'There is no earlier version to compare with.',
    ms: 0,
  };
}

/**
 * The judgement of a comparison that was asked in both orders. The score is the mean, so that a preference for a place
 * cancels out (Zheng et al. 2023, "Judging LLM-as-a-Judge", section 3.4: swap the places, and take a preference that
 * does not survive it for a tie). The candidate passes when it is at least as good. Inconclusive while one order is.
 */
export function combineSwapped(verdicts: readonly Verdict[]): Judgement {
  const unsaid = verdicts.find(({ outcome }) => outcome === 'inconclusive');
  const [first, second] = verdicts;
  if (unsaid || !first || !second) {
    const reason = `It must be compared in both orders. ${unsaid?.reason ?? ''}`.trim();
    return { outcome: 'inconclusive', score: null, issues: [], suggestions: [], confidence: 0, reason };
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
