import type { Json } from '../../lib/json/json';
import { largeIntegerIn, soleJsonIn } from '../evaluation/output-reading';
import { typesMeant } from '../evaluation/schema-types';
import type { Evaluator } from '../contract/evaluators';
import type { EvaluatorPlan, Preparation } from '../state/loop-settings';
import type { ReflectionVersion } from '../state/loop-state';

/** The evaluators of a run, as they were prepared and as its spec has them, and the judge that confirms doubtful passes. */
export interface Judges extends Pick<Preparation, 'second'> {
  evaluators: readonly (EvaluatorPlan & { evaluator?: Evaluator })[];
}

/** Returns the types of structures that a schema describes; none if it also takes text: that is not replaced by the value in it. */
function structuresMeant({ evaluator }: Judges['evaluators'][number]): readonly Json[] {
  const types = evaluator?.type === 'schema' ? typesMeant(evaluator.schema as Json) : undefined;
  return types && !types.includes('string') ? types : [];
}

/**
 * Returns the output of a version in its final form. A loop that is judged by a schema returns a value, also if a person
 * decided on a text that the schema has not passed: the object or list that the text is. A text that only holds one stays.
 *
 * @param isDecided a person accepted the version, or wrote it
 */
export function outputToReturn(
  { output, evaluation }: ReflectionVersion,
  evaluators: Judges['evaluators'],
  isDecided: boolean,
): Json {
  if (!isDecided || typeof output !== 'string') return output;
  const passed = evaluation.evaluators.some(({ type, outcome }) => type === 'schema' && outcome === 'pass');
  const types = passed ? [] : evaluators.flatMap(structuresMeant);
  if (types.length === 0) return output;
  const value = soleJsonIn(output);
  if (typeof value !== 'object' || value === null || largeIntegerIn(output)) return output;
  return types.includes(Array.isArray(value) ? 'array' : 'object') ? value : output;
}
