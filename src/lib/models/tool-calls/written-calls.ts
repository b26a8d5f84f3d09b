import { isJsonObject, type Json } from '../../json/json';
import { readExactly, writeExactly } from '../../json/large-integers';
import { soleFence } from '../../text/sole-fence';
import type { ToolDescription } from '../types';
import { assertFewCalls } from '../habits/reply-size';
import { type GivenCall, offeredName } from './read-calls';

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

function callsIn(json: string, offered: readonly string[]): GivenCall[] | undefined {
  const value = parseValue(json.trim());
  if (value === undefined) return undefined;
  const calls = (Array.isArray(value) ? value : [value]).map((each) => callIn(each, offered));
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function callsOfMatch(
  { name, json = '' }: Record<string, string | undefined>,
  offered: readonly string[],
): GivenCall[] {
  if (name === undefined) return callsIn(json, offered) ?? [];
  const call = parseValue(json) === undefined ? undefined : knownCall(name, json, offered);
  return call ? [call] : [];
}

const FENCE_LINE = /^[ \t>]*(`{3,}|~{3,})/;
const QUOTED = /^(?: {4}|\t| {0,3}>)/;

type Range = [start: number, end: number];

/** Finds the code within a line: between runs of the same number of backticks. Each run is looked at once. */
function inlineCode(line: string, offset: number): Range[] {
  const runs = [...line.matchAll(/`+/g)];
  const next = new Map<number, number>();
  const partners = runs.map((): number => -1);
  for (const [index, [ticks]] of [...runs.entries()].toReversed()) {
    partners[index] = next.get(ticks.length) ?? -1;
    next.set(ticks.length, index);
  }
  const found: Range[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const partner = partners[index]!;
    if (partner === -1) continue;
    found.push([offset + runs[index]!.index, offset + runs[partner]!.index]);
    index = partner;
  }
  return found;
}

function codeRanges(text: string): Range[] {
  const found: Range[] = [];
  let fence: { marks: string; start: number } | undefined;
  let offset = 0;
  for (const line of text.split('\n')) {
    const [, marks] = FENCE_LINE.exec(line) ?? [];
    const end = offset + line.length + 1;
    if (fence) {
      if (marks?.startsWith(fence.marks)) {
        found.push([fence.start, end]);
        fence = undefined;
      }
    } else if (marks !== undefined) fence = { marks, start: offset };
    else if (QUOTED.test(line)) found.push([offset, end]);
    else for (const range of inlineCode(line, offset)) found.push(range);
    offset = end;
  }
  return fence ? [...found, [fence.start, text.length]] : found;
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
  const matches = WRITTEN.flatMap((form) => [...whole.matchAll(form)]).toSorted(
    (one, other) => one.index - other.index,
  );
  if (matches.length === 0) return undefined;
  const code = codeRanges(whole);
  const toolCalls: GivenCall[] = [];
  const rest: string[] = [];
  let end = 0;
  let next = 0;
  for (const { 0: all, index: at, groups = {} } of matches) {
    while (next < code.length && code[next]![1] <= at) next += 1;
    if (at < end || (next < code.length && code[next]![0] <= at)) continue;
    const calls = callsOfMatch(groups, offered);
    if (calls.length === 0) continue;
    toolCalls.push(...calls);
    rest.push(whole.slice(end, at));
    end = at + all.length;
  }
  if (toolCalls.length === 0) return undefined;
  assertFewCalls(toolCalls.length);
  return { text: [...rest, whole.slice(end)].join('').trim(), toolCalls };
}
