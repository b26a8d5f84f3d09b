import { comparisonEvaluator } from '../../src/evaluators/comparison';
import { criteriaEvaluator } from '../../src/evaluators/criteria';
import { llmEvaluator } from '../../src/evaluators/llm';
import type { Attacked } from './run';

/** The evaluators as they are. */
export const OURS: Attacked = {
  verdict: llmEvaluator,
  checklist: criteriaEvaluator,
  comparison: comparisonEvaluator,
};
