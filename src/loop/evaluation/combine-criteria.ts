import { scoresApart } from '../../lib/text/summary-text';
import { weightedMean } from './scores';
import { type Judgement, SCORE_TYPE } from '../state/evaluation';
import type { Issue, ProofOutcome } from '../contract/evaluation';

export interface CriterionResult {
  name: string;
  weight: number;
  /** 0..1. */
  threshold: number;
  /** 0..1; null when there is none. */
  score: number | null;
  /** True if no judge could judge it. Without that, a score of null means that there was nothing to judge. */
  unjudged: boolean;
  /** 0..1. */
  confidence: number;
  issues: Issue[];
  suggestions: string[];
  reason?: string;
  /** Set for a criterion that a call has to prove. */
  proof?: ProofOutcome;
}

/** Sums of shares are off by a few bits: 0.1 + 0.7 is less than 0.8. */
const ROUNDING = 1e-9;

/**
 * Combines the results of some criteria: they pass if each reaches its own threshold and their weighted mean reaches that of
 * the spec. A criterion that is known to fail decides; otherwise one that no judge could judge makes the judgement
 * inconclusive. Issues of a criterion below its own threshold are major unless they state a severity; a mean that is too low
 * is not a major issue.
 */
export function combineCriteria(
  results: readonly CriterionResult[],
  qualityThreshold: number,
  evaluator: string,
  failed = false,
): Judgement {
  const scored = results.filter(({ score }) => score !== null);
  const tooLow = scored.filter(({ score, threshold }) => (score ?? 0) + ROUNDING < threshold);
  const weightOf = ({ weight }: CriterionResult): number => weight;
  const mean = weightedMean(scored, weightOf, ({ score }) => score ?? 0);
  const unjudged = results.filter((result) => result.unjudged);
  const meanFails = scored.length > 0 && unjudged.length === 0 && mean + ROUNDING < qualityThreshold;
  const isFail = failed || tooLow.length > 0 || meanFails;
  const outcome = isFail ? 'fail' : unjudged.length > 0 ? 'inconclusive' : 'pass';
  const issues = results.flatMap((result) =>
    tooLow.includes(result) ? result.issues.map((issue) => ({ severity: 'major' as const, ...issue })) : result.issues,
  );
  const reasons = results.flatMap(({ reason }) => reason ?? []);
  const proofs = results.flatMap(({ proof }) => proof ?? []);
  if (unjudged.length > 0) reasons.push(`Not judged: ${unjudged.map(({ name }) => name).join(', ')}.`);
  return {
    outcome,
    score: outcome === 'inconclusive' || scored.length === 0 ? null : mean,
    criteriaScores: Object.fromEntries(scored.map(({ name, score }) => [name, score ?? 0])),
    issues: isFail ? [...issues, ...explainFailure(tooLow, issues, mean, qualityThreshold, evaluator)] : issues,
    suggestions: [...new Set(results.flatMap(({ suggestions }) => suggestions))],
    confidence: outcome === 'inconclusive' ? 0 : weightedMean(scored, weightOf, ({ confidence }) => confidence),
    ...(reasons.length > 0 ? { reason: reasons.join(' ') } : {}),
    ...(proofs.length > 0 && { proofs }),
  };
}

/** Adds an issue if there is none, so that a failure always has something to act on, even if judges gave nothing but scores. */
function explainFailure(
  tooLow: readonly CriterionResult[],
  issues: readonly Issue[],
  mean: number,
  qualityThreshold: number,
  evaluator: string,
): Issue[] {
  const silent = tooLow.filter(({ name }) => !issues.some(({ criterion }) => criterion === name));
  const found = silent.map(({ name, score, threshold }) => ({
    message: `${name} is too weak: it scores ${scoresApart(score ?? 0, threshold).join(' and needs ')}`,
    criterion: name,
    severity: 'major' as const,
    type: SCORE_TYPE,
    evaluator,
  }));
  if (found.length > 0 || issues.length > 0) return found;
  const message = `the criteria together score ${scoresApart(mean, qualityThreshold).join(' and need ')}`;
  return [{ message, severity: 'minor', type: SCORE_TYPE, evaluator }];
}
