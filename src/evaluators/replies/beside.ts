import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { beginsWithVerdict, readVerdict } from './words';

/** The number of words below which a text under an unknown name may be a verdict in any language. */
const MIN_WORDS = 5;

export function isSomething(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== '';
}

/** Returns whether a value under an unknown name could be another verdict: any value except a text of some words. */
export function mayBeVerdict(value: Json): boolean {
  if (typeof value !== 'string' || beginsWithVerdict(value)) return isSomething(value);
  return value !== '' && (value.match(/[\p{L}\d]+/gu) ?? []).length < MIN_WORDS;
}

const RETRACTION =
  /^[^\p{L}\n]*(?:correction|wait|actually|scratch that|on (?:second thoughts?|reflection)|i was wrong|i misread)\b/imu;

export function takesBack(text: string): boolean {
  return RETRACTION.test(text);
}

/** Returns whether a text beside a yes is a no, or takes the yes back. */
export function deniesAll(text: string): boolean {
  return readVerdict(text) === false || takesBack(text);
}

/** The one object inside of another that may be the judgement, with the values around it. */
interface Wrapped {
  inner: JsonObject;
  others: JsonObject;
}

/** Looks for the one object inside of another; of a judge's, it must be alone or have a code: beside other things it may be a quote. */
export function findWrapped(object: JsonObject, isOfCode = false): Wrapped | undefined {
  const [entry, ...more] = Object.entries(object).filter(([, value]) => isJsonObject(value));
  const [name = '', inner] = entry ?? [];
  const { [name]: _inner, ...others } = object;
  if (!isJsonObject(inner) || more.length > 0 || name === '__proto__') return undefined;
  const isOwn = isOfCode || typeof inner['code'] === 'string' || Object.keys(others).length === 0;
  return isOwn ? { inner, others } : undefined;
}
