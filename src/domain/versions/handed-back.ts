import { isJsonObject, type Json } from '../base/json/json';
import { jsonInText } from '../evaluation/output-reading';
import type { Evaluator } from '../spec/spec';
import type { EvaluatorPlan, Preparation } from '../state/loop-settings';
import type { ReflectionVersion } from '../state/loop-state';

/** The evaluators of a run, as they were prepared and as its spec has them, and the judge that confirms doubtful passes. */
export interface Judges extends Pick<Preparation, 'second'> {
  evaluators: readonly (EvaluatorPlan & { evaluator?: Evaluator })[];
}

/** True for a schema that objects or lists can match. */
function wantsStructure({ evaluator }: Judges['evaluators'][number]): boolean {
  if (evaluator?.type !== 'schema' || !isJsonObject(evaluator.schema)) return false;
  const { type } = evaluator.schema;
  return type === undefined || [type].flat().some((each) => each === 'object' || each === 'array');
}

/**
 * The output of a version as it is handed back. A loop that is judged by a schema hands back a value, also where a person decided
 * on a text that the schema has not passed: the first object or list that it holds.
 *
 * @param isDecided a person accepted the version, or wrote it
 */
export function handedBack(
  { output, evaluation }: ReflectionVersion,
  evaluators: Judges['evaluators'],
  isDecided: boolean,
): Json {
  if (!isDecided || typeof output !== 'string') return output;
  const passed = evaluation.evaluators.some(({ type, outcome }) => type === 'schema' && outcome === 'pass');
  if (passed || !evaluators.some(wantsStructure)) return output;
  for (const { value } of jsonInText(output)) if (typeof value === 'object' && value !== null) return value;
  return output;
}
