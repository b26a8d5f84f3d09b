import type { Verdict } from '../state/evaluation';

/** The verdict of an evaluator that failed: inconclusive, never a bad score. */
export function inconclusiveVerdict({ name, type }: Pick<Verdict, 'name' | 'type'>, reason: string): Verdict {
  return {
    name,
    type,
    outcome: 'inconclusive',
    score: null,
    issues: [],
    suggestions: [],
    confidence: 0,
    reason: `${name} could not judge: ${reason}`,
    ms: 0,
  };
}
