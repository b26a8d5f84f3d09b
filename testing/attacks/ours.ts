import { comparisonEvaluator } from '../../src/evaluators/judge/comparison';
import { criteriaEvaluator } from '../../src/evaluators/judge/criteria';
import { llmEvaluator } from '../../src/evaluators/judge/llm';
import type { Attacked } from './run';

/** The evaluators as they are. */
export const OURS: Attacked = {
  verdict: llmEvaluator,
  checklist: criteriaEvaluator,
  comparison: comparisonEvaluator,
};
