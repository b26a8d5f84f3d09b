import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import { isJson, isJsonObject, type Json, type JsonObject } from '../domain/base/json';
import type { Duration } from '../domain/base/duration';
import { LONGEST_MS, NAME_CHARACTERS, MOST_MATERIAL } from '../domain/base/maxima';
import { addJsonSchemaHints } from './json-schema-hints';

// Checked and passed on as it is: zod's own JSON type would copy it, and lose keys such as `__proto__` on the way.
export const json = z.custom<Json>((value) => isJson(value), 'must be JSON');
export const jsonObject = z.custom<JsonObject>(
  (value) => isJsonObject(value) && isJson(value),
  'must be a JSON object',
);

/** Characters of a duration at most. */
const LONGEST_DURATION = 100;

/** Whole milliseconds, at least 1 for any time at all, because timers take nothing else. NaN for a text that is no duration. */
export function milliseconds(duration: Duration): number {
  const exact = typeof duration === 'number' ? duration : millisecondsInText(duration);
  return exact > 0 ? Math.max(1, Math.round(exact)) : exact;
}

function millisecondsInText(text: string): number {
  // It throws for these.
  if (text === '' || text.length > LONGEST_DURATION) return Number.NaN;
  return ms(text as StringValue) ?? Number.NaN;
}

export const duration = z
  .union([z.number(), z.string()])
  .refine((value) => milliseconds(value) > 0, {
    error: 'must be a duration such as "2m", or milliseconds above 0',
    abort: true,
  })
  .refine((value) => milliseconds(value) <= LONGEST_MS, { error: 'must be at most ten years' });

const UNITS =
  'milliseconds? msecs? ms seconds? secs? s minutes? mins? m hours? hrs? h days? d weeks? w years? yrs? y'.split(' ');

/** JSON Schema patterns have no flag for upper and lower case. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

addJsonSchemaHints(json, { json: {} });
addJsonSchemaHints(jsonObject, { json: { type: 'object' } });
addJsonSchemaHints(duration, {
  json: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0, maximum: LONGEST_MS },
      {
        type: 'string',
        maxLength: LONGEST_DURATION,
        pattern: `^(?=[^a-zA-Z]*[1-9])\\d*\\.?\\d+ *(${UNITS.map(anyCase).join('|')})?$`,
      },
    ],
  },
});

export const share = z.number().min(0).max(1);

/** The name of an evaluator, an action, a model, a tool, a command, a key of the state. */
export const nameText = z.string().min(1).max(NAME_CHARACTERS);

/** Keys of the state; `*` stands for all. */
export const stateKeys = z.array(nameText).max(MOST_MATERIAL);

/** Hands on what a form made of a value, or its mistakes. */
export function passOn<T>(result: z.ZodSafeParseResult<T>, context: z.RefinementCtx): T {
  if (result.success) return result.data;
  for (const issue of result.error.issues) context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  return z.NEVER;
}
