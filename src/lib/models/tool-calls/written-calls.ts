import { isJsonObject, type Json } from '../../json/json';
import { readExactly, writeExactly } from '../../json/large-integers';
import { soleFence } from '../../text/sole-fence';
import type { ToolDescription } from '../types';
import { type GivenCall, offeredName } from './read-calls';

/** The forms of calls that models write and their server did not take out of the text. */
const WRITTEN = [
  /<tool_call>\s*(?<json>[\s\S]*?)\s*(?:<\/tool_call>|$)/gi,
  /<function=(?<name>[\w.-]{1,100})>\s*(?<json>[\s\S]*?)\s*(?:<\/function>|$)/gi,
  /\[TOOL_CALLS\]\s*(?<json>[\s\S]+)$/gi,
  /<\|python_tag\|>\s*(?<json>[\s\S]+?)(?:<\|e\w+\|>|$)/gi,
];

function parseValue(text: string): Json | undefined {
  try {
    return readExactly(text);
  } catch {
    return undefined;
  }
}

/** Reads one call of an offered tool, as `{ name, arguments }` or as in the protocol; undefined for anything else. */
function callIn(value: Json, offered: readonly string[]): GivenCall | undefined {
  if (!isJsonObject(value)) return undefined;
  const inner = isJsonObject(value['function']) ? value['function'] : value;
  const { name, arguments: given = inner['parameters'] } = inner;
  if (typeof name !== 'string' || given === undefined) return undefined;
  return knownCall(name, typeof given === 'string' ? given : writeExactly(given), offered);
}

function knownCall(written: string, given: string, offered: readonly string[]): GivenCall | undefined {
  const name = offeredName(written, offered);
  return offered.includes(name) ? { name, arguments: given } : undefined;
}

/** Reads all calls in a JSON text; undefined if something in it is not a call of an offered tool. */
function callsIn(json: string, offered: readonly string[]): GivenCall[] | undefined {
  const value = parseValue(json.trim());
  if (value === undefined) return undefined;
  const calls = (Array.isArray(value) ? value : [value]).map((each) => callIn(each, offered));
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

/** The calls in a match of a form. */
function callsOfMatch(
  { name, json = '' }: Record<string, string | undefined>,
  offered: readonly string[],
): GivenCall[] {
  if (name === undefined) return callsIn(json, offered) ?? [];
  const call = parseValue(json) === undefined ? undefined : knownCall(name, json, offered);
  return call ? [call] : [];
}

/** Blocks of code, closed or not, whose content is text: of fences, and within a line. */
const CODE =
  /^[ \t>]*(?<fence>`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?^[ \t>]*\k<fence>[`~]*[ \t]*$|[\s\S]*$)|(?<ticks>`+)(?:(?!\k<ticks>)[^\n])+\k<ticks>/gm;

/** Finds whether a part of a text is in code, or in a quoted or indented line. */
function codeParts(text: string): (offset: number) => boolean {
  const parts = [...text.matchAll(CODE)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));
  return (offset) => {
    const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
    return /^(?: {4}|\t| {0,3}>)/.test(line) || parts.some(({ start, end }) => start <= offset && offset < end);
  };
}

/**
 * Calls of tools that a model wrote into its text, and the text without them; undefined where it wrote none. Bare JSON is a
 * call only where it is the whole text and names a tool that was offered. A form in a block of code of a text
 * documents a call, and is text.
 */
export function writtenToolCalls(
  text: string,
  tools: readonly ToolDescription[],
): { text: string; toolCalls: GivenCall[] } | undefined {
  const offered = tools.map(({ name }) => name);
  const whole = soleFence(text) ?? text;
  const bare = callsIn(whole, offered);
  if (bare) return { text: '', toolCalls: bare };
  const isCode = codeParts(whole);
  const found: { at: number; length: number; calls: GivenCall[] }[] = [];
  for (const form of WRITTEN) {
    for (const { 0: all, index: at, groups = {} } of whole.matchAll(form)) {
      const calls = isCode(at) ? [] : callsOfMatch(groups, offered);
      if (calls.length > 0) found.push({ at, length: all.length, calls });
    }
  }
  if (found.length === 0) return undefined;
  found.sort((one, other) => one.at - other.at);
  const rest = found.reduceRight((left, { at, length }) => left.slice(0, at) + left.slice(at + length), whole);
  return { text: rest.trim(), toolCalls: found.flatMap(({ calls }) => calls) };
}
