import { isJsonObject, type JsonObject } from '../../lib/json/json';
import { fieldProblem, type MessageField, type MessageFields, type MessageOf } from '../../lib/base/message-fields';

export const GUIDE_CHARACTERS = 16_000;

export const ANSWER_CHARACTERS = 16_000;

/** The maximum length of an id and of a name, in characters: both are part of the state that runs pass on. */
export const WHO_CHARACTERS = 200;

export const REASON_CHARACTERS = 4_000;

export const DECISIONS = ['auto', 'continue', 'stop'] as const;
export type Decision = (typeof DECISIONS)[number];

const text = (most: number, description: string) =>
  ({
    description: `${description} At most ${most} characters.`,
    must: `a string of at most ${most} characters`,
    schema: { type: 'string', maxLength: most },
  }) as const;

const wholeFrom1 = (most: number, description: string) =>
  ({
    description,
    must: `a whole number from 1 to ${most}`,
    schema: { type: 'integer', minimum: 1, maximum: most },
  }) as const;

const who = {
  id: text(WHO_CHARACTERS, 'A repeated id does nothing.'),
  by: text(WHO_CHARACTERS, 'Who sends it.'),
};

const current = {
  description: 'Must be the current iteration.',
  must: 'a whole number',
  schema: { type: 'integer' },
} as const;

const steering = { ...who, iteration: current };

const reason = text(REASON_CHARACTERS, 'Why.');

/** Each is a signal and an update. Signals before the first workflow task are taken in this order, those that end a run last. */
export const COMMANDS = {
  guide: {
    description: "Says something to the next revision: the reviewer's word.",
    fields: {
      text: {
        description: `What the next revision is told, 1 to ${GUIDE_CHARACTERS} characters.`,
        must: `a text of 1 to ${GUIDE_CHARACTERS} characters`,
        schema: { type: 'string', maxLength: GUIDE_CHARACTERS, pattern: '\\S' },
        required: true,
      },
      ...steering,
    },
    example: { text: 'Name the source.', by: 'you' },
  },
  override: {
    description: 'Makes an output the next version, which is judged.',
    fields: {
      output: { description: 'The next version.', must: 'any JSON', schema: {}, required: true },
      ...steering,
    },
    example: { output: 'your own version', by: 'you' },
  },
  extend: {
    description: 'Raises limits, at least one of them.',
    fields: {
      iterations: wholeFrom1(10_000, 'By how many versions `maxIterations` is raised.'),
      tokens: wholeFrom1(1_000_000_000, 'By how many tokens `budget.tokens` is raised.'),
      usd: {
        description: 'By how many US dollars `budget.usd` is raised.',
        must: 'an amount above 0 in US dollars',
        schema: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 },
      },
      ...steering,
    },
    example: { iterations: 2, by: 'you' },
    oneOf: ['iterations', 'tokens', 'usd'],
  },
  decide: {
    description: 'Overrules the loop after the evaluation of an iteration.',
    fields: {
      decision: {
        description: 'Whether the loop goes on, stops, or does what it would do by itself.',
        must: `one of ${DECISIONS.map((decision) => `"${decision}"`).join(', ')}`,
        schema: { type: 'string', enum: DECISIONS },
        required: true,
      },
      ...who,
      iteration: { ...current, required: true },
    },
    example: { iteration: 1, decision: 'continue', by: 'you' },
  },
  reflect: {
    description: 'Has the current version judged again.',
    fields: steering,
    example: { by: 'you' },
  },
  answer: {
    description:
      'Answers a question of a step, or decides about a call that waits for approval: exactly one of `text`, `approve`, `refuse` and `arguments`.',
    fields: {
      to: {
        description:
          'Id of the question or of the call: `progress.waitingFor.id`, or that of an entry of `progress.waitingFor.waits`.',
        must: `the id of a wait: a text of 1 to ${WHO_CHARACTERS} characters`,
        schema: { type: 'string', minLength: 1, maxLength: WHO_CHARACTERS },
        required: true,
      },
      text: {
        description: `The answer to a question, 1 to ${ANSWER_CHARACTERS} characters.`,
        must: `a text of 1 to ${ANSWER_CHARACTERS} characters`,
        schema: { type: 'string', maxLength: ANSWER_CHARACTERS, pattern: '\\S' },
      },
      approve: {
        description: 'True: the call is made as it is.',
        must: 'true or false',
        schema: { type: 'boolean' },
      },
      refuse: {
        description: 'True: the call is not made, and the model gets the reason.',
        must: 'true or false',
        schema: { type: 'boolean' },
      },
      arguments: {
        description: "The call is made with these arguments instead. The action's `input` checks them.",
        must: 'an object',
        schema: { type: 'object' },
      },
      reason,
      ...who,
    },
    example: { to: 'question-1', text: 'your answer', by: 'you' },
    oneOf: ['text', 'approve', 'refuse', 'arguments'],
  },
  accept: {
    description: 'Ends the loop with a version as if it had passed.',
    fields: {
      ...who,
      reason,
      iteration: {
        ...current,
        description:
          'The version to return: the one under review, or the current one. Default: in a run that waits, the version under review (`progress.waitingFor.version`); otherwise the best version.',
      },
      best: {
        description: 'True: the best version is returned, whichever is under review.',
        must: 'true or false',
        schema: { type: 'boolean' },
      },
    },
    example: { by: 'you' },
  },
  abort: {
    description: 'Ends the loop.',
    fields: { ...who, reason },
    example: { by: 'you' },
  },
} as const satisfies Record<string, Command>;

export interface Command {
  readonly description: string;
  readonly fields: MessageFields;
  readonly example: Readonly<JsonObject>;
  /** Fields of which one is required. */
  readonly oneOf?: readonly string[];
}

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

type Payload<Name extends CommandName> = MessageOf<(typeof COMMANDS)[Name]['fields']>;
export interface AcceptPayload extends Payload<'accept'> {}
export interface AnswerPayload extends Payload<'answer'> {}
export interface AbortPayload extends Payload<'abort'> {}
export interface GuidePayload extends Payload<'guide'> {}
export interface OverridePayload extends Payload<'override'> {}
export interface ExtendPayload extends Payload<'extend'> {}
export interface DecidePayload extends Payload<'decide'> {}
export interface ReflectPayload extends Payload<'reflect'> {}

type Payloads = { [Name in CommandName]: Payload<Name> };

export interface CommandPayloads extends Payloads {}

export function examplePayload(name: CommandName, more: JsonObject = {}): string {
  return JSON.stringify({ ...COMMANDS[name].example, ...more });
}

/** The problem of the form of a payload; undefined if there is none. No payload at all counts as `{}`. */
export function payloadProblem(name: CommandName, payload: unknown): string | undefined {
  const given = payload ?? {};
  const { fields, oneOf }: Command = COMMANDS[name];
  // Rendered only if it is needed: thousands of commands may arrive in one activation.
  const example = (): string => `, such as ${examplePayload(name)}`;
  if (!isJsonObject(given)) return `${name} takes an object${example()}`;
  for (const [key, value] of Object.entries(given)) {
    const field: MessageField | undefined = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!field) return `${name} has no field "${key.slice(0, 40)}"; it takes ${Object.keys(fields).join(', ')}`;
    const problem = fieldProblem(field, value);
    if (problem) return `${name}.${key} ${problem}`;
  }
  const missing = Object.keys(fields).find((key) => fields[key]!.required && !Object.hasOwn(given, key));
  if (missing) return `${name} needs "${missing}"${example()}`;
  if (!oneOf || oneOf.some((key) => given[key] !== undefined && given[key] !== null)) return undefined;
  return `${name} needs ${oneOf
    .map((key) => `"${key}"`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}${example()}`;
}

export function iterationOf(payload: unknown): number | undefined {
  const iteration = isJsonObject(payload) ? payload['iteration'] : undefined;
  return typeof iteration === 'number' ? iteration : undefined;
}
