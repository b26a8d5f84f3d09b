import type { Judgement, Verdict } from '../state/evaluation';
import type { Outcome } from '../contract/evaluation';

export function withoutScore(outcome: Outcome, reason: string): Judgement {
  return { outcome, score: null, issues: [], suggestions: [], confidence: 0, reason };
}

export function inconclusiveVerdict({ name, type }: Pick<Verdict, 'name' | 'type'>, reason: string): Verdict {
  return { ...withoutScore('inconclusive', `${name} could not judge: ${reason}`), name, type, ms: 0 };
}
