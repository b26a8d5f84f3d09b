import type { Evaluator } from '../domain/spec';
import { llmEvaluator } from './llm';
import { schemaEvaluator } from './schema';
import type { EvaluatorKind, EvaluatorRegistry } from './types';

/** Every kind of evaluator. A kind of the spec without an entry here does not compile. */
export const EVALUATORS: EvaluatorRegistry = {
  schema: schemaEvaluator,
  llm: llmEvaluator,
};

/** The kind that an evaluator of a spec is of. */
export function evaluatorKind(evaluator: Evaluator): EvaluatorKind {
  // The registry pairs each type with the kind for it, which TypeScript cannot follow through a lookup.
  return EVALUATORS[evaluator.type] as unknown as EvaluatorKind;
}

/** True for an evaluator that is cheap and deterministic: it runs as a local activity. */
export function runsLocally(evaluator: Evaluator): boolean {
  const { local } = evaluatorKind(evaluator);
  return typeof local === 'function' ? local(evaluator) : local;
}

export type {
  EvaluationContext,
  EvaluationInput,
  EvaluatorKind,
  EvaluatorProblem,
  EvaluatorRegistry,
  Judgement,
} from './types';
