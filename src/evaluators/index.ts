import type { Evaluator } from '../loop/contract/evaluators';
import { callsEvaluator } from './calls/calls';
import { comparisonEvaluator } from './judge/comparison';
import { criteriaEvaluator } from './judge/criteria';
import { customEvaluator } from './custom';
import { externalEvaluator } from './external';
import { functionEvaluator } from './function';
import { llmEvaluator } from './judge/llm';
import { regexEvaluator } from './regex';
import { schemaEvaluator } from './schema/schema';
import type { EvaluatorKind, EvaluatorRegistry } from './types';
import { workflowEvaluator } from './workflow';

export const EVALUATORS: EvaluatorRegistry = {
  schema: schemaEvaluator,
  llm: llmEvaluator,
  regex: regexEvaluator,
  function: functionEvaluator,
  external: externalEvaluator,
  criteria: criteriaEvaluator,
  comparison: comparisonEvaluator,
  custom: customEvaluator,
  workflow: workflowEvaluator,
  calls: callsEvaluator,
};

export function evaluatorKind(evaluator: Evaluator): EvaluatorKind {
  // The registry pairs each type with the kind for it, which TypeScript cannot follow through a lookup.
  return EVALUATORS[evaluator.type] as unknown as EvaluatorKind;
}
