import type { PersonalDecision } from '../contract/calls';
import { shortenArguments, recordOfCall } from '../evidence/call-record';
import { canonicalJson } from '../../lib/json/canonical-json';
import type { JsonObject } from '../../lib/json/json';
import { jsonOrText } from '../../lib/json/json-or-text';
import type { ToolCall } from '../../lib/models/types';
import { renderCount } from '../../lib/text/counted';
import { withoutKeys, withoutKeysInside } from '../../lib/text/keys';
import type { QuestionSettings } from '../state/loop-settings';
import type { ToolResult, Turn } from '../state/model-reply';
import type { OpenWait, ParkedStep } from '../state/parked-step';
import { ASK_PERSON } from '../step-state/ask-person';
import { shortenText, TOOL_RESULT_CHARACTERS } from '../step-state/tools';

export const NOT_APPROVABLE =
  'This call was not made: it needs the approval of a person, and no person can give it in this run.';

/** The reason why an approved call waits once more. */
export const OTHER_ARGUMENTS =
  '`input` of the action made other arguments than were decided about. It is made with these once they are approved.';

export const TOO_LONG_TO_APPROVE =
  'This call was not made: it needs the approval of a person, and its arguments are too long for that.';

/** The result of a question after the last one that a run may ask. */
export function noMoreQuestions(most: number): string {
  return `This was not asked: the run has asked ${most === 1 ? 'its one question' : `all of its ${most} questions`}. Go on with what you know, and state what you assume.`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function renderSpan(ms: number): string {
  if (ms >= 2 * DAY_MS) return renderCount(Math.round(ms / DAY_MS), 'day');
  if (ms >= 2 * HOUR_MS) return renderCount(Math.round(ms / HOUR_MS), 'hour');
  if (ms >= 2 * MINUTE_MS) return renderCount(Math.round(ms / MINUTE_MS), 'minute');
  return renderCount(Math.max(1, Math.round(ms / 1_000)), 'second');
}

function decisionOf(wait: OpenWait, { until }: Pick<ParkedStep, 'until'>, call: ToolCall): PersonalDecision {
  const { answer } = wait;
  if (!answer) return { decision: 'unanswered', at: new Date(until).toISOString() };
  const { by, at, reason } = answer;
  // A change that `input` made another of was approved once more.
  const decision = answer.decision === 'approved' && wait.changed ? 'changed' : answer.decision;
  const proposed =
    decision === 'changed'
      ? shortenArguments(withoutKeysInside(jsonOrText(wait.safeArguments ?? call.arguments))).arguments
      : undefined;
  return {
    decision,
    ...(by !== undefined && { by }),
    at,
    ...(reason !== undefined && { reason: withoutKeys(reason) }),
    ...(proposed !== undefined && { proposed }),
  };
}

export function withDecision(
  result: ToolResult,
  wait: OpenWait,
  parked: Pick<ParkedStep, 'until'>,
  call: ToolCall,
): ToolResult {
  const { record } = result;
  return record ? { ...result, record: { ...record, person: decisionOf(wait, parked, call) } } : result;
}

/** A call that was made is another one each time, so only refused and unanswered ones are found. */
export function earlierAnswer(turns: readonly Turn[], call: ToolCall): ToolResult | undefined {
  const json = (text: string): string => canonicalJson(text.trim() === '' ? {} : jsonOrText(text));
  const wanted = json(call.arguments);
  let calls: readonly ToolCall[] = [];
  for (const turn of turns) {
    if (turn.role === 'assistant') calls = turn.toolCalls;
    if (turn.role !== 'tool' || !turn.isFinal || turn.name !== call.name) continue;
    const before = calls.find(({ id }) => id === turn.toolCallId);
    if (before && json(before.arguments) === wanted)
      return { ...turn, toolCallId: call.id, failed: call.name !== ASK_PERSON };
  }
  return undefined;
}

const CHANGED_CHARACTERS = 4_000;

function describeEnd(wait: OpenWait, settings: QuestionSettings): { content: string; failed: boolean } {
  const { answer, kind } = wait;
  const within = renderSpan(settings.timeoutMs);
  if (kind === 'question') {
    if (answer) return { content: answer.text ?? '', failed: false };
    if (settings.defaultAnswer !== undefined) return { content: settings.defaultAnswer, failed: false };
    const content = `There was no answer within ${within}. Go on with what you know, and state what you assume.`;
    return { content, failed: true };
  }
  if (!answer) return { content: `This call was not made: no person approved it within ${within}.`, failed: true };
  const why = answer.reason === undefined ? 'no reason is given' : answer.reason;
  return { content: `This call was not made: a person refused it. Why: ${why}`, failed: true };
}

export function resultWithoutCall(
  call: ToolCall,
  wait: OpenWait,
  parked: Pick<ParkedStep, 'since' | 'until'>,
  settings: QuestionSettings,
): ToolResult {
  const { content, failed } = describeEnd(wait, settings);
  const { at } = wait.answer ?? {};
  const endedAt = at ?? new Date(parked.until).toISOString();
  const { safeArguments } = wait;
  const unmade = wait.kind === 'approval';
  const called = { name: call.name, arguments: call.arguments, safeArguments, result: content, failed, unmade };
  const made = recordOfCall(called);
  const record = { ...made, startedAt: new Date(parked.since).toISOString(), endedAt };
  const isPersons = wait.answer !== undefined;
  const result: ToolResult = {
    role: 'tool',
    toolCallId: call.id,
    name: call.name,
    content: shortenText(content, TOOL_RESULT_CHARACTERS),
    ...(isPersons && { byPerson: true as const }),
    isFinal: true,
    failed,
    record,
  };
  return withDecision(result, wait, parked, call);
}

/** The result of a call that was made with the arguments of a person, as the model gets it. */
export function describeChangedCall({ answer }: OpenWait, given: JsonObject, content: string): string {
  const why = answer?.reason === undefined ? '' : ` Why: ${answer.reason}`;
  const changed = shortenText(JSON.stringify(given), CHANGED_CHARACTERS);
  const text = `A person changed the arguments of this call to ${changed}.${why}\nThe result of the call:\n${content}`;
  return shortenText(text, TOOL_RESULT_CHARACTERS);
}
