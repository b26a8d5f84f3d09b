import { modelOfCalls } from './model-of-calls';
import { type EvaluatorPart, partsOf, partTree } from './evaluator-parts';
import type { Evaluator } from '../contract/evaluators';
import type { ReflectionSpec } from '../contract/spec';

export function evaluatorsOf({ evaluator }: Pick<ReflectionSpec, 'evaluator'>): Evaluator[] {
  return Array.isArray(evaluator) ? evaluator : [evaluator];
}

/** Lists all evaluators of a spec in its order, then the second judge, if it has one. */
export function allEvaluators(spec: Pick<ReflectionSpec, 'evaluator' | 'judge'>): Evaluator[] {
  const second = spec.judge?.second;
  return [...evaluatorsOf(spec), ...(second ? [second] : [])];
}

/** The model of judges that name none; undefined is the default of the worker. */
export function judgeModel(
  spec: Pick<ReflectionSpec, 'judge' | 'reflectionModel' | 'model' | 'state'>,
): string | undefined {
  return spec.judge?.model ?? spec.reflectionModel ?? modelOfCalls(spec);
}

export function allParts(spec: Pick<ReflectionSpec, 'evaluator' | 'judge'>): EvaluatorPart[] {
  return allEvaluators(spec).flatMap((evaluator) => partsOf(partTree(evaluator)));
}
