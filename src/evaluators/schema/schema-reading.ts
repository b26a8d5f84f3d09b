import type { ErrorObject } from 'ajv';
import type { OutputReading } from '../../loop/state/evaluation';
import type { Json } from '../../lib/json/json';
import { jsonInText, lenientJsonIn, readOutput } from '../../loop/evaluation/output-reading';
import { differences } from '../../lib/text/json-difference';
import { speaksOnlyOfStructure } from '../../loop/evaluation/schema-types';
import { shareOfChecksPassed } from './schema-checks';
import type { CompiledSchema } from './schema-compile';

const MAX_CANDIDATES = 20;

export interface Attempt {
  reading?: OutputReading;
  value: Json;
  errors: ErrorObject[];
}

export interface ReadResult {
  valid?: Attempt;
  best: Attempt;
  /** Whether the schema requires an object or a list, and the text holds none. */
  notJson: boolean;
  checksPassed: number;
  /** Several values in the text validate, and differ. */
  isTorn?: true;
}

/** Reads it as it is, then as JSON in text, each then coerced. Of several that validate the last counts: first tries precede it. */
export function readAgainst(compiled: CompiledSchema, output: Json, coerce: boolean): ReadResult {
  const asItIs: Attempt = { value: output, errors: compiled.validate(output) };
  const mustBeRead = typeof output === 'string' && speaksOnlyOfStructure(compiled.schema);
  if (asItIs.errors.length === 0 && !mustBeRead) return success([asItIs]);
  const inText = attemptsInText(compiled, output).filter(({ value }) => !mustBeRead || typeof value === 'object');
  const tried = [asItIs, ...inText].map((attempt) => (coerce ? coercedAttempt(compiled, attempt) : attempt));
  const valid = tried.filter(({ errors }, index) => errors.length === 0 && !(mustBeRead && index === 0));
  if (valid.length > 0) return success(valid);
  const lenient = lenientAttempts(compiled, output).map((each) => (coerce ? coercedAttempt(compiled, each) : each));
  const mended = lenient.filter(({ errors }) => errors.length === 0);
  return mended.length > 0 ? success(mended) : failure(compiled, [...tried, ...lenient], mustBeRead);
}

export function readExactly(compiled: CompiledSchema, output: Json): ReadResult {
  const best: Attempt = { value: output, errors: compiled.validate(output) };
  return best.errors.length === 0 ? success([best]) : { best, notJson: false, checksPassed: 0 };
}

function coercedAttempt(compiled: CompiledSchema, attempt: Attempt): Attempt {
  const coercion = coerceStrings(attempt.value, attempt.errors, (value) => compiled.validate(value));
  if (!coercion) return attempt;
  const { coerced, ...rest } = coercion;
  return { ...rest, reading: { ...attempt.reading, coerced } };
}

/** @param valid all that validates; what an output is as a whole comes first, and is the only one then */
function success(valid: Attempt[]): ReadResult {
  const inOrder = valid.toSorted((one, other) => placeOf(one) - placeOf(other));
  const last = inOrder.at(-1)!;
  const isTorn = valid.some(({ value }) => differences(value, last.value, 1).length > 0);
  return { valid: last, best: last, notJson: false, checksPassed: 1, ...(isTorn && { isTorn }) };
}

function placeOf({ reading }: Attempt): number {
  return reading?.text?.start ?? 0;
}

function failure(compiled: CompiledSchema, [asItIs, ...inText]: Attempt[], mustBeRead: boolean): ReadResult {
  const { value } = asItIs!;
  const wanted = wantedTypes(asItIs!);
  const wantsStructure = mustBeRead || wanted.includes('object') || wanted.includes('array');
  // A schema that takes text, and only finds this one wrong, does not mean the JSON that the text happens to hold.
  const isTextItself = !wantsStructure && wanted.length === 0;
  const candidates = isTextItself ? [asItIs!] : inText.filter((attempt) => wantedTypes(attempt).length === 0);
  const [first] = candidates
    .map((best) => ({ best, notJson: false, checksPassed: shareOfChecksPassed(compiled, best.value, best.errors) }))
    .sort((one, other) => other.checksPassed - one.checksPassed);
  if (first) return first;
  const whole = inText.find(({ reading }) => reading?.text?.start === 0 && reading.text.end === String(value).length);
  const isText = typeof value === 'string';
  return { best: whole ?? asItIs!, notJson: isText && !whole && wantsStructure, checksPassed: 0 };
}

function attemptsInText(compiled: CompiledSchema, output: Json): Attempt[] {
  if (typeof output !== 'string') return [];
  const found = [...jsonInText(output)];
  const most = MAX_CANDIDATES / 2;
  const tried = found.length > MAX_CANDIDATES ? [...found.slice(0, most), ...found.slice(-most)] : found;
  return tried.map(({ start, end, value }) => ({
    reading: { text: { start, end } },
    value,
    errors: compiled.validate(value),
  }));
}

function wantedTypes({ errors }: Attempt): string[] {
  return [...(typesWanted(errors).get('') ?? [])];
}

/** Coercing one value can show the next: a branch of `anyOf`, a condition of `if`. */
const MAX_ROUNDS = 4;

interface Coercion {
  coerced: NonNullable<OutputReading['coerced']>;
  value: Json;
  errors: ErrorObject[];
}

function coerceStrings(
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

function lenientAttempts(compiled: CompiledSchema, output: Json): Attempt[] {
  if (typeof output !== 'string') return [];
  return lenientJsonIn(output)
    .slice(-MAX_CANDIDATES)
    .map(({ start, end, value }) => ({
      reading: { text: { start, end, lenient: true } },
      value,
      errors: compiled.validate(value),
    }));
}

/** The types that a schema required at each place, by JSON Pointer. */
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
