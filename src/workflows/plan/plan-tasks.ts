import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TerminatedFailure,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { createCheckedBefore } from '../../loop/spec/checked-before';
import type { JsonObject } from '../../lib/json/json';
import { materialIn } from '../../loop/step-state/taint';
import { isModelCall } from '../../loop/spec/steps';
import { type InputLimit, inputLimit } from '../../lib/limits/payload-limit';
import { childId } from '../../lib/names/child-id';
import { stateForNode } from '../../kinds/pipeline/state/pipeline-state';
import type { PlanCircumstances } from '../../kinds/plan/state/plan-moves';
import type { HeldResult } from '../../kinds/plan/state/plan-result';
import { beginTask, knownInsights, type PlanState, recordTaskResult } from '../../kinds/plan/state/plan-run';
import type { PlanPreparation } from '../../kinds/plan/state/plan-spec';
import type { PlanSpec, Task } from '../../kinds/plan/contract/plan';
import type { TaskResult } from '../../kinds/plan/contract/plan-results';
import type { ReflectionSpec } from '../../loop/contract/spec';
import type { Step } from '../../loop/contract/steps';
import type { TokenUsage } from '../../lib/contract/values';
import { callStep } from '../functions/call-step';
import { attemptTime, nameOfStep } from '../shared/activity-calls';
import { runChildLoop } from '../loop/child-loop';
import { now } from '../shared/clock';
import { usageOfFailure, stepFailureOf } from '../shared/step-failure';

export interface PlanRun {
  spec: PlanSpec;
  preparation: PlanPreparation;
  state: PlanState;
  held: HeldResult;
  /** Called after every change that a page would show. */
  onChange(): void;
  circumstances(): PlanCircumstances;
}

interface TaskEnd {
  result: Omit<TaskResult, 'taskId' | 'ms'>;
  tokenUsage?: TokenUsage;
}

const RESULTS = ['insights', 'results'];

function stateFor({ spec, state }: PlanRun): JsonObject {
  const done = state.results.filter(({ success }) => success);
  const results = Object.fromEntries(done.map(({ taskId, output = null }) => [taskId, output]));
  return { ...spec.state, goal: spec.goal, insights: knownInsights(state), results };
}

/** Keys of a step's state whose texts are not the author's, with `more` that only this step sees. */
export function materialOf({ spec: { material = [] } }: Pick<PlanRun, 'spec'>, more: readonly string[] = []): string[] {
  return [...new Set([...material, ...RESULTS, ...more])];
}

export function limitOfPlan({ preparation: { maximumResultBytes, storedFromBytes } }: PlanRun): InputLimit {
  return inputLimit({ maximumOutputBytes: maximumResultBytes, storedFromBytes });
}

async function runStep(run: PlanRun, task: Task, step: Step): Promise<TaskEnd> {
  const { settings, actionNeeds, maximumResultBytes: maximumOutputBytes } = run.preparation;
  const described = stateFor(run);
  // The description of a task is part of a model's prompt, so it may read the state, too.
  const needed = stateForNode(described, { action: 'llm.call', prompt: task.description }, actionNeeds);
  const input = {
    step,
    iteration: run.state.attempt,
    task: task.description,
    state: { ...stateForNode(described, step, actionNeeds), ...needed },
    material: materialOf(run),
    model: run.spec.model,
    timeoutMs: attemptTime(settings, isModelCall(step)),
  };
  const how = { summary: `${task.id} · ${nameOfStep(step)}`, limit: limitOfPlan(run) };
  const { output, tokenUsage } = await callStep('generate', { ...settings, maximumOutputBytes }, input, how);
  return { result: { success: true, output }, tokenUsage };
}

function loopId({ state: { attempt } }: PlanRun, { id }: Task): string {
  const own = childId(workflowInfo().workflowId, id);
  return attempt === 1 ? own : `${own}~${attempt}`;
}

async function runLoop(run: PlanRun, task: Task, loop: ReflectionSpec): Promise<TaskEnd> {
  const { model } = run.spec;
  const named = model === undefined ? {} : { model };
  const inherited = materialOf(run).filter((key) => !Object.hasOwn(loop.state ?? {}, key));
  const state = { ...stateFor(run), ...loop.state };
  const spec = { ...named, ...loop, state, ...materialIn(state, [...(loop.material ?? []), ...inherited]) };
  const { known, settings } = run.preparation;
  const before = createCheckedBefore(known, settings.timeouts);
  const result = await runChildLoop(loopId(run, task), spec, limitOfPlan(run), before);
  const { success, finalOutput: output, tokenUsage, convergenceReason, finalEvaluation } = result;
  if (success) return { result: { success, output }, tokenUsage };
  const issues = (finalEvaluation?.issues ?? []).slice(0, 3).map(({ message }) => message);
  const error = `its loop ended as ${convergenceReason}${issues.length > 0 ? `: ${issues.join('; ')}` : ''}`;
  return { result: { success, output, error }, tokenUsage };
}

function errorOfLoop({ cause, message }: ChildWorkflowFailure): string {
  if (cause instanceof CancelledFailure) return 'its loop was cancelled';
  if (cause instanceof TerminatedFailure) return 'its loop was terminated';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return `${type && type !== 'StepFailed' ? `${type}: ` : ''}${cause?.message ?? message}`;
}

function errorOf(error: unknown, task: Task): string {
  if (error instanceof ChildWorkflowFailure) return errorOfLoop(error);
  // Another run has the id, such as the loop of an earlier run of this plan that is still being cancelled.
  if (error instanceof WorkflowExecutionAlreadyStartedError) return `StepFailed: ${error.message}`;
  const { message, type } = stepFailureOf(error, 'action' in task.step && isModelCall(task.step));
  if (error instanceof ActivityFailure && error.cause instanceof TimeoutFailure) return `timeout: ${message}`;
  return type === 'StepFailed' ? message : `${type}: ${message}`;
}

async function runTask(run: PlanRun, task: Task): Promise<void> {
  const { state } = run;
  const started = now();
  beginTask(state, task.id, started, 'loop' in task.step ? loopId(run, task) : undefined);
  run.onChange();
  let end: TaskEnd;
  try {
    end = 'loop' in task.step ? await runLoop(run, task, task.step.loop) : await runStep(run, task, task.step);
  } catch (error) {
    const ofThisRun = CancellationScope.current().consideredCancelled;
    if (ofThisRun || (isCancellation(error) && !(error instanceof ChildWorkflowFailure))) throw error;
    end = { result: { success: false, error: errorOf(error, task) }, tokenUsage: usageOfFailure(error) };
  }
  const result = run.held(state.results, { taskId: task.id, ...end.result, ms: now() - started });
  recordTaskResult(state, result, end.tokenUsage);
  run.onChange();
}

export class TasksUnderWay {
  readonly #tasks = new Map<string, Promise<void>>();

  constructor(private readonly run: PlanRun) {}

  start(task: Task): void {
    const ends = runTask(this.run, task).finally(() => this.#tasks.delete(task.id));
    this.#tasks.set(task.id, ends);
  }

  /** Waits until one of them has ended. Throws when the run is cancelled. */
  async waitForAny(): Promise<void> {
    await Promise.race(this.#tasks.values());
  }
}
