import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { jsonProblem } from '../json/json-problem';
import { LONGEST_MS, NAME_CHARACTERS, MOST_MATERIAL } from '../base/maxima';
import { protocolTextProblem } from '../names/protocol-text';
import type { Infer } from './infer';
import { OWN_WORDS } from './issue-sentence';
import { addJsonSchemaHints } from './json-schema-hints';

// Any JSON, checked and passed on as it is: zod's own JSON type would copy it, and lose keys such as `__proto__`.
export const json = z.custom<Json>().check(checkJson);
export const jsonObject = z
  .custom<JsonObject>((value) => isJsonObject(value), { error: 'must be a JSON object', abort: true })
  .check(checkJson);

/** Reports the first part of a value that is not JSON, at its own place. */
export function checkJson({ value, issues }: z.core.ParsePayload): void {
  const problem = jsonProblem(value);
  if (problem) issues.push({ code: 'custom', input: value, ...problem });
}

const LONGEST_DURATION = 100;

/**
 * Converts a duration to whole milliseconds, at least 1 for any time above 0, because timers take nothing else. NaN for a
 * text that is not a duration.
 */
export function milliseconds(time: string | number): number {
  const exact = typeof time === 'number' ? time : millisecondsInText(time);
  return exact > 0 ? Math.max(1, Math.round(exact)) : exact;
}

function millisecondsInText(text: string): number {
  // The parser throws for these.
  if (text === '' || text.length > LONGEST_DURATION) return Number.NaN;
  return ms(text as StringValue) ?? Number.NaN;
}

/** A span of time, which is checked by `milliseconds`. */
export const duration = z
  .union([z.number(), z.string()])
  .refine((value) => milliseconds(value) > 0, {
    error: 'must be a duration such as "2m", or milliseconds above 0',
    abort: true,
  })
  .refine((value) => milliseconds(value) <= LONGEST_MS, { error: 'must be at most ten years' });

/** A text such as `2m`, `1.5 hours` or `500 ms`, or a number of milliseconds; above 0, and at most ten years. */
export type Duration = z.infer<typeof duration>;

const UNITS =
  'milliseconds? msecs? ms seconds? secs? s minutes? mins? m hours? hrs? h days? d weeks? w years? yrs? y'.split(' ');

/** Returns a pattern that ignores case: JSON Schema patterns have no flag for it. */
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
        // One digit is not 0.
        pattern: `^(\\d*[1-9]\\d*(\\.\\d+)?|\\d*\\.\\d*[1-9]\\d*) *(${UNITS.map(anyCase).join('|')})?$`,
      },
    ],
  },
});

export const share = z.number().min(0).max(1);

/** Limits a text to what may become an id or a name of Temporal's protocol. */
export function protocolText(text: z.ZodString): z.ZodString {
  return text.refine((given) => protocolTextProblem(given) === undefined, {
    error: ({ input }) => protocolTextProblem(String(input)),
    // A text with another problem is refused for that one: each path is reported once.
    when: ({ issues }) => issues.length === 0,
  });
}

/** The name of an evaluator, an action, a model, a tool, a command, a key of the state. */
export const nameText = protocolText(z.string().min(1).max(NAME_CHARACTERS));

/** Keys of the state; `*` means all. */
export const stateKeys = z.array(nameText).max(MOST_MATERIAL);

/** Returns an optional field: its meaning, with its unit and range, and its default. */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  standard?: z.output<Schema>,
): z.ZodOptional<Schema> {
  return schema.optional().meta({ description, ...(standard === undefined ? {} : { default: standard }) });
}

/** Passes the issues of a part of a value on, below the path of that part. */
export function passIssuesOn(
  { error }: z.ZodSafeParseResult<unknown>,
  context: z.RefinementCtx,
  at: readonly string[] = [],
): void {
  for (const issue of error?.issues ?? [])
    context.addIssue({ ...issue, path: [...at, ...issue.path] } as Parameters<typeof context.addIssue>[0]);
}

/** Reads a value by a form inside of another form, and passes the form's issues on. */
export function passOn<T>(form: z.ZodType<T>, value: unknown, context: z.RefinementCtx): T {
  const result = form.safeParse(value, OWN_WORDS);
  passIssuesOn(result, context);
  return result.success ? result.data : z.NEVER;
}

interface NoForm {
  message: string;
  path?: string[];
}

/**
 * A schema of several forms, of which one is picked by hand, so that problems are reported for the form that the author intended.
 * @param pick the form that a value is intended to have, or why it has none
 */
export function pickedForm<T>(
  forms: () => readonly z.ZodType<T>[],
  pick: (value: unknown) => z.ZodType<T> | NoForm,
): z.ZodType<T> {
  const schema = z.unknown().transform((value, context): T => {
    const form = pick(value);
    if ('_zod' in form) return passOn(form, value, context);
    context.addIssue({ code: 'custom', ...form });
    return z.NEVER;
  });
  addJsonSchemaHints(schema, { forms });
  return schema;
}

export const count = z.int().min(0);

export const retrying = optional(z.string(), 'What failed and is being tried again, and why; absent while nothing is.');

export const tokenUsage = z.object({
  promptTokens: count.describe('Tokens of the prompts.'),
  completionTokens: count.describe('Tokens of the replies.'),
  totalTokens: count.describe('The sum of both.'),
  modelCalls: count.describe(
    'Number of answered model calls, including those whose reply could not be used. A call without an answer is not counted.',
  ),
  usd: z.number().min(0).nullable().describe('US dollars; null once the price of a call is unknown.'),
  cachedTokens: optional(count, 'Prompt tokens that the provider had in its cache; absent if it did not report them.'),
  reasoningTokens: optional(
    count,
    'Reply tokens that models used for reasoning; absent if the provider did not report them.',
  ),
  estimated: optional(z.literal(true), 'An endpoint did not count tokens, so at least a part of these is estimated.'),
});

/** The tokens and the price of model calls, of a version or of a whole run. */
export interface TokenUsage extends Infer<typeof tokenUsage> {}
