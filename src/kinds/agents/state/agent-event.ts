import { unknownField } from '../../../lib/names/nearest-name';
import { isJson, isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import {
  fieldProblem,
  type MessageField,
  type MessageFields,
  type MessageOf,
  text,
} from '../../../lib/base/message-fields';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { ReflectionTrigger } from '../base/defaults';

const ID_CHARACTERS = 100;
const CONTEXT_CHARACTERS = 64 * 1024;
const LAST_YEAR = 1_000_000;

const KINDS = Object.values(ReflectionTrigger);

const id = (description: string) =>
  ({
    description,
    must: `a text of 1 to ${ID_CHARACTERS} characters`,
    schema: { type: 'string', minLength: 1, maxLength: ID_CHARACTERS },
  }) as const;

export const EVENT = {
  id: id('An event whose id was taken before does nothing.'),
  kind: {
    description: 'What may make agents reflect.',
    must: `one of ${KINDS.join(', ')}`,
    schema: { type: 'string', enum: KINDS },
    required: true,
  },
  year: {
    description: 'When it happened, in years from 0.',
    must: `a whole number from 0 to ${LAST_YEAR}`,
    schema: { type: 'integer', minimum: 0, maximum: LAST_YEAR },
    required: true,
  },
  agentId: id('The one agent that it concerns; required for a decision.'),
  context: {
    description: `What is known of it. At most ${CONTEXT_CHARACTERS} characters as JSON.`,
    must: 'an object',
    schema: { type: 'object' },
  },
} as const satisfies MessageFields;

const change = {
  description: 'By which share a policy changed.',
  must: 'a number',
  schema: { type: 'number' },
} as const;

/** The keys of a context that have a meaning; other keys are for readers of histories. */
export const EVENT_CONTEXT = {
  decision: text(200, 'The kind of decision.'),
  failed: { description: 'Whether what was decided failed.', must: 'true or false', schema: { type: 'boolean' } },
  policyChangeMagnitude: change,
  importance: {
    description: "What it weighs for those it concerns, where their type's profile does not say it well.",
    must: 'a number of at least 0',
    schema: { type: 'number', minimum: 0 },
  },
  description: text(1_000, 'What happened, in a few words: agents remember it.'),
  agents: {
    description: 'The agents that it concerns. Default: all.',
    must: 'a list of ids of agents',
    schema: { type: 'array', items: { type: 'string' } },
  },
} as const satisfies MessageFields;

/** Keys of a context in snake_case, which simulations in other languages may write. */
export const EVENT_ALIASES: Readonly<Record<string, keyof typeof EVENT_CONTEXT>> = {
  policy_change_magnitude: 'policyChangeMagnitude',
};

/** The context of an event. Other keys are allowed, for readers of histories. */
export interface AgentEventContext extends MessageOf<typeof EVENT_CONTEXT> {
  [key: string]: Json | undefined;
}

/** An event that agents may reflect upon. */
export interface AgentEvent extends Omit<MessageOf<typeof EVENT>, 'context'> {
  context?: AgentEventContext;
}

const normalizeKey = (key: string): string => (Object.hasOwn(EVENT_ALIASES, key) ? EVENT_ALIASES[key]! : key);

function contextProblems(context: JsonObject, isAgent: (id: string) => boolean): SpecProblem[] {
  if (JSON.stringify(context).length > CONTEXT_CHARACTERS) {
    return [{ path: '/context', message: `must have at most ${CONTEXT_CHARACTERS} characters as JSON` }];
  }
  return Object.entries(context).flatMap(([key, value]) => {
    const name = normalizeKey(key);
    const path = `/context/${key}`;
    if (!isThere(value) || !Object.hasOwn(EVENT_CONTEXT, name)) return [];
    const message = fieldProblem(EVENT_CONTEXT[name as keyof typeof EVENT_CONTEXT], value);
    if (message !== undefined) return [{ path, message }];
    if (name !== 'agents') return [];
    const unknown = (value as string[]).findIndex((each) => !isAgent(each));
    return unknown < 0 ? [] : [{ path: `${path}/${unknown}`, message: 'there is no such agent' }];
  });
}

/** Whether a field has a value: a form in the Web UI leaves null in empty fields. */
const isThere = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** Problems have paths. A value without problems is an `AgentEvent`. */
export function eventProblems(value: unknown, isAgent: (id: string) => boolean): SpecProblem[] {
  if (!isJson(value) || !isJsonObject(value))
    return [{ path: '', message: 'must be an object with `kind` and `year`' }];
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(EVENT, key));
  return [
    ...unknown.map((key) => ({ path: `/${key}`, message: unknownField(key, Object.keys(EVENT)) })),
    ...Object.entries<MessageField>(EVENT).flatMap(([key, field]) => {
      const message = fieldProblem(field, value[key]);
      return message === undefined ? meaningProblems(key, value, isAgent) : [{ path: `/${key}`, message }];
    }),
  ];
}

function meaningProblems(key: string, event: JsonObject, isAgent: (id: string) => boolean): SpecProblem[] {
  const { [key]: value, kind } = event;
  if (key === 'context') return isThere(value) ? contextProblems(value as JsonObject, isAgent) : [];
  if (key !== 'agentId') return [];
  const path = '/agentId';
  if (isThere(value)) return isAgent(value as string) ? [] : [{ path, message: 'there is no such agent' }];
  return kind === ReflectionTrigger.DECISION ? [{ path, message: 'is required: a decision is somebody’s' }] : [];
}

export function eventOf(value: JsonObject): AgentEvent {
  const { context, ...rest } = value;
  const listFilledEntries = (object: JsonObject): [string, Json][] =>
    Object.entries(object).filter(([, each]) => each !== null);
  return {
    ...Object.fromEntries(listFilledEntries(rest)),
    ...(isThere(context)
      ? {
          context: Object.fromEntries(
            listFilledEntries(context as JsonObject).map(([key, each]) => [normalizeKey(key), each]),
          ),
        }
      : {}),
  } as unknown as AgentEvent;
}
