import { isJsonObject, type Json } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { jsonPointer, valueAt } from '../../lib/json/json-pointer';
import { utf8Bytes } from '../../lib/json/json-bytes';
import { HIDDEN } from '../../lib/text/keys';
import { lacksMiddle } from '../../lib/text/middle';
import type { CallRecord } from '../../loop/contract/calls';
import { digestOf, MOST_DIGESTS, TEXT_BYTES, WHOLE_BYTES } from '../../loop/evidence/call-record';
import { type JsonSchema, subschemas } from '../schema/schema-walk';

/** Whether a part of recorded arguments is a value. Texts that the record has not whole are compared by their digests. */
function isSame(kept: Json | undefined, value: Json | undefined, path: string, digests: Digests): boolean {
  if (Object.hasOwn(digests, path)) return typeof value === 'string' && digestOf(value) === digests[path];
  if (Array.isArray(kept)) {
    if (!Array.isArray(value) || value.length !== kept.length) return false;
    return kept.every((each, index) => isSame(each, value[index], `${path}/${index}`, digests));
  }
  if (typeof kept === 'string') return kept === value && !lacksMiddle(kept);
  if (!isJsonObject(kept)) return kept === value;
  if (!isJsonObject(value) || Object.keys(value).length !== Object.keys(kept).length) return false;
  return Object.entries(kept).every(
    ([key, each]) => Object.hasOwn(value, key) && isSame(each, value[key], `${path}${jsonPointer([key])}`, digests),
  );
}

type Digests = NonNullable<CallRecord['digests']>;

function isSameText(text: string, output: Json): boolean {
  if (typeof output === 'string') return text.trim() === output.trim();
  return isSame(jsonOrText(text), output, '', {});
}

/** Compares an argument with the output, text apart from white space around it; undefined if not kept. */
export function coversOutput(record: CallRecord, pointer: string, output: Json): boolean | undefined {
  const { arguments: given, digests = {} } = record;
  if (Object.hasOwn(digests, pointer)) {
    return digestOf(typeof output === 'string' ? output : JSON.stringify(output)) === digests[pointer];
  }
  // Arguments that were too long are kept as a text.
  if (given === undefined || (typeof given === 'string' && pointer !== '')) return undefined;
  const kept = valueAt(given, pointer);
  if (kept === undefined) return false;
  if (typeof kept === 'string') return lacksMiddle(kept) ? undefined : isSameText(kept, output);
  return isSame(kept, typeof output === 'string' ? jsonOrText(output) : output, pointer, digests);
}

/** Keywords of JSON Schema that depend on what a text says. */
const OF_TEXTS = ['pattern', 'minLength', 'maxLength', 'format', 'uniqueItems'];

function looksIntoTexts(schema: JsonSchema, given: Json): boolean {
  const isHidden = JSON.stringify(given).includes(HIDDEN);
  return [...subschemas(schema)].some(({ schema: { $ref: reference, ...keywords } }) => {
    const isElsewhere = typeof reference === 'string' && !reference.startsWith('#');
    const constants = JSON.stringify([keywords['const'], keywords['enum']]);
    const comparesTexts = constants.includes('"') && (isHidden || constants.length > TEXT_BYTES);
    return isElsewhere || comparesTexts || OF_TEXTS.some((keyword) => Object.hasOwn(keywords, keyword));
  });
}

/** Whether a record may lack what a schema looks at in the arguments of a call. */
export function lacksArguments({ arguments: given, altered, digests = {} }: CallRecord, schema: JsonSchema): boolean {
  if (given === undefined) return true;
  if (altered?.includes('arguments')) return typeof given === 'string' || looksIntoTexts(schema, given);
  // Arguments that were too long are kept as a text.
  if (typeof given === 'string') return utf8Bytes(given) > WHOLE_BYTES / 4;
  const texts = Object.entries(digests);
  const isWhole = ([path, digest]: [string, string]): boolean => {
    const kept = valueAt(given, path);
    return typeof kept === 'string' && digestOf(kept) === digest;
  };
  // Of more texts there are no digests.
  return (texts.length >= MOST_DIGESTS || !texts.every(isWhole)) && looksIntoTexts(schema, given);
}
