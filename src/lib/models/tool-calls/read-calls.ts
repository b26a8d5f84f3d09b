import { omitUndefined } from '../../base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../json/json';
import { lenientValueOf } from '../../json/lenient-json';
import { largeInteger, readExactly, writeExactly } from '../../json/large-integers';
import { soleFence } from '../../text/sole-fence';
import type { ChatRequest, ToolCall } from '../types';
import { callExtras, jsonText } from './provider-extras';

export interface GivenCall {
  /** Empty or left out by endpoints that give none. */
  id?: string | undefined;
  name: string;
  arguments: unknown;
  extras?: JsonObject | undefined;
}

/** Characters of an id: a gateway may keep a signature in it. */
const ID_CHARACTERS = 16 * 1024;

const PREFIX = /^(?:functions?|tools?|default_api)[.:]/i;

/** Objects without a field that some servers stream before the arguments. */
const EMPTY_BEFORE = /^(?:\{\s*\}\s*)+(?=\{)/;

function parseArguments(text: string, isEncoded = false): JsonObject | undefined {
  const bare = (soleFence(text) ?? text).trim().replace(EMPTY_BEFORE, '');
  if (bare === '' || bare === 'null') return {};
  let value: Json | undefined;
  try {
    value = readExactly(bare);
  } catch {
    value = largeInteger(bare) ? undefined : lenientValueOf(bare);
  }
  if (typeof value === 'string' && !isEncoded) return parseArguments(value, true);
  return isJsonObject(value) ? value : undefined;
}

/**
 * Writes the arguments of a call as JSON. They may be a value, nothing, in a fence, encoded twice, with a trailing comma, or with the
 * quotes of Python. Arguments that cannot be read stay as the model wrote them, and the tool says so.
 */
export function argumentsText(given: unknown): string {
  if (typeof given !== 'string') return jsonText(given ?? {});
  const value = parseArguments(given);
  return value === undefined || isJsonText(given) ? given : writeExactly(value);
}

function isJsonText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** The arguments as strict endpoints take them back: JSON of an object, whatever the model wrote. */
export function sentArguments(text: string): string {
  return isJsonText(text) ? text : JSON.stringify(text.trim() === '' ? {} : { arguments: text });
}

/** The offered name that a model means: with a prefix, a blank or in another case, if exactly one fits. */
export function offeredName(name: string, offered: readonly string[]): string {
  if (offered.includes(name)) return name;
  const plain = (each: string): string =>
    each
      .trim()
      .replace(PREFIX, '')
      .replaceAll(/[^\p{L}\d]+/gu, '_')
      .toLowerCase();
  const fitting = offered.filter((each) => plain(each) === plain(name));
  return fitting.length === 1 ? fitting[0]! : name;
}

/** Gives a call an id that no other call of the conversation has: strict endpoints refuse a second one. */
function claimId(given: string | undefined, used: Set<string>): string {
  let id = given ?? '';
  // Nine letters and digits, which is the only form that Mistral's models take.
  for (let count = used.size + 1; id === '' || id.length > ID_CHARACTERS || used.has(id); count += 1)
    id = `call${String(count).padStart(5, '0')}`;
  used.add(id);
  return id;
}

/** Gives calls ids that are unique in the conversation, names of offered tools, and arguments as JSON. */
export function readCalls(
  calls: readonly GivenCall[],
  { turns = [], tools = [] }: Pick<ChatRequest, 'turns' | 'tools'>,
  by: string,
  beside?: JsonObject,
): ToolCall[] {
  const used = new Set(
    turns.flatMap((turn) => ('toolCalls' in turn ? (turn.toolCalls ?? []) : [])).map(({ id }) => id),
  );
  const offered = tools.map(({ name }) => name);
  return calls.map((call, index) =>
    omitUndefined({
      id: claimId(call.id, used),
      name: offeredName(call.name, offered),
      arguments: argumentsText(call.arguments),
      extras: callExtras(by, call.extras, index === 0 ? beside : undefined),
    }),
  );
}
