import type { ErrorObject } from 'ajv';
import type { OutputReading } from '../../domain/state/evaluation';
import type { Json } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';
import { jsonInText } from '../../domain/step-state/output-reading';
import { shareOfChecksPassed } from './schema-checks';
import { coerceStrings } from './schema-coercion';
import type { CompiledSchema } from './schema-compile';

/** Further pieces of JSON in one text are hardly the answer. */
const MAX_CANDIDATES = 20;
const STRUCTURE_KEYWORDS = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'items',
  'prefixItems',
];
const KEYWORDS_FOR_ANYTHING = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'not', 'if'];

/** One way to read an output. */
export interface Attempt {
  /** Absent: the output as it is. */
  reading?: OutputReading;
  value: Json;
  errors: ErrorObject[];
}

/** The reading that validates, or the best of those that do not. */
export interface ReadResult {
  valid?: Attempt;
  best: Attempt;
  /** True when the schema wants an object or a list, and the text holds none. */
  notJson: boolean;
  checksPassed: number;
}

/** Reads an output as it is, then as JSON found in text, then with strings coerced: the first that validates. */
export function readAgainst(compiled: CompiledSchema, output: Json, coerce: boolean): ReadResult {
  const asItIs: Attempt = { value: output, errors: compiled.validate(output) };
  const mustBeRead = typeof output === 'string' && speaksOnlyOfStructure(compiled);
  if (asItIs.errors.length === 0 && !mustBeRead) return success(asItIs);
  const tried = [asItIs];
  for (const attempt of attemptsInText(compiled, output)) {
    if (mustBeRead && typeof attempt.value !== 'object') continue;
    if (attempt.errors.length === 0) return success(attempt);
    tried.push(attempt);
  }
  if (coerce) {
    for (const [index, attempt] of tried.entries()) {
      const coercion = coerceStrings(attempt.value, attempt.errors, (value) => compiled.validate(value));
      if (!coercion) continue;
      const { coerced, ...rest } = coercion;
      tried[index] = { ...rest, reading: { ...attempt.reading, coerced } };
      if (rest.errors.length === 0) return success(tried[index]);
    }
  }
  return failure(compiled, tried, mustBeRead);
}

function success(attempt: Attempt): ReadResult {
  return { valid: attempt, best: attempt, notJson: false, checksPassed: 1 };
}

function failure(compiled: CompiledSchema, [asItIs, ...inText]: Attempt[], mustBeRead: boolean): ReadResult {
  const wantsStructure = mustBeRead || wantedTypes(asItIs!).some((type) => type === 'object' || type === 'array');
  // A schema that takes text, and only finds this one wrong, does not mean the JSON that the text happens to hold.
  const isTextItself = !wantsStructure && wantedTypes(asItIs!).length === 0;
  const candidates = isTextItself ? [asItIs!] : inText.filter((attempt) => wantedTypes(attempt).length === 0);
  const ranked = candidates
    .map((attempt) => ({ attempt, checksPassed: shareOfChecksPassed(compiled, attempt.value, attempt.errors) }))
    .sort((first, second) => second.checksPassed - first.checksPassed);
  if (ranked[0]) return { best: ranked[0].attempt, notJson: false, checksPassed: ranked[0].checksPassed };
  const whole = inText.find(
    ({ reading }) => reading?.text?.start === 0 && reading.text.end === String(asItIs!.value).length,
  );
  const isText = typeof asItIs!.value === 'string';
  return { best: whole ?? asItIs!, notJson: isText && !whole && wantsStructure, checksPassed: 0 };
}

function* attemptsInText(compiled: CompiledSchema, output: Json): Generator<Attempt> {
  if (typeof output !== 'string') return;
  let count = 0;
  for (const { start, end, value } of jsonInText(output)) {
    if (++count > MAX_CANDIDATES) return;
    yield { reading: { text: { start, end } }, value, errors: compiled.validate(value) };
  }
}

/** The types that the schema wanted instead of the one that the whole value has. */
function wantedTypes({ errors }: Attempt): string[] {
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === '')
    .flatMap(({ params }) => (params as { type: string | string[] }).type);
}

/**
 * A schema such as `{ required: ['name'] }` accepts every text by the letter of the standard, for it says nothing about
 * text. Its author means an object, so a text has to hold one.
 */
function speaksOnlyOfStructure({ schema }: CompiledSchema): boolean {
  if (!isJsonObject(schema) || KEYWORDS_FOR_ANYTHING.some((keyword) => keyword in schema)) return false;
  return STRUCTURE_KEYWORDS.some((keyword) => keyword in schema);
}
