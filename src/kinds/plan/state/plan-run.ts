import type { TurnMark } from '../../../lib/base/turns';
import type { Ruled } from '../../../loop/base/rules';
import { omitUndefined } from '../../../lib/base/defined';
import type { PlanPhase, Evaluation, FailurePattern, TaskResult, PlanRunResult } from '../contract/plan-results';
import { addUsage, NO_USAGE } from '../../../lib/base/tokens';
import type { TokenUsage } from '../../../lib/contract/values';
import { evaluatePlan, evaluateTask } from '../reflector/evaluate-plan';
import { type EpisodeInsight, listEpisodeInsights } from '../reflector/episode-insights';
import { orderResults } from '../reflector/failure-patterns';
import type { Plan, Task } from '../contract/plan';
import type { PlanSettings } from './plan-spec';
import { reduceToFit, latestWithin, jsonBytes } from '../../../lib/json/json-bytes';
import { payloadLimit } from '../../../lib/limits/payload-limit';
import { limitResults } from './plan-result';

/** A run of a plan, as plain JSON. */
export interface PlanState extends Ruled {
  phase: PlanPhase;
  attempt: number;
  plan?: Plan;
  results: TaskResult[];
  /** The tasks under way. `startedAt`: epoch milliseconds. `workflowId`: the run of a loop. */
  running: { id: string; startedAt: number; workflowId?: string }[];
  /** The time at which the present plan began; ISO 8601. */
  startedAt?: string;
  /** Ids of the tasks that the present plan has run, in the order of their ends. */
  ran: string[];
  tasksRun: number;
  /** Ids of the runs of loops, by task: the latest of each. */
  loops: Record<string, string>;
  evaluations: Evaluation[];
  /** The number of evaluations when the present plan began. */
  evaluatedBefore: number;
  patterns: FailurePattern[];
  /** Insights of earlier runs, as they were recalled. */
  recalled: string[];
  /** Insights of this run. */
  learned: string[];
  tokenUsage: TokenUsage;
  /** Warnings about what the run had to do without, each once. */
  warnings?: string[];
  /** The latest messages that were refused because they are for a loop. */
  refused?: string[];
  /** Whether the planner gave no other plan: the run ends with what it has. */
  givenUp?: true;
}

export function warn(state: PlanState, warning: string | undefined): void {
  if (warning !== undefined) state.warnings = [...new Set([...(state.warnings ?? []), warning])];
}

export function initialPlanState(): PlanState {
  return {
    phase: 'preparing',
    attempt: 1,
    results: [],
    running: [],
    ran: [],
    tasksRun: 0,
    loops: {},
    evaluations: [],
    evaluatedBefore: 0,
    patterns: [],
    recalled: [],
    learned: [],
    tokenUsage: NO_USAGE,
  };
}

/** Begins the present plan. Failures of the plan before do not count in it. */
export function beginPlan(state: PlanState, at: string): void {
  state.startedAt = at;
  state.ran = [];
  state.evaluatedBefore = state.evaluations.length;
  const finished = new Set(finishedTasks(state));
  state.results = state.results.filter(({ success }) => success);
  state.loops = Object.fromEntries(Object.entries(state.loops).filter(([id]) => finished.has(id)));
}

/** `now`: epoch milliseconds. */
export function beginTask(state: PlanState, id: string, now: number, workflowId?: string): void {
  state.running.push(omitUndefined({ id, startedAt: now, workflowId }));
  // An assignment would set the prototype for a task called `__proto__`.
  if (workflowId !== undefined) state.loops = { ...state.loops, [id]: workflowId };
}

export function recordTaskResult(state: PlanState, result: TaskResult, tokenUsage?: TokenUsage): void {
  state.results = [...state.results.filter(({ taskId }) => taskId !== result.taskId), result];
  state.running = state.running.filter(({ id }) => id !== result.taskId);
  state.ran.push(result.taskId);
  state.tasksRun += 1;
  state.tokenUsage = addUsage(state.tokenUsage, tokenUsage);
}

/** Lists the insights of this run and of earlier ones, the newest first. */
export function knownInsights({ learned, recalled }: PlanState): string[] {
  return [...learned, ...recalled];
}

/** Lists the ids of tasks that succeeded, in this plan or in one before: they are not run again. */
export function finishedTasks({ results }: PlanState): string[] {
  return results.filter(({ success }) => success).map(({ taskId }) => taskId);
}

export function presentResults({ plan, results }: PlanState): TaskResult[] {
  return plan ? orderResults(plan, results).filter((result) => result !== undefined) : [];
}

export function judgePlan(state: PlanState, settings: PlanSettings, at: string): Evaluation {
  const plan = state.plan!;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const results = presentResults(state);
  const ofTasks = state.ran.flatMap((id) => {
    const [task, result] = [byId.get(id), results.find(({ taskId }) => taskId === id)];
    return task && result ? [evaluateTask(task, result, settings.criteria)] : [];
  });
  const { evaluation, patterns } = evaluatePlan(plan, results, at, settings.criteria);
  state.evaluations.push(...ofTasks, evaluation);
  state.patterns.push(...patterns);
  return evaluation;
}

/** Finds only what is new in this run. */
export function learn(
  state: PlanState,
  { goal, endedAt }: { goal: string; endedAt: string },
  evaluation: Evaluation,
  settings: PlanSettings,
): EpisodeInsight[] {
  const results = presentResults(state);
  const insights = listEpisodeInsights(
    { goal, plan: state.plan!, results, evaluation, startedAt: state.startedAt ?? endedAt, endedAt },
    settings.criteria,
  ).filter(({ text }) => !state.learned.includes(text));
  state.learned.push(...insights.map(({ text }) => text));
  return insights;
}

export function shouldReplan({ attempt }: PlanState, evaluation: Evaluation, settings: PlanSettings): boolean {
  return evaluation.shouldReplan && attempt <= settings.maxReplanningAttempts;
}

const withoutStep = ({ step, ...task }: Task): Task => ({
  ...task,
  step: { run: `(${jsonBytes(step)} bytes of step are left out)` },
});

const FOUND_BYTES = 64 * 1_024;

export function planResultOf(state: PlanState, success: boolean, maximumBytes: number): PlanRunResult {
  const results = presentResults(state);
  const whole: PlanRunResult = {
    success,
    plan: state.plan!,
    results: limitResults(results, maximumBytes / 2),
    evaluations: state.evaluations,
    patterns: state.patterns,
    replans: state.attempt - 1,
    insights: state.learned,
    warnings: state.warnings,
    tokenUsage: state.tokenUsage,
  };
  const most = payloadLimit({ maximumOutputBytes: maximumBytes });
  return reduceToFit(whole, most, [
    ({ plan, ...rest }) => ({ ...rest, plan: { ...plan, tasks: plan.tasks.map(withoutStep) } }),
    (each) => ({ ...each, evaluations: latestWithin(each.evaluations, FOUND_BYTES) }),
    (each) => ({
      ...each,
      patterns: latestWithin(each.patterns, FOUND_BYTES),
      insights: latestWithin(each.insights, FOUND_BYTES),
    }),
    (each) => ({ ...each, results: limitResults(results, 0) }),
  ]);
}

export function markOfPlan({ phase, plan, results, running, ran, startedAt, givenUp, ...rest }: PlanState): TurnMark {
  const tasks = [results, running.length, ran.length, rest.tasksRun];
  return [phase, rest.attempt, plan, startedAt, givenUp, rest.evaluations.length, ...tasks];
}
