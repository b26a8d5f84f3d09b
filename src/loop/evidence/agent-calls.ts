import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { asJson } from './as-json';
import type { ReportedCall } from './reported-calls';

/** The part of a step of the AI SDK (5 and later) that says which tools were called. */
export interface AiSdkStep {
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input?: unknown;
    readonly invalid?: boolean | undefined;
  }[];
  readonly toolResults: readonly { readonly toolCallId: string; readonly output?: unknown }[];
  /** Errors of tools are among it. */
  readonly content?: readonly { readonly type: string; readonly toolCallId?: string; readonly error?: unknown }[];
}

/** The part of an item of an OpenAI Agents run that says which tools were called. */
export interface AgentItem {
  readonly type: string;
  readonly rawItem?: object | undefined;
  readonly output?: unknown;
}

interface RawItem {
  type?: string;
  callId?: string;
  id?: string;
  name?: string;
  arguments?: string;
  output?: unknown;
  status?: string;
  providerData?: { error?: unknown };
}

const NO_RESULT = { result: 'It has no result: it was not made.', failed: true, unmade: true };

/** The result that the OpenAI Agents SDK gives a call which a person rejected; an app may choose another text. */
const REJECTED = /^Tool execution was not approved\b/;

/** The beginning of the result that it gives a call whose tool threw. */
const THREW = /^An error occurred while running the tool\b/;

function resultOf(value: unknown): Json | undefined {
  return value instanceof Error ? value.message : asJson(value);
}

/** Returns the calls of tools in the `steps` of a result of the AI SDK, for `calls` of an answer. */
export function callsOfAiSdkSteps(steps: readonly AiSdkStep[]): ReportedCall[] {
  return steps.flatMap(({ toolCalls, toolResults, content = [] }) => {
    const results = new Map(toolResults.map((result) => [result.toolCallId, result]));
    const errors = new Map(content.filter(({ type }) => type === 'tool-error').map((part) => [part.toolCallId, part]));
    return toolCalls.map(({ toolCallId, toolName: name, input, invalid }): ReportedCall => {
      const [made, error] = [results.get(toolCallId), errors.get(toolCallId)];
      const call = { name, arguments: asJson(input) };
      if (error)
        return omitUndefined({ ...call, result: resultOf(error.error), failed: true, unmade: invalid || undefined });
      // A call without a result was not made: it waits for an approval, or it was denied.
      return omitUndefined<ReportedCall>({ ...call, ...(made ? { result: resultOf(made.output) } : NO_RESULT) });
    });
  });
}

function endOfItem({ status = 'completed', providerData }: RawItem, output: unknown): Partial<ReportedCall> {
  const result = resultOf(output);
  const text = isJsonObject(result) ? result['text'] : result;
  const says = (form: RegExp): boolean => typeof text === 'string' && form.test(text);
  const unmade = says(REJECTED);
  const failed = unmade || status !== 'completed' || says(THREW) || (providerData?.error ?? undefined) !== undefined;
  return { result, ...(failed && { failed }), ...(unmade && { unmade }) };
}

/** Returns the calls of tools in the `newItems` of a run of the OpenAI Agents SDK, for `calls` of an answer. */
export function callsOfAgentItems(newItems: readonly AgentItem[]): ReportedCall[] {
  const ends = new Map<string, Partial<ReportedCall>>();
  for (const { type, rawItem, output } of newItems) {
    const raw = (rawItem ?? {}) as RawItem;
    if (type === 'tool_call_output_item' && raw.callId !== undefined) {
      ends.set(raw.callId, endOfItem(raw, output ?? raw.output));
    }
  }
  return newItems.flatMap(({ type, rawItem }) => {
    if (type !== 'tool_call_item') return [];
    const raw = (rawItem ?? {}) as RawItem;
    const name = raw.name ?? raw.type ?? 'tool';
    const call = { name, ...(raw.arguments !== undefined && { arguments: jsonOrText(raw.arguments) }) };
    // A tool of the provider's own has its result with it.
    const end = raw.callId === undefined ? endOfItem(raw, raw.output) : (ends.get(raw.callId) ?? NO_RESULT);
    return [omitUndefined<ReportedCall>({ ...call, ...end })];
  });
}
