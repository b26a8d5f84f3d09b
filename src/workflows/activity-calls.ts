import { type ActivityOptions, type LocalActivityOptions, workflowInfo } from '@temporalio/workflow';
import type {
  EvaluateInput,
  HookInput,
  ReflectionActivities,
  RepairInput,
  StepInput,
  ToolAnswer,
  ToolInput,
} from '../activities/protocol';
import type { Verdict } from '../domain/evaluation';
import type { HookDecision } from '../domain/hooks';
import type { EvaluatorPlan, LoopSettings, Preparation } from '../domain/loop-settings';
import { isModelCall } from '../domain/next-move';
import { inputLimit } from '../domain/payload-limit';
import { heartbeatTimeoutOf } from '../domain/recovery';
import { summaryText } from '../domain/summary-text';
import { modelQueue } from '../domain/task-queues';
import type { StepOutcome } from '../domain/transitions';
import { localActivities, remoteActivities } from './activity-proxies';
import { retriesFor } from './retries';
import { withinTime } from './time-is-up';

/** The SDK's own timeout of a model call must fire first, so that the failure says what happened. */
const GRACE_MS = 10_000;

const LOCAL_TIMEOUT_MS = 30_000;

/** How a call is made, beside what it is given. */
export interface CallOptions {
  /** Shown in the Web UI's timeline. */
  summary: string;
  /** What the time budget leaves, in milliseconds; absent without one. */
  timeLeftMs?: number;
  /** Bytes of what the call is given at most. */
  mostBytes?: number;
  /** The activity ends by itself in time, and says how; the server's own timeout would have it tried again. */
  endsItself?: true;
}

/** What a call needs of the settings of its run. */
type CallSettings = Pick<LoopSettings, 'timeouts' | 'localActions'>;

function attemptMs(
  { timeouts: { modelCallMs, stepMs } }: CallSettings,
  model: boolean,
  { endsItself }: { endsItself?: boolean | undefined },
): number {
  return model ? modelCallMs + GRACE_MS : stepMs + (endsItself ? GRACE_MS : 0);
}

/** All attempts of a call together. The first one has its time, however little there is for others. */
function callMs(settings: CallSettings, model: boolean, how: { endsItself?: boolean | undefined }): number {
  return Math.max(settings.timeouts.retryForMs, attemptMs(settings, model, how));
}

/** Activities as a call needs them: of a registered action that is cheap, where the workflow runs. */
function activitiesFor(
  settings: CallSettings,
  called: { model: boolean; action?: string | undefined },
  how: CallOptions,
): ReflectionActivities {
  const isLocal = called.action !== undefined && settings.localActions?.includes(called.action);
  return isLocal ? nearby(settings, how) : remote(settings, called.model, how);
}

function nearby(
  settings: CallSettings,
  { summary, timeLeftMs = Infinity, mostBytes }: CallOptions,
): ReflectionActivities {
  const { stepMs, retryForMs } = settings.timeouts;
  const options: LocalActivityOptions = {
    startToCloseTimeout: stepMs,
    scheduleToCloseTimeout: Math.min(Math.max(retryForMs, stepMs), timeLeftMs),
    retry: retriesFor(retryForMs),
    summary: summaryText(summary),
  };
  return localActivities(options, mostBytes);
}

function calledBy(step: StepInput['step']): { model: boolean; action?: string } {
  if (isModelCall(step)) return { model: true };
  return { model: false, ...('action' in step ? { action: step.action } : {}) };
}

function remote(
  settings: CallSettings,
  model: boolean,
  { summary, timeLeftMs = Infinity, endsItself, mostBytes }: CallOptions,
): ReflectionActivities {
  const { timeouts } = settings;
  const options: ActivityOptions = {
    startToCloseTimeout: attemptMs(settings, model, { endsItself }),
    // The server keeps the time budget: attempts and the waits between them end with it, and no timer is needed.
    scheduleToCloseTimeout: Math.min(callMs(settings, model, { endsItself }), timeLeftMs),
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, model),
    retry: retriesFor(timeouts.retryForMs),
    ...(model ? { taskQueue: modelQueue(workflowInfo().taskQueue) } : {}),
    summary: summaryText(summary),
  };
  return remoteActivities(options, mostBytes);
}

function local(summary: string): LocalActivityOptions {
  return { startToCloseTimeout: LOCAL_TIMEOUT_MS, summary: summaryText(summary) };
}

/** Runs `prepare`: before anything is paid for. */
export function callPrepare(spec: unknown, summary = 'prepare'): Promise<Preparation> {
  const { prepare } = localActivities(local(summary));
  return prepare({ spec });
}

/** The same for the arguments of `reflectionEvaluate` and `reflectionCorrect`. */
export function callPrepareStandalone(kind: 'evaluation' | 'correction', request: unknown): Promise<Preparation> {
  const { prepareEvaluation, prepareCorrection } = localActivities(local('prepare'));
  return kind === 'evaluation' ? prepareEvaluation({ request }) : prepareCorrection({ request });
}

function isLimited(
  settings: CallSettings,
  model: boolean,
  { timeLeftMs = Infinity, endsItself }: CallOptions,
): boolean {
  return timeLeftMs < callMs(settings, model, { endsItself });
}

/** Runs a generator. Throws `TimeIsUp` when the time budget ends it, as all calls here do. */
export function callGenerate(settings: CallSettings, input: StepInput, how: CallOptions): Promise<StepOutcome> {
  return withinTime(
    isLimited(settings, isModelCall(input.step), how),
    activitiesFor(settings, calledBy(input.step), how).generate(input),
  );
}

/** Runs a corrector, or the built-in revision. */
export function callRevise(settings: CallSettings, input: StepInput, how: CallOptions): Promise<StepOutcome> {
  return withinTime(
    isLimited(settings, isModelCall(input.step), how),
    activitiesFor(settings, calledBy(input.step), how).revise(input),
  );
}

/** Runs an action that a model called as a tool. */
export function callTool(settings: CallSettings, input: ToolInput, how: CallOptions): Promise<ToolAnswer> {
  const activities = activitiesFor(settings, { model: false, action: input.action }, how);
  return withinTime(isLimited(settings, false, how), activities.tool(input));
}

/** Runs the action that a spec names as a hook, or the code that it has there. */
export function callHook(settings: LoopSettings, input: HookInput, how: CallOptions): Promise<HookDecision> {
  const action = 'action' in input ? input.action : undefined;
  const activities = activitiesFor(settings, { model: false, action }, how);
  return withinTime(isLimited(settings, false, how), activities.hook(input));
}

/** Runs deterministic evaluators where the workflow runs: their input is not copied into history. */
export function callLocalEvaluators(settings: LoopSettings, input: EvaluateInput, summary: string): Promise<Verdict[]> {
  const { evaluate } = localActivities(local(summary), inputLimit(settings));
  return evaluate(input);
}

/** Asks one judge, or another evaluator that may take long. */
export async function callJudge(
  settings: LoopSettings,
  input: EvaluateInput,
  how: CallOptions,
  { asksModel }: Pick<EvaluatorPlan, 'asksModel'>,
): Promise<Verdict> {
  const itself: CallOptions = { ...how, endsItself: true };
  const [evaluator] = input.evaluators;
  const action = evaluator?.type === 'function' ? evaluator.action : undefined;
  const activities = activitiesFor(settings, { model: asksModel ?? true, action }, itself);
  const [verdict] = await withinTime(isLimited(settings, asksModel ?? true, itself), activities.evaluate(input));
  return verdict!;
}

/** Has a judge's unreadable reply read. */
export function callRepair(settings: LoopSettings, input: RepairInput, how: CallOptions): Promise<Verdict> {
  return withinTime(isLimited(settings, true, how), remote(settings, true, how).repair(input));
}
