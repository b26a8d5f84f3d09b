import { type ActivityOptions, type LocalActivityOptions, workflowInfo } from '@temporalio/workflow';
import type {
  EvaluateInput,
  HookInput,
  ReflectionActivities,
  RepairInput,
  StepInput,
  ToolAnswer,
  ToolInput,
} from '../../activities/protocol';
import { asKnown, type CheckedBefore } from '../../domain/spec/checked-before';
import type { Verdict } from '../../domain/state/evaluation';
import type { HookDecision } from '../../domain/loop/hooks';
import type { EvaluatorPlan, LoopSettings, Preparation } from '../../domain/state/loop-settings';
import { isModelCall } from '../../domain/spec/steps';
import type { StepOutcome } from '../../domain/step-state/step-call';
import { type InputLimit, inputLimit } from '../../domain/limits/payload-limit';
import { heartbeatTimeoutOf } from '../../domain/spec/recovery';
import { summaryText } from '../../domain/text/summary-text';
import { modelQueue } from '../../domain/base/task-queues';
import type { Evaluator } from '../../domain/spec/spec';
import { localActivities, remoteActivities } from './activity-proxies';
import { now } from './clock';
import { retriesFor } from './retries';
import { withinTime } from './run-time-exceeded';

/** The SDK's own timeout of a model call must fire first, so that the failure says what happened. */
const GRACE_MS = 10_000;

const LOCAL_TIMEOUT_MS = 30_000;

/** Of a local call: an attempt that cannot even begin within its time cannot say that this is over, and is tried again for ever. */
const LEAST_LOCAL_MS = 250;

/** How a call is made, beside what it is given. */
export interface CallOptions {
  /** Shown in the Web UI's timeline. */
  summary: string;
  /** What the time budget leaves, in milliseconds; absent without one. */
  timeLeftMs?: number | undefined;
  /** Of what the call is given. */
  limit?: InputLimit;
  /** The activity ends by itself in time, and says how; the server's own timeout would have it tried again. */
  endsItself?: boolean;
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

/** What a call runs: a model, or a registered action. */
interface Called {
  model: boolean;
  action?: string | undefined;
}

/** All attempts of a local call together: it waits for no worker, so they count from its beginning. */
function localCallMs({ timeouts: { retryForMs, stepMs } }: CallSettings): number {
  return Math.max(retryForMs, stepMs);
}

function isNearby({ localActions }: Pick<CallSettings, 'localActions'>, action: string | undefined): boolean {
  return action !== undefined && localActions?.includes(action) === true;
}

/**
 * The time from which the time that a budget leaves for a call is counted. A local one is told how much is left by the clock that
 * its result moves: told by another one that is ahead, it would end in time and leave some for another call.
 *
 * @param action that the call runs
 */
export function callTime(settings: Pick<CallSettings, 'localActions'>, action: string | undefined): number {
  return isNearby(settings, action) ? now() : Date.now();
}

/** Makes a call: of a registered action that is cheap, where the workflow runs. */
function made<T>(
  settings: CallSettings,
  called: Called,
  how: CallOptions,
  call: (activities: ReflectionActivities) => Promise<T>,
): Promise<T> {
  const { timeLeftMs = Infinity } = how;
  const isLocal = isNearby(settings, called.action);
  const options = remoteOptions(settings, called.model, how);
  const isLimited = timeLeftMs < (isLocal ? localCallMs(settings) : Infinity);
  return withinTime(isLimited, call(isLocal ? nearby(settings, how, options) : remoteActivities(options, how.limit)));
}

function nearby(
  settings: CallSettings,
  { summary, timeLeftMs = Infinity, limit }: CallOptions,
  elsewhere: ActivityOptions,
): ReflectionActivities {
  const { stepMs, retryForMs } = settings.timeouts;
  const options: LocalActivityOptions = {
    startToCloseTimeout: stepMs,
    scheduleToCloseTimeout: Math.max(LEAST_LOCAL_MS, Math.min(localCallMs(settings), timeLeftMs)),
    retry: retriesFor(retryForMs),
    summary: summaryText(summary),
  };
  return localActivities(options, limit, elsewhere);
}

function calledBy(step: StepInput['step']): Called {
  if (isModelCall(step)) return { model: true };
  return { model: false, ...('action' in step ? { action: step.action } : {}) };
}

function remoteOptions(
  settings: CallSettings,
  model: boolean,
  { summary, timeLeftMs = Infinity, endsItself }: CallOptions,
): ActivityOptions {
  const { timeouts } = settings;
  return {
    startToCloseTimeout: attemptMs(settings, model, { endsItself }),
    // The server keeps the time budget: attempts and the waits between them end with it, and no timer is needed. Without
    // one a call waits for a worker as long as it takes; for how long failures are tried again, the activity knows.
    ...(timeLeftMs === Infinity ? {} : { scheduleToCloseTimeout: timeLeftMs }),
    heartbeatTimeout: heartbeatTimeoutOf(timeouts, model),
    retry: retriesFor(timeouts.retryForMs),
    ...(model ? { taskQueue: modelQueue(workflowInfo().taskQueue) } : {}),
    summary: summaryText(summary),
  };
}

function local(summary: string): LocalActivityOptions {
  return { startToCloseTimeout: LOCAL_TIMEOUT_MS, summary: summaryText(summary) };
}

/** A check, where the workflow runs. What was checked before is checked elsewhere while a name is not known here. */
export function checkingActivities(summary: string, before: CheckedBefore | undefined): ReflectionActivities {
  const options = local(summary);
  if (!before) return localActivities(options);
  return localActivities(options, undefined, { ...options, retry: retriesFor(before.retryForMs) });
}

/**
 * Runs `prepare`: before anything is paid for.
 *
 * @param before of a run that another one started
 */
export function callPrepare(spec: unknown, summary = 'prepare', before?: CheckedBefore): Promise<Preparation> {
  return checkingActivities(summary, before).prepare({ spec, ...asKnown(before?.known) });
}

/** The same for the arguments of `reflectionEvaluate` and `reflectionCorrect`. */
export function callPrepareStandalone(
  kind: 'evaluation' | 'correction',
  request: unknown,
  before?: CheckedBefore,
): Promise<Preparation> {
  const { prepareEvaluation, prepareCorrection } = checkingActivities('prepare', before);
  const given = { request, ...asKnown(before?.known) };
  return kind === 'evaluation' ? prepareEvaluation(given) : prepareCorrection(given);
}

/** Runs a generator. Throws `RunTimeExceeded` when the time budget ends it, as all calls here do. */
export function callGenerate(settings: CallSettings, input: StepInput, how: CallOptions): Promise<StepOutcome> {
  return made(settings, calledBy(input.step), how, (activities) => activities.generate(input));
}

/** Runs a corrector, or the built-in revision. */
export function callRevise(settings: CallSettings, input: StepInput, how: CallOptions): Promise<StepOutcome> {
  return made(settings, calledBy(input.step), how, (activities) => activities.revise(input));
}

/** Runs an action that a model called as a tool. */
export function callTool(settings: CallSettings, input: ToolInput, how: CallOptions): Promise<ToolAnswer> {
  const called = { model: false, action: input.action };
  return made(settings, called, how, (activities) => activities.tool(input));
}

/** Runs the action that a spec names as a hook, or the code that it has there. */
export function callHook(settings: LoopSettings, input: HookInput, how: CallOptions): Promise<HookDecision> {
  const called = { model: false, action: 'action' in input ? input.action : undefined };
  return made(settings, called, how, (activities) => activities.hook(input));
}

/** Runs deterministic evaluators where the workflow runs: their input is not copied into history. */
export function callLocalEvaluators(settings: LoopSettings, input: EvaluateInput, summary: string): Promise<Verdict[]> {
  const { evaluate } = localActivities(local(summary), inputLimit(settings));
  return evaluate(input);
}

/** The action that judges. */
export function actionOf(evaluator: Evaluator | undefined): string | undefined {
  return evaluator?.type === 'function' ? evaluator.action : undefined;
}

/** Asks one judge, or another evaluator that may take long: it gives one verdict. */
export function callJudge(
  settings: LoopSettings,
  input: EvaluateInput,
  how: CallOptions,
  { asksModel }: Pick<EvaluatorPlan, 'asksModel'>,
): Promise<Verdict[]> {
  const [evaluator] = input.evaluators;
  const called = { model: asksModel ?? true, action: actionOf(evaluator) };
  return made(settings, called, { ...how, endsItself: true }, (activities) => activities.evaluate(input));
}

/** Has a judge's unreadable reply read. */
export function callRepair(settings: LoopSettings, input: RepairInput, how: CallOptions): Promise<Verdict> {
  return made(settings, { model: true }, how, (activities) => activities.repair(input));
}
