import type { StepInput } from '../../activities/protocol';
import { unjudgedEvaluation } from '../../loop/evaluation/combine';
import { isJsonObject, type Json, type JsonObject, textOf } from '../../lib/json/json';
import { currentIteration, type StepFailure, type Trigger } from '../../loop/state/loop-state';
import { isModelCall } from '../../loop/spec/steps';
import type { StepOutcome } from '../../loop/step-state/step-call';
import type { WorkflowRequest } from '../../loop/moves/called-workflow';
import type { LoopRun } from './loop-run';
import { recordOfCall } from '../../loop/evidence/call-record';
import type { Step } from '../../loop/contract/steps';
import { boundedTurns } from '../../loop/state/turns';
import { outputSoFar, toolRounds } from '../../loop/step-state/tools';
import type { Turn } from '../../loop/state/model-reply';
import type { ParkedStep } from '../../loop/state/parked-step';
import { nextWaitId, parkStep, takeParkedStep } from '../../loop/state/parking';
import { omitUndefined } from '../../lib/base/defined';
import { conversationRequest } from '../../loop/state/conversations';
import { dueTrigger, reflectsOnFailure, withFailure } from '../../loop/moves/triggers';
import { recordCalls, recordUsage, recordReflection } from '../../loop/state/unfinished-iteration';
import { evidenceRequest, runStepByFunction } from '../functions/call-functions';
import { callStep } from '../functions/call-step';
import { nameOfStep, type CallOptions } from '../shared/activity-calls';
import { now, timestamp } from '../shared/clock';
import { evaluateUnfinished } from './evaluation';
import { reachedLimit } from './unjudged';
import { stepCall } from './step-call';
import { makeReplyCalls, offeredStep, questionsOfRun, type ReplyCalls, settleParked } from './reply-calls';
import { turnsOf } from './tool-calls';
import { usageOfFailure, stepFailureOf } from '../shared/step-failure';
import { BudgetExceeded, RunTimeExceeded, StepParked } from '../shared/limits-exceeded';

export interface StepWork {
  activity: 'generate' | 'revise';
  step: Step;
  /** Shown in the timeline, after the iteration. */
  summary: string;
  /** Returns the input of the built-in revision, at the time of each call. */
  revision?(): StepInput['revision'];
  /** The maximum of output tokens of each call, in addition to the limits of the step and the budget. */
  maxTokens?: number | undefined;
  outputSchema?: JsonObject | undefined;
}

function nextIteration({ state }: LoopRun): number {
  return currentIteration(state) + 1;
}

function summaryOf(run: LoopRun, { summary }: StepWork): string {
  return `#${nextIteration(run)} ${summary}`;
}

function latestVersion({ state }: LoopRun): Pick<WorkflowRequest, 'output' | 'evaluation' | 'issues' | 'evidence'> {
  const { output, evaluation } = state.versions.at(-1)!;
  return { output, evaluation, issues: evaluation.issues, ...evidenceRequest(state) };
}

function send(run: LoopRun, work: StepWork, input: StepInput, how: CallOptions): Promise<StepOutcome> {
  const byFunction = runStepByFunction(run, input, how.timeLeftMs);
  if (byFunction) {
    return byFunction.then(({ reported = {}, ...outcome }) => {
      recordCalls(run.state, reported);
      return outcome;
    });
  }
  const { activity, revision, maxTokens, outputSchema } = work;
  const most = Math.min(input.maxTokens ?? Infinity, maxTokens ?? Infinity);
  const given = {
    ...input,
    maxTokens: most === Infinity ? undefined : most,
    revision: revision?.(),
    outputSchema,
    ...(isModelCall(input.step) && { stream: run.spec.stream }),
  };
  const revised = activity === 'revise' ? latestVersion(run) : {};
  const more = { ...revised, ...conversationRequest(run.state) };
  const called = callStep(activity, run.spec.settings, given, how, more);
  if (isModelCall(input.step)) return called;
  const name = nameOfStep(input.step);
  return called.then(({ measured, reported = {}, ...outcome }) => {
    const whole = recordOfCall({ name, failed: false }, measured);
    recordCalls(run.state, { ...reported, calls: [whole, ...(reported.calls ?? [])] });
    return outcome;
  });
}

async function reflectOn(
  run: LoopRun,
  { turns, steps }: { turns: Turn[]; steps: number },
  trigger: Trigger,
  failure?: StepFailure,
): Promise<void> {
  const output = outputSoFar(turns);
  const judged = output === '' || reachedLimit(run) ? undefined : await evaluateUnfinished(run, output);
  if (!judged && !failure) return;
  const plain = judged?.evaluation ?? unjudgedEvaluation('There was nothing to judge yet.');
  const evaluation = failure ? withFailure(plain, failure) : plain;
  const judgedAt = judged?.judgedAt ?? timestamp();
  recordReflection(run.state, { trigger, afterSteps: steps, evaluation, timestamp: judgedAt });
  const { issues, suggestions } = evaluation;
  if (issues.length > 0 || suggestions.length > 0) turns.push({ role: 'review', trigger, issues, suggestions });
  run.onChange();
}

/** Adds the turns of the step to its input. A step that is not a model call finds the issues of reviews among its errors. */
function addTurns(input: StepInput, turns: readonly Turn[]): StepInput {
  if (isModelCall(input.step)) return turns.length === 0 ? input : { ...input, turns: boundedTurns(turns) };
  const reviews = turns.flatMap((turn) => (turn.role === 'review' ? turn.issues : []));
  const { reflection_errors: errors } = input.state;
  if (reviews.length === 0 || !Array.isArray(errors)) return input;
  const more = reviews.map(({ message }): Json => ({ message }));
  return { ...input, state: { ...input.state, reflection_errors: [...errors.filter(isJsonObject), ...more] } };
}

function withTurns(outcome: StepOutcome, turns: readonly Turn[]): StepOutcome {
  const { reply } = outcome;
  return reply && turns.length > 0 ? { ...outcome, reply: { ...reply, turns: boundedTurns(turns) } } : outcome;
}

/**
 * Carries out a step to its end: one call, unless a model may call tools or a trigger may ask for more. Not `async`, see
 * `remoteActivities`. Throws BudgetExceeded when the budget is spent before the step is done; StepParked when it waits for a
 * person.
 */
export function completeStep(run: LoopRun, given: StepWork): Promise<StepOutcome> {
  const work = { ...given, step: offeredStep(run, given.step) };
  if (toolRounds(work.step) > 0 || run.spec.settings.triggers) return completeInRounds(run, work);
  const { input, how } = stepCall(run, work.step, nextIteration(run), summaryOf(run, work));
  return send(run, work, input, how);
}

interface StepSoFar {
  turns: Turn[];
  steps: number;
  recovered: boolean;
  reply?: ReplyCalls & Pick<ParkedStep, 'said' | 'toolCalls'>;
}

async function resumeStep(run: LoopRun, { step }: StepWork): Promise<StepSoFar> {
  const { state } = run;
  // No call is made twice, whatever becomes of the step from here.
  const parked = takeParkedStep(state);
  if (parked?.iteration !== nextIteration(run)) return { turns: [], steps: 0, recovered: false };
  const { turns, steps, recovered = false, said, toolCalls } = parked;
  const settled = await settleParked(run, step, parked);
  const reply = { said, toolCalls, ...settled };
  // A person has until then, whatever the person has to decide again.
  if (settled.waits.length > 0) park(run, { turns, steps, recovered, reply }, parked);
  return { turns: [...turns], steps, recovered, reply };
}

function park(run: LoopRun, { turns, steps, recovered, reply }: Required<StepSoFar>, before?: ParkedStep): never {
  const { state, spec } = run;
  const { said, toolCalls, results, waits } = reply;
  recordCalls(state, { calls: results.flatMap((result) => result?.record ?? []) });
  if (reachedLimit(run)) throw new BudgetExceeded();
  const since = before?.since ?? now();
  const { wallClockMs = Infinity } = spec.settings.budget ?? {};
  parkStep(state, {
    iteration: nextIteration(run),
    turns: boundedTurns(turns),
    steps,
    ...(recovered && { recovered }),
    said,
    toolCalls,
    // They are in the record already.
    results: results.map((result) => result && omitUndefined({ ...result, record: undefined })),
    waits: waits.map((wait) => ({ ...wait, id: nextWaitId(state, wait.kind) })),
    since,
    until: before?.until ?? Math.min(since + questionsOfRun(run).timeoutMs, state.startedAt + wallClockMs),
  });
  throw new StepParked();
}

/**
 * Carries out a step to its end: one model call an activity, and between two of them the tools that the model called, side by
 * side, and the evaluations of the work so far that its triggers ask for. Throws BudgetExceeded when the budget is spent before
 * the step is done; StepParked when it waits for a person.
 */
async function completeInRounds(run: LoopRun, work: StepWork): Promise<StepOutcome> {
  const { state, spec } = run;
  const { triggers } = spec.settings;
  const limit = toolRounds(work.step);
  const resumed = state.parked ? await resumeStep(run, work) : undefined;
  const turns: Turn[] = resumed?.turns ?? [];
  let steps = resumed?.steps ?? 0;
  let recovered = resumed?.recovered ?? false;
  let reply = resumed?.reply;
  for (;;) {
    if (!reply) {
      const later = steps === 0 ? '' : ` · step ${steps + 1}`;
      const { input, how } = stepCall(run, work.step, nextIteration(run), `${summaryOf(run, work)}${later}`);
      const last = limit > 0 && steps + 1 >= limit ? { withoutTools: true as const } : {};
      let outcome: StepOutcome;
      try {
        outcome = await send(run, work, { ...addTurns(input, turns), ...last }, how);
      } catch (error) {
        if (error instanceof RunTimeExceeded || recovered || !triggers) throw error;
        const failure = stepFailureOf(error, isModelCall(work.step));
        if (!reflectsOnFailure(triggers, failure)) throw error;
        recovered = true;
        const tokenUsage = usageOfFailure(error);
        if (tokenUsage) recordUsage(state, { tokenUsage, warnings: [] });
        await reflectOn(run, { turns, steps }, 'error', failure);
        if (reachedLimit(run)) throw error;
        continue;
      }
      const { toolCalls } = outcome;
      if (!toolCalls || toolCalls.length === 0) return withTurns(outcome, turns);
      recordUsage(state, outcome);
      run.onChange();
      steps += 1;
      const calls = await makeReplyCalls(run, work.step, toolCalls, turns);
      reply = { said: textOf(outcome.output), toolCalls, ...calls };
    }
    if (reply.waits.length > 0) park(run, { turns, steps, recovered, reply });
    const results = reply.results.filter((result) => result !== null);
    recordCalls(state, { calls: results.flatMap(({ record }) => record ?? []) });
    turns.push(...turnsOf(reply.said, reply.toolCalls, results));
    reply = undefined;
    const trigger = dueTrigger(triggers, { steps, tools: results });
    if (trigger) await reflectOn(run, { turns, steps }, trigger);
    if (reachedLimit(run)) throw new BudgetExceeded();
  }
}
