import { type FieldCheck, isListOfTexts, isNotNegative, isTrueOrFalse, rule } from '../errors/config-fields';
import { isJson, isJsonObject, type Json, type JsonObject } from '../base/json';
import type { SpecProblem } from '../base/spec-problem';
import type { AgentEvent } from './population';
import { ReflectionTrigger } from './trigger-config';

const KINDS: readonly unknown[] = Object.values(ReflectionTrigger);
const KEYS = ['id', 'kind', 'year', 'agentId', 'context'];

/** Characters of an id at most. */
export const ID_CHARACTERS = 100;
/** Characters of a context, as JSON, at most. */
export const CONTEXT_CHARACTERS = 64 * 1024;
export const LAST_YEAR = 1_000_000;

const text = (most: number): FieldCheck =>
  rule(`a text of at most ${most} characters`, (value) => typeof value === 'string' && value.length <= most);
const isIdList = rule('a list of ids of agents', isListOfTexts);

/** Keys of a context that have a meaning; simulations in other languages may write them in snake_case. */
const CONTEXT: Record<string, FieldCheck> = {
  decision: text(200),
  failed: isTrueOrFalse,
  policyChangeMagnitude: rule('a number', (value) => typeof value === 'number'),
  importance: isNotNegative,
  description: text(1_000),
  agents: isIdList,
};
const ALIASES: Record<string, string> = { policy_change_magnitude: 'policyChangeMagnitude' };

const canonical = (key: string): string => (Object.hasOwn(ALIASES, key) ? ALIASES[key]! : key);

function contextProblems(context: Json, isAgent: (id: string) => boolean): SpecProblem[] {
  if (!isJsonObject(context)) return [{ path: '/context', message: 'must be an object' }];
  if (JSON.stringify(context).length > CONTEXT_CHARACTERS) {
    return [{ path: '/context', message: `must have at most ${CONTEXT_CHARACTERS} characters as JSON` }];
  }
  return Object.entries(context).flatMap(([key, value]) => {
    const name = canonical(key);
    const path = `/context/${key}`;
    if (value === null || !Object.hasOwn(CONTEXT, name)) return [];
    const message = CONTEXT[name]!(value);
    if (message !== undefined) return [{ path, message }];
    if (name !== 'agents') return [];
    const unknown = (value as string[]).findIndex((id) => !isAgent(id));
    return unknown < 0 ? [] : [{ path: `${path}/${unknown}`, message: 'there is no such agent' }];
  });
}

function idProblems(path: string, id: Json): SpecProblem[] {
  const isId = typeof id === 'string' && id.length > 0 && id.length <= ID_CHARACTERS;
  return isId ? [] : [{ path, message: `must be a text of 1 to ${ID_CHARACTERS} characters` }];
}

/** A form in the Web UI leaves null where nothing was filled in. */
const isThere = (value: Json | undefined): value is Json => value !== undefined && value !== null;

/** Everything that is wrong with what was sent as an event, by its path. Nothing: it is an `AgentEvent`. */
export function eventProblems(value: unknown, isAgent: (id: string) => boolean): SpecProblem[] {
  if (!isJson(value) || !isJsonObject(value))
    return [{ path: '', message: 'must be an object with `kind` and `year`' }];
  const { id, kind, year, agentId, context } = value;
  const problems = Object.keys(value)
    .filter((key) => !KEYS.includes(key))
    .map((key): SpecProblem => ({ path: `/${key}`, message: 'unknown field' }));
  if (isThere(id)) problems.push(...idProblems('/id', id));
  if (!KINDS.includes(kind)) problems.push({ path: '/kind', message: `must be one of ${KINDS.join(', ')}` });
  if (!Number.isInteger(year) || (year as number) < 0 || (year as number) > LAST_YEAR) {
    problems.push({ path: '/year', message: `must be a whole number from 0 to ${LAST_YEAR}` });
  }
  if (isThere(agentId)) {
    const wrong = idProblems('/agentId', agentId);
    problems.push(...wrong);
    if (wrong.length === 0 && !isAgent(agentId as string)) {
      problems.push({ path: '/agentId', message: 'there is no such agent' });
    }
  } else if (kind === ReflectionTrigger.DECISION) {
    problems.push({ path: '/agentId', message: 'is required: a decision is somebody’s' });
  }
  if (isThere(context)) problems.push(...contextProblems(context, isAgent));
  return problems;
}

/** What was sent and has nothing wrong with it, in one form. */
export function eventOf(value: JsonObject): AgentEvent {
  const { context, ...rest } = value;
  const given = (object: JsonObject): [string, Json][] => Object.entries(object).filter(([, each]) => each !== null);
  return {
    ...Object.fromEntries(given(rest)),
    ...(isThere(context)
      ? { context: Object.fromEntries(given(context as JsonObject).map(([key, each]) => [canonical(key), each])) }
      : {}),
  } as unknown as AgentEvent;
}
