import { APPROVED_BYTES } from '../../loop/commands/answer';
import type { ToolInput } from '../../activities/protocol';
import { omitUndefined } from '../../lib/base/defined';
import { sha256 } from '../../lib/base/sha256';
import { canonicalJson } from '../../lib/json/canonical-json';
import { isJsonObject, type Json } from '../../lib/json/json';
import { utf8Bytes } from '../../lib/json/json-bytes';
import type { ToolCall } from '../../lib/models/types';
import type { AnswerPayload } from '../../loop/base/command-payloads';
import { MOST_TOOL_CALLS } from '../../loop/base/maxima';
import type { Step } from '../../loop/contract/steps';
import {
  describeChangedCall,
  earlierAnswer,
  noMoreQuestions,
  OTHER_ARGUMENTS,
  resultWithoutCall,
  TOO_LONG_TO_APPROVE,
  withDecision,
} from '../../loop/moves/person-results';
import { isModelCall } from '../../loop/spec/steps';
import { DEFAULT_QUESTIONS, type QuestionSettings } from '../../loop/state/loop-settings';
import { currentIteration } from '../../loop/state/loop-state';
import type { ToolResult, Turn } from '../../loop/state/model-reply';
import { noteUnusedAnswer } from '../../loop/state/command-log';
import type { OpenWait, ParkedStep } from '../../loop/state/parked-step';
import { openWaits } from '../../loop/state/parking';
import { ASK_PERSON, readQuestion } from '../../loop/step-state/ask-person';
import { toolName } from '../../loop/step-state/tools';
import { now } from '../shared/clock';
import { RunTimeExceeded } from '../shared/limits-exceeded';
import { stepFailureOf } from '../shared/step-failure';
import { callActivity, workOfStep } from '../shared/activity-calls';
import type { LoopRun } from './loop-run';
import { stepCall } from './step-call';
import { failedRecord, type MadeToolCall, makeToolCall, refuseToolCall, toolResult } from './tool-calls';

type NewWait = Omit<OpenWait, 'id'>;

/** The calls of one reply: those that were made have a result, the others wait for a person. */
export interface ReplyCalls {
  results: (ToolResult | null)[];
  waits: NewWait[];
}

/** Returns the settings of questions and approvals; the defaults for a run whose spec was checked without an approval. */
export function questionsOfRun({ spec }: LoopRun): QuestionSettings {
  return spec.settings.questions ?? DEFAULT_QUESTIONS;
}

function questionsLeft(run: LoopRun): number {
  return questionsOfRun(run).most - (run.state.asked?.question ?? 0);
}

/** Returns a step as its model is offered it: without the built-in tool where no person can answer, or no question is left. */
export function offeredStep(run: LoopRun, step: Step): Step {
  if (!isModelCall(step) || !run.spec.settings.questions?.asks) return step;
  const mayAsk = run.isServed && (questionsLeft(run) > 0 || run.state.parked !== undefined);
  return mayAsk ? step : { ...step, tools: step.tools?.filter((name) => name !== ASK_PERSON) };
}

async function callTool(
  run: LoopRun,
  step: Step,
  call: ToolCall,
  approval?: Pick<ToolInput, 'approved' | 'seen'>,
): Promise<MadeToolCall> {
  const iteration = currentIteration(run.state) + 1;
  const tools = isModelCall(step) ? (step.tools ?? []) : [];
  const names = tools.map(toolName).join(', ');
  if (!tools.includes(call.name)) {
    return { result: toolResult(call, `There is no tool of that name. There are: ${names}`, true) };
  }
  const { input, how } = stepCall(run, { action: call.name }, iteration, `#${iteration} tool · ${call.name}`);
  const { task, state } = input;
  try {
    return await makeToolCall(run, call, { iteration, task, state, ...approval }, how);
  } catch (error) {
    if (error instanceof RunTimeExceeded) throw error;
    const { message, type } = stepFailureOf(error, false);
    const unmade = type === 'UnknownAction' || undefined;
    return {
      result: toolResult(call, `The tool failed: ${message}`, true, failedRecord(call, message, undefined, unmade)),
    };
  }
}

async function callUnlessGuarded(
  run: LoopRun,
  step: Step,
  call: ToolCall,
  index: number,
  turns: readonly Turn[],
): Promise<ToolResult | NewWait> {
  const known = earlierAnswer(turns, call);
  if (known) return known;
  const made = await callTool(run, step, call);
  return made.needsApproval && run.isServed ? approvalWait(call, index, made) : made.result;
}

function approvalWait(
  call: ToolCall,
  index: number,
  { parsed, safeArguments }: Pick<MadeToolCall, 'parsed' | 'safeArguments'>,
): ToolResult | NewWait {
  if (utf8Bytes(parsed?.shown ?? call.arguments) > APPROVED_BYTES) {
    return toolResult(call, TOO_LONG_TO_APPROVE, true, failedRecord(call, TOO_LONG_TO_APPROVE, safeArguments, true));
  }
  return { kind: 'approval', call: index, ...omitUndefined({ safeArguments, parsed }) };
}

const CHECK_MS = 20_000;

/**
 * Checks the arguments with which a person changes a call by `input` of its action, before they are taken.
 * @returns why they are refused; undefined if they are not, or if no worker says so in time: they are checked again when the call
 *   is made. No promise where there is nothing to check
 */
export function checkChange(run: LoopRun, payload: unknown): Promise<string | undefined> | undefined {
  const { to, arguments: changed } = payload as Partial<AnswerPayload>;
  const wait = openWaits(run.state).find(({ id }) => id === to);
  const name = wait && run.state.parked?.toolCalls[wait.call]?.name;
  if (!name || !isJsonObject(changed as Json)) return undefined;
  const iteration = currentIteration(run.state) + 1;
  const { input, how } = stepCall(run, { action: name }, iteration, `#${iteration} check of ${wait.id} · ${name}`);
  const { task, state } = input;
  const given = { action: '', checked: name, arguments: JSON.stringify(changed), iteration, task, state };
  const limited = { ...how, timeLeftMs: Math.min(how.timeLeftMs ?? CHECK_MS, CHECK_MS) };
  return callActivity('tool', run.spec.settings, workOfStep({ action: name }), given, limited).then(
    ({ invalid, content }) => (invalid ? content : undefined),
    () => undefined,
  );
}

function isWait(end: ToolResult | NewWait): end is NewWait {
  return 'kind' in end;
}

function sortCalls(ends: readonly (ToolResult | NewWait)[]): ReplyCalls {
  return { results: ends.map((end) => (isWait(end) ? null : end)), waits: ends.filter(isWait) };
}

export async function makeReplyCalls(
  run: LoopRun,
  step: Step,
  toolCalls: readonly ToolCall[],
  turns: readonly Turn[],
): Promise<ReplyCalls> {
  const { asks, most } = questionsOfRun(run);
  let left = questionsLeft(run);
  const ask = (call: ToolCall, index: number): ToolResult | NewWait => {
    const question = readQuestion(call.arguments);
    if (typeof question === 'string') return toolResult(call, question, true);
    const known = earlierAnswer(turns, call);
    if (known) return known;
    if (left <= 0) return toolResult(call, noMoreQuestions(most), true);
    left -= 1;
    return { kind: 'question', call: index, ...question };
  };
  const isQuestion = ({ name }: ToolCall): boolean => asks === true && run.isServed === true && name === ASK_PERSON;
  const ends = await Promise.all(
    toolCalls.map(async (call, index) => {
      if (index >= MOST_TOOL_CALLS) return refuseToolCall(call, MOST_TOOL_CALLS);
      return isQuestion(call) ? ask(call, index) : callUnlessGuarded(run, step, call, index, turns);
    }),
  );
  return sortCalls(ends);
}

/** Makes a call that a person approved. Arguments of the person's own that are invalid leave the decision open. */
async function callApproved(
  run: LoopRun,
  step: Step,
  parked: ParkedStep,
  { wait, call }: { wait: OpenWait; call: ToolCall },
): Promise<ToolResult | NewWait> {
  const { answer, safeArguments } = wait;
  const changed = answer?.arguments ?? wait.changed;
  const sent = changed ? { ...call, arguments: JSON.stringify(changed) } : call;
  const seen = answer?.arguments ? sha256(canonicalJson(answer.arguments)) : wait.parsed?.digest;
  const made = await callTool(run, step, sent, { approved: true, ...omitUndefined({ seen }) });
  const { result, invalid, needsApproval } = made;
  if (needsApproval && now() >= parked.until) {
    return resultWithoutCall(call, omitUndefined({ ...wait, answer: undefined }), parked, questionsOfRun(run));
  }
  if (needsApproval) {
    const again = approvalWait(sent, wait.call, { ...made, ...omitUndefined({ safeArguments }) });
    return isWait(again) ? { ...again, ...omitUndefined({ changed }), problem: OTHER_ARGUMENTS } : again;
  }
  if (changed && invalid && now() < parked.until) {
    noteUnusedAnswer(run.state, wait.id, result.content);
    const { parsed } = wait;
    return { kind: 'approval', call: wait.call, ...omitUndefined({ safeArguments, parsed }), problem: result.content };
  }
  const decided = withDecision(result, wait, parked, call);
  return changed ? { ...decided, content: describeChangedCall(wait, changed, result.content) } : decided;
}

/** Settles what a parked step waited for, as a person decided it, or as no person did in time. */
export async function settleParked(run: LoopRun, step: Step, parked: ParkedStep): Promise<ReplyCalls> {
  const byCall = new Map(parked.waits.map((wait) => [wait.call, wait]));
  const ends = await Promise.all(
    parked.toolCalls.map(async (call, index) => {
      const wait = byCall.get(index);
      if (!wait) return parked.results[index]!;
      const { decision } = wait.answer ?? {};
      return decision === 'approved' || decision === 'changed'
        ? callApproved(run, step, parked, { wait, call })
        : resultWithoutCall(call, wait, parked, questionsOfRun(run));
    }),
  );
  return sortCalls(ends);
}
