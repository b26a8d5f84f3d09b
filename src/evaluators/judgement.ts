import { omitUndefined } from '../lib/base/defined';
import type { Judgement } from '../loop/state/evaluation';

/** Makes a pass or a fail: with a score of 1 or 0, no issues and full confidence, unless `more` says otherwise. */
export function makeJudgement(isPass: boolean, more: Partial<Judgement> = {}): Judgement {
  const [outcome, score] = isPass ? (['pass', 1] as const) : (['fail', 0] as const);
  return { outcome, score, issues: [], suggestions: [], confidence: 1, ...omitUndefined(more) };
}

export function brokenJudgement(reason: string): Judgement {
  return { ...inconclusiveJudgement(reason), broken: true };
}

export function inconclusiveJudgement(reason: string): Judgement {
  return { outcome: 'inconclusive', score: null, issues: [], suggestions: [], confidence: 0, reason };
}
