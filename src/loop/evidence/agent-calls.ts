import { omitUndefined } from '../../lib/base/defined';
import type { Json } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import { asJson } from './as-json';
import type { ReportedCall } from './reported-calls';

/** The part of a step of the AI SDK (5 and later) that says which tools were called. */
export interface AiSdkStep {
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input?: unknown }[];
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

/** The fields of a raw item of a call, or of its result. */
interface RawItem {
  type?: string;
  callId?: string;
  id?: string;
  name?: string;
  arguments?: string;
  output?: unknown;
}

/** The result of a call that a model requested and that, as far as is known, was not made. */
const NO_RESULT = 'It has no result: it was not made.';

/** Returns what a tool gave, as JSON. */
function resultOf(value: unknown): Json | undefined {
  return value instanceof Error ? value.message : asJson(value);
}

/** Returns the calls of tools in the `steps` of a result of the AI SDK, for `calls` of an answer. */
export function callsOfAiSdkSteps(steps: readonly AiSdkStep[]): ReportedCall[] {
  return steps.flatMap(({ toolCalls, toolResults, content = [] }) =>
    toolCalls.map(({ toolCallId, toolName: name, input }): ReportedCall => {
      const made = toolResults.find((result) => result.toolCallId === toolCallId);
      const failed = content.find((part) => part.type === 'tool-error' && part.toolCallId === toolCallId);
      // A call without a result was not made: it waits for an approval, for example.
      const result = failed || made ? resultOf(failed ? failed.error : made?.output) : NO_RESULT;
      const isUnmade = failed || !made;
      return omitUndefined<ReportedCall>({
        name,
        arguments: asJson(input),
        result,
        failed: isUnmade ? true : undefined,
      });
    }),
  );
}

/** Returns the calls of tools in the `newItems` of a run of the OpenAI Agents SDK, for `calls` of an answer. */
export function callsOfAgentItems(newItems: readonly AgentItem[]): ReportedCall[] {
  const results = new Map<string, unknown>();
  for (const { type, rawItem, output } of newItems) {
    const { callId, output: raw } = (rawItem ?? {}) as RawItem;
    if (type === 'tool_call_output_item' && callId !== undefined) results.set(callId, output ?? raw);
  }
  return newItems.flatMap(({ type, rawItem }) => {
    if (type !== 'tool_call_item') return [];
    const raw = (rawItem ?? {}) as RawItem;
    const name = raw.name ?? raw.type ?? 'tool';
    const call = { name, ...(raw.arguments !== undefined && { arguments: jsonOrText(raw.arguments) }) };
    // A tool of the provider's own has its result with it.
    if (raw.callId === undefined) return [omitUndefined<ReportedCall>({ ...call, result: resultOf(raw.output) })];
    if (!results.has(raw.callId)) return [omitUndefined<ReportedCall>({ ...call, result: NO_RESULT, failed: true })];
    return [omitUndefined<ReportedCall>({ ...call, result: resultOf(results.get(raw.callId)) })];
  });
}
