import { isJsonObject, type Json } from '../../json/json';
import { readExactly, writeExactly } from '../../json/large-integers';
import type { ToolDescription, ToolCall } from '../types';

/** The forms of calls that models write and their server did not take out of the text. */
const WRITTEN = [
  /<tool_call>\s*(?<json>[\s\S]*?)\s*(?:<\/tool_call>|$)/gi,
  /<function=(?<name>[\w.-]{1,100})>\s*(?<json>[\s\S]*?)\s*(?:<\/function>|$)/gi,
  /\[TOOL_CALLS\]\s*(?<json>[\s\S]+)$/gi,
  /<\|python_tag\|>\s*(?<json>[\s\S]+?)(?:<\|e\w+\|>|$)/gi,
];

/** A whole reply that is one block of code. */
const FENCED = /^```(?:json|tool_call)?\s*\n([\s\S]*?)\n?```$/;

function parseValue(text: string): Json | undefined {
  try {
    return readExactly(text);
  } catch {
    return undefined;
  }
}

type Written = Pick<ToolCall, 'name' | 'arguments'>;

function argumentsText(value: Json | undefined): string {
  return typeof value === 'string' ? value : writeExactly(value ?? {});
}

/** Reads one call of a known tool, as `{ name, arguments }` or as in the protocol; returns undefined for anything else. */
function callIn(value: Json, known: ReadonlySet<string>): Written | undefined {
  if (!isJsonObject(value)) return undefined;
  const inner = isJsonObject(value['function']) ? value['function'] : value;
  const { name, arguments: given = inner['parameters'] } = inner;
  if (typeof name !== 'string' || !known.has(name)) return undefined;
  return given === undefined ? undefined : { name, arguments: argumentsText(given) };
}

/** Reads all calls in a JSON text; returns undefined if something in it is not a call of a known tool. */
function callsIn(json: string, known: ReadonlySet<string>): Written[] | undefined {
  const value = parseValue(json.trim());
  if (value === undefined) return undefined;
  const calls = (Array.isArray(value) ? value : [value]).map((each) => callIn(each, known));
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

/** Returns the calls in a match of a form. */
function callsOfMatch({ name, json = '' }: Record<string, string | undefined>, known: ReadonlySet<string>): Written[] {
  if (name === undefined) return callsIn(json, known) ?? [];
  return known.has(name) && parseValue(json) !== undefined ? [{ name, arguments: json }] : [];
}

/**
 * Calls of tools that a model wrote into its text, and the text without them; undefined where it wrote none. Bare JSON is a
 * call only where it is the whole text and names a tool that was offered.
 */
export function writtenToolCalls(
  text: string,
  tools: readonly ToolDescription[],
): { text: string; toolCalls: ToolCall[] } | undefined {
  const known = new Set(tools.map(({ name }) => name));
  const whole = text.trim();
  const bare = callsIn(FENCED.exec(whole)?.[1] ?? whole, known);
  if (bare) return { text: '', toolCalls: bare.map(withId) };
  const found: Written[] = [];
  let rest = text;
  for (const form of WRITTEN) {
    rest = rest.replace(form, (all: string, ...given: unknown[]) => {
      const calls = callsOfMatch(given.at(-1) as Record<string, string | undefined>, known);
      found.push(...calls);
      return calls.length > 0 ? '' : all;
    });
  }
  return found.length > 0 ? { text: rest.trim(), toolCalls: found.map(withId) } : undefined;
}

function withId(call: Written, index: number): ToolCall {
  return { id: `call_${index + 1}`, ...call };
}
