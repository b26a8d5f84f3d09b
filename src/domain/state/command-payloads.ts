import { isJsonObject, type Json, type JsonObject } from '../base/json';

/**
 * What people can send to a loop, each as a signal and as an update of the same name. Signals that came before the first
 * workflow task are taken in the order of these names, so those that end a run are last.
 */
export const COMMAND_NAMES = ['guide', 'override', 'extend', 'decide', 'reflect', 'accept', 'abort'] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export interface AcceptPayload {
  /** A repeated id does nothing. At most 200 characters, as `by`. */
  id?: string;
  /** Must be the current iteration; default: the best version is returned. */
  iteration?: number;
  by?: string;
  /** At most 4,000 characters. */
  reason?: string;
}

export interface AbortPayload {
  /** At most 200 characters, as `by`. */
  id?: string;
  by?: string;
  /** At most 4,000 characters. */
  reason?: string;
}

/** What every command that changes a loop's course may carry. */
export interface CommonPayload {
  /** A repeated id does nothing. */
  id?: string;
  /** Must be the current iteration. */
  iteration?: number;
  by?: string;
}

/** The text goes into the next revision as the reviewer's word. */
export interface GuidePayload extends CommonPayload {
  text: string;
}

/** The output becomes the next version and is judged. */
export interface OverridePayload extends CommonPayload {
  output: Json;
}

/** By how much limits are raised; at least one of them. */
export interface ExtendPayload extends CommonPayload {
  iterations?: number;
  tokens?: number;
  /** US dollars. */
  usd?: number;
}

export const DECISIONS = ['auto', 'continue', 'stop'] as const;
export type Decision = (typeof DECISIONS)[number];

/** Overrules the loop after the evaluation of an iteration. */
export interface DecidePayload extends CommonPayload {
  iteration: number;
  decision: Decision;
}

/** The current version is judged again. */
export type ReflectPayload = CommonPayload;

/** The payload of each command. */
export interface CommandPayloads {
  accept: AcceptPayload;
  abort: AbortPayload;
  guide: GuidePayload;
  override: OverridePayload;
  extend: ExtendPayload;
  decide: DecidePayload;
  reflect: ReflectPayload;
}

/** A reviewer's word, at most so many characters. */
export const GUIDE_CHARACTERS = 16_000;

/** Characters of an id and of a name at most: each counts once, and stands in what runs hand over. */
export const WHO_CHARACTERS = 200;

/** Characters of why a run is ended at most. */
export const REASON_CHARACTERS = 4_000;

interface Field {
  fits(value: Json): boolean;
  /** What it must be, for people. */
  must: string;
  required?: true;
}

const shortText = (most: number): Field => ({
  fits: (value) => typeof value === 'string' && value.length <= most,
  must: `a string of at most ${most} characters`,
});
const whole: Field = { fits: (value) => Number.isInteger(value), must: 'a whole number' };
const wholeFrom1 = (most: number): Field => ({
  fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most,
  must: `a whole number from 1 to ${most}`,
});

const COMMON: Record<string, Field> = { id: shortText(WHO_CHARACTERS), by: shortText(WHO_CHARACTERS) };
const STEERING: Record<string, Field> = { ...COMMON, iteration: whole };

const ENDING: Record<string, Field> = { ...COMMON, reason: shortText(REASON_CHARACTERS) };

const FIELDS: Record<CommandName, Record<string, Field>> = {
  accept: { ...ENDING, iteration: whole },
  abort: ENDING,
  guide: {
    text: {
      fits: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= GUIDE_CHARACTERS,
      must: `a text of 1 to ${GUIDE_CHARACTERS} characters`,
      required: true,
    },
    ...STEERING,
  },
  override: { output: { fits: () => true, must: 'any JSON', required: true }, ...STEERING },
  extend: {
    iterations: wholeFrom1(10_000),
    tokens: wholeFrom1(1_000_000_000),
    usd: {
      fits: (value) => typeof value === 'number' && value > 0 && value <= 1_000_000,
      must: 'an amount above 0 in US dollars',
    },
    ...STEERING,
  },
  decide: {
    decision: {
      fits: (value) => DECISIONS.includes(value as Decision),
      must: `one of ${DECISIONS.map((decision) => `"${decision}"`).join(', ')}`,
      required: true,
    },
    ...STEERING,
    iteration: { ...whole, required: true },
  },
  reflect: STEERING,
};

const EXAMPLES: Record<CommandName, JsonObject> = {
  accept: { by: 'you' },
  abort: { by: 'you' },
  guide: { text: 'Name the source.', by: 'you' },
  override: { output: 'your own version', by: 'you' },
  extend: { iterations: 2, by: 'you' },
  decide: { iteration: 1, decision: 'continue', by: 'you' },
  reflect: { by: 'you' },
};

/** A payload as somebody would type it. */
export function examplePayload(name: CommandName, more: JsonObject = {}): string {
  return JSON.stringify({ ...EXAMPLES[name], ...more });
}

/** What is wrong with the form of a payload; undefined when nothing is. No payload at all counts as `{}`. */
export function payloadProblem(name: CommandName, payload: unknown): string | undefined {
  const given = payload ?? {};
  if (!isJsonObject(given)) return `${name} takes an object, such as ${examplePayload(name)}`;
  const fields = FIELDS[name];
  for (const [key, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) return `${name} has no field "${key.slice(0, 40)}"; it takes ${Object.keys(fields).join(', ')}`;
    // A form in the Web UI may send null for a field that was left empty.
    if (!field.fits(value) && (field.required || value !== null)) return `${name}.${key} must be ${field.must}`;
  }
  const missing = Object.keys(fields).find((key) => fields[key]!.required && !Object.hasOwn(given, key));
  if (missing) return `${name} needs "${missing}", such as ${examplePayload(name)}`;
  const limits = [given['iterations'], given['tokens'], given['usd']];
  if (name === 'extend' && limits.every((limit) => limit === undefined || limit === null)) {
    return `extend needs "iterations", "tokens" or "usd", such as ${examplePayload(name)}`;
  }
  return undefined;
}

/** The iteration that a payload names; undefined when it names none. */
export function iterationOf(payload: unknown): number | undefined {
  const iteration = isJsonObject(payload) ? payload['iteration'] : undefined;
  return typeof iteration === 'number' ? iteration : undefined;
}
