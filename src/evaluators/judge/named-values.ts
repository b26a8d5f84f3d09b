import type { Json, JsonObject } from '../../lib/json/json';
import { scoreInText } from '../replies/scores';

/** The depth below which values are neither a judgement nor a reason. */
export const MAX_DEPTH = 8;

export function lettersOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** Returns the values under any of some names, however the names are written; null counts as no value. */
export function valuesNamed(object: JsonObject, names: ReadonlySet<string>): Json[] {
  return Object.entries(object)
    .filter(([key, value]) => value !== null && names.has(lettersOf(key)))
    .map(([, value]) => value);
}

export function firstText(object: JsonObject, names: ReadonlySet<string>): string | undefined {
  return valuesNamed(object, names)
    .map((each) => collectText(each))
    .find(Boolean);
}

/** Returns the words in a value of any shape; numbers and booleans inside of it state no reason. */
export function collectText(value: Json, depth = MAX_DEPTH): string {
  if (value === null || depth === 0) return '';
  if (typeof value !== 'object') return String(value).trim();
  const said = Object.entries(value)
    .filter(([, each]) => typeof each === 'string' || typeof each === 'object')
    .map(([key, each]) => [key, collectText(each as Json, depth - 1)] as const)
    .filter(([, text]) => text !== '');
  return said.map(([key, text]) => (Array.isArray(value) ? text : `${key}: ${text}`)).join('; ');
}

/** Reads a share from 0 to 1, also as `80%`; returns undefined for anything else. */
export function shareOf(value: Json | undefined): number | undefined {
  const read = typeof value === 'string' ? scoreInText(value) : undefined;
  const number = read ? read.number / (read.scale ?? 1) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}
