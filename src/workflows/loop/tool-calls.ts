import { omitUndefined } from '../../lib/base/defined';
import type { ToolInput } from '../../activities/protocol';
import { jsonBytes } from '../../lib/json/json-bytes';
import type { ToolCall } from '../../lib/models/types';
import type { CallRecord } from '../../loop/contract/calls';
import { recordOfCall } from '../../loop/evidence/call-record';
import { callRules } from '../../loop/evidence/call-rules';
import type { ParsedArguments } from '../../loop/state/parked-step';
import type { ToolResult, Turn } from '../../loop/state/model-reply';
import { shortenText, TOOL_RESULT_CHARACTERS } from '../../loop/step-state/tools';
import { callActivity, workOfStep, type CallOptions } from '../shared/activity-calls';
import type { LoopRun } from './loop-run';

export function toolResult({ id, name }: ToolCall, content: string, failed: boolean, record?: CallRecord): ToolResult {
  const answer = { role: 'tool' as const, toolCallId: id, name };
  return { ...answer, content: shortenText(content, TOOL_RESULT_CHARACTERS), failed, ...(record && { record }) };
}

export function failedRecord(
  { name, arguments: given }: ToolCall,
  message: string,
  safeArguments?: string,
  unmade?: true,
): CallRecord {
  return recordOfCall({ name, arguments: given, safeArguments, result: message, failed: true, unmade });
}

/** Every call needs an answer, or the provider refuses the next request. */
export function refuseToolCall(call: ToolCall, most: number): ToolResult {
  return toolResult(call, `This was not called: a reply may call ${most} tools.`, true);
}

export interface MadeToolCall {
  result: ToolResult;
  invalid?: true;
  needsApproval?: true;
  safeArguments?: string;
  /** The arguments after `input`, if the call needs approval. */
  parsed?: ParsedArguments;
}

/** Bytes of conditions that each call is given: they are in the history once for each call. */
const CONDITIONS_BYTES = 16 * 1024;

function conditionsOf({ spec }: LoopRun, name: string): ToolInput['rules'] {
  const rules = spec.tasks
    .flatMap(({ evaluator }) => callRules(evaluator))
    .filter((rule) => rule.name === name && (rule.arguments !== undefined || rule.result !== undefined))
    .map((rule) => omitUndefined({ arguments: rule.arguments, result: rule.result }));
  return rules.length === 0 || jsonBytes(rules) > CONDITIONS_BYTES ? undefined : rules;
}

export async function makeToolCall(
  run: LoopRun,
  call: ToolCall,
  given: Omit<ToolInput, 'action' | 'guarded' | 'checked' | 'rules' | 'arguments'>,
  how: CallOptions,
): Promise<MadeToolCall> {
  const { settings } = run.spec;
  const isGuarded = settings.questions?.approvals?.includes(call.name);
  const named = isGuarded ? { action: '', guarded: call.name } : { action: call.name };
  const rules = given.byJudge ? undefined : conditionsOf(run, call.name);
  const input = { ...named, arguments: call.arguments, ...given, ...(rules && { rules }) };
  const answer = await callActivity('tool', settings, workOfStep({ action: call.name }), input, how);
  const { content, failed, measured, invalid, needsApproval, parsed } = answer;
  const made = {
    name: call.name,
    arguments: call.arguments,
    result: content,
    failed,
    unmade: invalid ?? needsApproval,
  };
  const result = toolResult(call, content, failed, recordOfCall(made, measured));
  const safeArguments = measured?.redacted?.arguments;
  return { result, ...omitUndefined({ invalid, needsApproval, safeArguments, parsed }) };
}

export function turnsOf(said: string, toolCalls: ToolCall[], results: readonly ToolResult[]): Turn[] {
  return [
    { role: 'assistant', content: said, toolCalls },
    ...results.map(({ failed: _failed, record: _record, ...result }) => result),
  ];
}
