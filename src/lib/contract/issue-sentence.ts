import { z } from 'zod';
import { jsonPointer } from '../json/json-pointer';
import { didYouMean } from '../names/nearest-name';
import { wellCut } from '../names/protocol-text';

type Issue = z.core.$ZodIssue;
type RawIssue<Code extends Issue['code']> = z.core.$ZodRawIssue<Extract<Issue, { code: Code }>>;

const MOST_LISTED = 30;

const SHOWN_CHARACTERS = 60;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  nan: 'NaN',
  null: 'null',
};

/** Types of fields that nothing may be given for. */
const LEFT_OUT: readonly string[] = ['undefined', 'void', 'never'];

function typeName(type: string): string {
  return TYPES[type] ?? `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`;
}

/** Returns what a value is, for the end of a sentence: numbers as they are, since their type alone explains little. */
export function describeValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined) return 'undefined';
  return typeName(z.core.util.parsedType(value));
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > SHOWN_CHARACTERS ? `${wellCut(text.slice(0, SHOWN_CHARACTERS))}…` : text;
}

function list(texts: readonly string[], word = ', '): string {
  const shown = texts.slice(0, MOST_LISTED);
  return `${shown.join(word)}${texts.length > shown.length ? `, and ${texts.length - shown.length} more` : ''}`;
}

function describeChoice(allowed: readonly unknown[], given: unknown): string {
  const one = allowed.length === 1 ? '' : 'one of ';
  const names = allowed.filter((value) => typeof value === 'string');
  const isShort = typeof given === 'string' && given.length <= SHOWN_CHARACTERS;
  const got = isShort ? `${showValue(given)}${didYouMean(given, names)}` : describeValue(given);
  return `must be ${one}${list(allowed.map(showValue))}, not ${got}`;
}

function formName([issue]: readonly Issue[]): string | undefined {
  if (!issue || issue.path.length > 0) return undefined;
  if (issue.code === 'invalid_type') return typeName(issue.expected);
  return issue.code === 'invalid_value' ? list(issue.values.map(showValue), ' or ') : undefined;
}

function describeForms(forms: readonly Issue[][], input: unknown): string {
  const near = forms.filter((form) => formName(form) === undefined);
  if (near.length === 0) {
    const names = new Set(forms.map(formName).filter((name) => name !== undefined));
    return `must be ${list([...names], ' or ')}, not ${describeValue(input)}`;
  }
  // The forms that the value has the type of: its author intended one of these.
  const parts = near.map((form) =>
    form.map(({ path, message }) => (path.length === 0 ? message : `${jsonPointer(path)} ${message}`)).join(', '),
  );
  return list([...new Set(parts)].slice(0, 3), '; or ');
}

function describeUnion(issue: RawIssue<'invalid_union'>): string {
  const { errors, options, discriminator, inclusive, input } = issue as typeof issue & {
    options?: readonly unknown[];
    discriminator?: string;
  };
  if (inclusive === false) return 'fits more than one of the forms of which it may have one';
  if (discriminator !== undefined) {
    const given = (Object(input) as Record<string, unknown>)[discriminator];
    return options ? describeChoice(options, given) : `names none of the forms that are allowed`;
  }
  return errors.length > 0 ? describeForms(errors, input) : 'fits none of the forms that are allowed';
}

const SENTENCES: { [Code in Issue['code']]?: (issue: RawIssue<Code>) => string } = {
  invalid_type: ({ expected, input }) => {
    if (expected === 'nonoptional') return 'is required';
    return LEFT_OUT.includes(expected)
      ? 'must be left out'
      : `must be ${typeName(expected)}, not ${describeValue(input)}`;
  },
  invalid_value: ({ values, input }) => describeChoice(values, input),
  unrecognized_keys: ({ keys }) => `has unknown fields: ${list(keys.map(showValue))}`,
  invalid_union: describeUnion,
};

/** Describes an issue, to be read after the path of its place; undefined where zod's own sentence is as good. */
function issueSentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.path ?? []).length > 0 && issue.code !== 'custom') return 'is required';
  const sentence = SENTENCES[issue.code as Issue['code']] as ((issue: z.core.$ZodRawIssue) => string) | undefined;
  return sentence?.(issue);
}

/**
 * The second argument of `safeParse` wherever a user reads the issues: it replaces some of zod's own sentences, and no message that a
 * schema gives itself. Global settings of zod, which belong to the user, stay as they are.
 */
export const OWN_WORDS = { error: issueSentence } as const;
