import type { ErrorObject } from 'ajv';
import type { OutputReading } from '../../domain/state/evaluation';
import type { Json } from '../../domain/base/json';
import { readOutput } from '../../domain/step-state/output-reading';

/** Coercing one value can show the next: a branch of `anyOf`, a condition of `if`. */
const MAX_ROUNDS = 4;

export interface Coercion {
  coerced: NonNullable<OutputReading['coerced']>;
  value: Json;
  /** What is still wrong afterwards. */
  errors: ErrorObject[];
}

/** Turns strings into integers, numbers and booleans exactly where the schema asked for one; undefined if nowhere. */
export function coerceStrings(
  value: Json,
  errors: ErrorObject[],
  validate: (value: Json) => ErrorObject[],
): Coercion | undefined {
  const coerced = new Map<string, Json>();
  let current = { value, errors };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = coercibleValues(current.errors).filter(([path]) => !coerced.has(path));
    if (found.length === 0) break;
    for (const [path, replacement] of found) coerced.set(path, replacement);
    const next = readOutput(value, { coerced: asList(coerced) });
    current = { value: next, errors: validate(next) };
  }
  return coerced.size === 0 ? undefined : { ...current, coerced: asList(coerced) };
}

function asList(coerced: Map<string, Json>): Coercion['coerced'] {
  return [...coerced].map(([path, value]) => ({ path, value }));
}

/** The types that a schema wanted at each place, by JSON Pointer. */
export function typesWanted(errors: readonly ErrorObject[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'type') continue;
    const types = wanted.get(instancePath) ?? new Set();
    for (const type of [(params as { type: string | string[] }).type].flat()) types.add(type);
    wanted.set(instancePath, types);
  }
  return wanted;
}

function coercibleValues(errors: ErrorObject[]): [path: string, value: Json][] {
  const ofTexts = errors.filter(({ keyword, data }) => keyword === 'type' && typeof data === 'string');
  return [...typesWanted(ofTexts)].flatMap(([path, types]): [string, Json][] => {
    const text = ofTexts.find(({ instancePath }) => instancePath === path)?.data as string;
    const value = coercedValue(text.trim(), types);
    return value === undefined ? [] : [[path, value]];
  });
}

function coercedValue(text: string, types: ReadonlySet<string>): number | boolean | undefined {
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (text.length > 30 || !/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  // A number that JavaScript cannot hold exactly would silently become another one.
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) return undefined;
  if (types.has('number') && Number.isFinite(number)) return number;
  return types.has('integer') && Number.isInteger(number) ? number : undefined;
}
