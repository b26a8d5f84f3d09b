import type { Json } from '../../../lib/json/json';
import { jsonMistake } from '../../../lib/json/json-mistake';
import { largeInteger, largeIntegerText } from '../../../lib/json/large-integers';

export class FieldError extends Error {}

/** Reads a text as it was typed: forms write line breaks as two characters. */
export function textIn(form: URLSearchParams, field: string): string | undefined {
  const typed = (form.get(field) ?? '').replace(/\r\n?/g, '\n');
  return typed.trim() === '' ? undefined : typed;
}

/**
 * Reads JSON that was typed.
 *
 * @param what the subject of the message about a mistake, with its verb
 */
export function readJson(typed: string, [what, verb]: [what: string, verb: string], advice = ''): Json {
  const mistake = jsonMistake(typed);
  if (mistake !== undefined) throw new FieldError(`${what} ${verb} no JSON: ${mistake}. Nothing was sent.${advice}`);
  const large = largeInteger(typed);
  if (large) throw new FieldError(`${what} at ${large.path}: ${largeIntegerText(large.source)}. Nothing was sent.`);
  return JSON.parse(typed) as Json;
}
