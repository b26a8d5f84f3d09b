import { isJsonObject, type Json } from '../../domain/base/json';

/** A spec as the wire wants it, and where its parts stand in the file. */
export interface PlacedCriteria {
  value: Json;
  /** The JSON Pointer in the file of a JSON Pointer in the spec. */
  inFile(path: string): string;
}

/**
 * `quality_criteria` at the top of a file is an evaluator: the only one, or one beside those of `evaluator`. On the wire there
 * are evaluators only.
 */
export function placeQualityCriteria(value: Json): PlacedCriteria {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'qualityCriteria')) return { value, inFile: (path) => path };
  const { qualityCriteria, ...rest } = value;
  const added: Json = { type: 'criteria', criteria: qualityCriteria! };
  const { evaluator } = rest;
  if (evaluator === undefined) {
    return {
      value: { ...rest, evaluator: added },
      inFile: (path) => moved(path, '/evaluator/criteria', '/qualityCriteria'),
    };
  }
  const others = Array.isArray(evaluator) ? evaluator : [evaluator];
  const isList = Array.isArray(evaluator);
  return {
    value: { ...rest, evaluator: [...others, added] },
    inFile: (path) => {
      const own = moved(path, `/evaluator/${others.length}/criteria`, '/qualityCriteria');
      return isList || own !== path ? own : moved(path, '/evaluator/0', '/evaluator');
    },
  };
}

function moved(path: string, from: string, to: string): string {
  return path === from || path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
}
