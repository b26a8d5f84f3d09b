import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  executeChild,
  TerminatedFailure,
  TimeoutFailure,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { WorkflowRequest } from '../../loop/moves/called-workflow';
import { omitUndefined } from '../../lib/base/defined';
import { utf8Bytes } from '../../lib/json/json-bytes';
import type { Json, JsonObject } from '../../lib/json/json';
import type { InputLimit } from '../../lib/limits/payload-limit';
import { LONGEST_ID_BYTES } from '../../lib/names/protocol-text';
import { hasTemplate } from '../../kinds/pipeline/state/pipeline-state';
import type { LoopSettings } from '../../loop/state/loop-settings';
import type { WorkflowEvaluator } from '../../loop/contract/evaluators';
import type { WorkflowStep } from '../../loop/contract/steps';
import { durationText, summaryText } from '../../lib/text/summary-text';
import { type CallOptions, checkingActivities } from '../shared/activity-calls';
import { RunTimeExceeded } from '../shared/limits-exceeded';
import { queueCall } from '../shared/scheduling';
import { permanentFailure } from '../shared/step-failure';
import { failedCall, passOnFailure } from './failed-call';

type CallingPart = WorkflowStep | WorkflowEvaluator;

export interface WorkflowCall extends CallOptions {
  settings: Pick<LoopSettings, 'timeouts'>;
  /** Keys of the state whose texts others wrote. */
  material?: string[] | undefined;
}

function failureOf(error: unknown, called: CallingPart, timeMs: number): unknown {
  if (error instanceof WorkflowExecutionAlreadyStartedError) {
    return failedCall(called.workflow, permanentFailure('StepFailed', error.message));
  }
  if (!(error instanceof ChildWorkflowFailure)) return error;
  const { cause } = error;
  if (cause instanceof ApplicationFailure) return failedCall(called.workflow, passOnFailure(cause));
  const queue = called.taskQueue ?? workflowInfo().taskQueue;
  const why =
    cause instanceof TimeoutFailure
      ? `did not end within ${durationText(timeMs)}: does a worker of the task queue "${queue}" have it?`
      : cause instanceof CancelledFailure
        ? 'was cancelled'
        : cause instanceof TerminatedFailure
          ? 'was terminated'
          : `failed: ${cause?.message ?? error.message}`;
  return failedCall(called.workflow, permanentFailure('StepFailed', `the workflow "${called.workflow}" ${why}`));
}

async function renderWorkflowCall(
  called: CallingPart,
  { task, state, output }: Pick<WorkflowRequest, 'task' | 'state' | 'output'>,
  { material, summary }: WorkflowCall,
): Promise<{ told: { task?: string; with?: Json }; warnings: string[] }> {
  const value = omitUndefined({ task, with: called.with }) as JsonObject;
  if (!hasTemplate(value)) return { told: value, warnings: [] };
  const seen = output === undefined ? state : { ...state, reflection_output: output };
  const input = omitUndefined({ value, state: seen, task, material });
  const { value: told, warnings } = await checkingActivities(`${summary} · render`).renderParameters(input);
  return { told: told as JsonObject, warnings };
}

/** Makes an id of this run's that nothing else has, even after a reset, or a loop run in parallel. */
function idOf({ part, iteration }: WorkflowRequest): string {
  const id = `${workflowInfo().workflowId}/${part}-${iteration}-${uuid4().slice(0, 8)}`;
  if (utf8Bytes(id) <= LONGEST_ID_BYTES) return id;
  const message = `the id of the child run, "…${id.slice(-100)}", would be too long: start this run with a shorter id`;
  throw permanentFailure('StepFailed', message);
}

async function run(
  called: CallingPart,
  request: WorkflowRequest,
  timeMs: number,
  { summary, limit }: { summary: string; limit?: InputLimit | undefined },
): Promise<unknown> {
  const args: [WorkflowRequest] = [request];
  const options = {
    workflowId: idOf(request),
    args,
    ...(called.taskQueue !== undefined && { taskQueue: called.taskQueue }),
    workflowExecutionTimeout: timeMs,
    // Its owner decides what it does about that; this run does not wait for it.
    parentClosePolicy: 'REQUEST_CANCEL' as const,
    cancellationType: 'WAIT_CANCELLATION_REQUESTED' as const,
    staticSummary: summaryText(summary),
  };
  return queueCall('childWorkflow', args, limit, () => executeChild(called.workflow, options));
}

/**
 * Runs a user's workflow as a child, from its start to its end within `timeouts.retryFor` and what the time budget leaves. It is
 * not started twice: its author decides what is tried again. Throws RunTimeExceeded; ActivityFailure for a workflow that has no
 * result; ApplicationFailure `OutputTooLarge` for a request that does not fit into the history; a cancellation of this run.
 */
export async function callWorkflow(
  called: CallingPart,
  request: WorkflowRequest,
  call: WorkflowCall,
): Promise<{ answer: unknown; warnings: string[] }> {
  const { summary, limit, timeLeftMs = Infinity, settings } = call;
  const { retryForMs } = settings.timeouts;
  const timeMs = Math.max(1, Math.min(retryForMs, timeLeftMs));
  const { told, warnings } = await renderWorkflowCall(called, request, call);
  const { task: _task, state, output, ...rest } = request;
  // It is passed beside the state.
  const { reflection_output: _output, ...others } = state;
  const seen = output === undefined ? state : others;
  const given = omitUndefined({ ...rest, ...told, state: seen, output }) as WorkflowRequest;
  try {
    return { answer: await run(called, given, timeMs, { summary, limit }), warnings };
  } catch (error) {
    // That of this run, or of this loop.
    if (CancellationScope.current().consideredCancelled) throw error;
    const isTimeout = error instanceof ChildWorkflowFailure && error.cause instanceof TimeoutFailure;
    if (isTimeout && timeLeftMs < retryForMs) throw new RunTimeExceeded('the time budget is spent');
    throw failureOf(error, called, timeMs);
  }
}
