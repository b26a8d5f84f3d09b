import { APPROVED_BYTES } from '../../loop/commands/answer';
import { omitUndefined } from '../../lib/base/defined';
import { utf8Bytes } from '../../lib/json/json-bytes';
import type { ToolCall } from '../../lib/models/types';
import { MOST_TOOL_CALLS } from '../../loop/base/maxima';
import type { Step } from '../../loop/contract/steps';
import {
  describeChangedCall,
  noMoreQuestions,
  resultWithoutCall,
  TOO_LONG_TO_APPROVE,
  withDecision,
} from '../../loop/moves/person-results';
import { isModelCall } from '../../loop/spec/steps';
import { DEFAULT_QUESTIONS, type QuestionSettings } from '../../loop/state/loop-settings';
import { currentIteration } from '../../loop/state/loop-state';
import type { ToolResult } from '../../loop/state/model-reply';
import { noteUnusedAnswer } from '../../loop/state/command-log';
import type { OpenWait, ParkedStep } from '../../loop/state/parked-step';
import { ASK_PERSON, readQuestion } from '../../loop/step-state/ask-person';
import { toolName } from '../../loop/step-state/tools';
import { now } from '../shared/clock';
import { RunTimeExceeded } from '../shared/limits-exceeded';
import { stepFailureOf } from '../shared/step-failure';
import type { LoopRun } from './loop-run';
import { stepCall } from './step-call';
import { failedRecord, type MadeToolCall, makeToolCall, refuseToolCall, toolResult } from './tool-calls';

/** A wait that has no id yet. */
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

/** Runs the action that a model requested. Whatever goes wrong is reported to the model, as the tool's answer. */
async function callTool(run: LoopRun, step: Step, call: ToolCall, isApproved = false): Promise<MadeToolCall> {
  const iteration = currentIteration(run.state) + 1;
  const tools = isModelCall(step) ? (step.tools ?? []) : [];
  const names = tools.map(toolName).join(', ');
  if (!tools.includes(call.name)) {
    return { result: toolResult(call, `There is no tool of that name. There are: ${names}`, true) };
  }
  const { input, how } = stepCall(run, { action: call.name }, iteration, `#${iteration} tool · ${call.name}`);
  const { task, state } = input;
  try {
    return await makeToolCall(run, call, { iteration, task, state, ...(isApproved && { approved: true }) }, how);
  } catch (error) {
    if (error instanceof RunTimeExceeded) throw error;
    const { message } = stepFailureOf(error, false);
    return { result: toolResult(call, `The tool failed: ${message}`, true, failedRecord(call, message)) };
  }
}

/** Makes a call, unless it needs the approval of a person, and there is one who can give it. */
async function callUnlessGuarded(
  run: LoopRun,
  step: Step,
  call: ToolCall,
  index: number,
): Promise<ToolResult | NewWait> {
  const { result, needsApproval, safeArguments } = await callTool(run, step, call);
  if (!needsApproval || !run.isServed) return result;
  if (utf8Bytes(call.arguments) > APPROVED_BYTES) {
    return toolResult(call, TOO_LONG_TO_APPROVE, true, failedRecord(call, TOO_LONG_TO_APPROVE, safeArguments));
  }
  return { kind: 'approval', call: index, ...omitUndefined({ safeArguments }) };
}

function isWait(end: ToolResult | NewWait): end is NewWait {
  return 'kind' in end;
}

function sortCalls(ends: readonly (ToolResult | NewWait)[]): ReplyCalls {
  return { results: ends.map((end) => (isWait(end) ? null : end)), waits: ends.filter(isWait) };
}

/** Makes the calls of a reply side by side, but for those that a person has to answer or to approve. */
export async function makeReplyCalls(run: LoopRun, step: Step, toolCalls: readonly ToolCall[]): Promise<ReplyCalls> {
  const { asks, most } = questionsOfRun(run);
  let left = questionsLeft(run);
  const ask = (call: ToolCall, index: number): ToolResult | NewWait => {
    const question = readQuestion(call.arguments);
    if (typeof question === 'string') return toolResult(call, question, true);
    if (left <= 0) return toolResult(call, noMoreQuestions(most), true);
    left -= 1;
    return { kind: 'question', call: index, ...question };
  };
  const isQuestion = ({ name }: ToolCall): boolean => asks === true && run.isServed === true && name === ASK_PERSON;
  const ends = await Promise.all(
    toolCalls.map(async (call, index) => {
      if (index >= MOST_TOOL_CALLS) return refuseToolCall(call, MOST_TOOL_CALLS);
      return isQuestion(call) ? ask(call, index) : callUnlessGuarded(run, step, call, index);
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
  const changed = wait.answer?.arguments;
  const sent = changed ? { ...call, arguments: JSON.stringify(changed) } : call;
  const { result, invalid } = await callTool(run, step, sent, true);
  if (changed && invalid && now() < parked.until) {
    noteUnusedAnswer(run.state, wait.id, result.content);
    const { safeArguments } = wait;
    return { kind: 'approval', call: wait.call, ...omitUndefined({ safeArguments }), problem: result.content };
  }
  const decided = withDecision(result, wait, parked, call);
  return changed ? { ...decided, content: describeChangedCall(wait, result.content) } : decided;
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
