import type { Json } from '../../lib/json/json';
import { largeIntegerIn, soleJsonIn } from '../evaluation/output-reading';
import { typesMeant } from '../evaluation/schema-types';
import { evaluatorTraits } from '../spec/evaluator-traits';
import type { Preparation } from '../state/loop-settings';
import type { ReflectionVersion } from '../state/loop-state';

/** The evaluators of a run as they were prepared, the judge that confirms doubtful passes, and the schemas that some judge by. */
export interface Judges extends Pick<Preparation, 'evaluators' | 'second'> {
  schemas?: readonly Json[];
}

function structuresMeant(schema: Json): readonly Json[] {
  const types = typesMeant(schema);
  return types && !types.includes('string') ? types : [];
}

/** A text that a person accepted or wrote (`isDecided`) becomes the object or list that all of it is, if a schema judges. */
export function outputToReturn(
  { output, evaluation }: ReflectionVersion,
  schemas: readonly Json[],
  isDecided: boolean,
): Json {
  if (!isDecided || typeof output !== 'string') return output;
  const passed = evaluation.evaluators.some(
    ({ type, outcome }) => evaluatorTraits(type).hasSchema && outcome === 'pass',
  );
  const types = passed ? [] : schemas.flatMap(structuresMeant);
  if (types.length === 0) return output;
  const value = soleJsonIn(output);
  if (typeof value !== 'object' || value === null || largeIntegerIn(output)) return output;
  return types.includes(Array.isArray(value) ? 'array' : 'object') ? value : output;
}
