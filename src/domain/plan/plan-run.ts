import { addUsage, NO_USAGE, type TokenUsage } from '../tokens';
import { evaluatePlan } from '../reflector/evaluate-plan';
import { evaluateTask } from '../reflector/evaluate-task';
import { type EpisodeInsight, episodeInsights } from '../reflector/episode-insights';
import { resultsInOrder } from '../reflector/failure-patterns';
import type { Evaluation, FailurePattern, Plan, TaskResult } from '../reflector/types';
import type { PlanRunResult, PlanSettings } from './plan-spec';
import { slimResults } from './plan-result';

/** What a run of a plan is at. */
export type PlanPhase = 'preparing' | 'planning' | 'running' | 'reflecting' | 'done';

/** A run of a plan, as plain JSON. */
export interface PlanState {
  phase: PlanPhase;
  /** From 1: the number of the present plan. */
  attempt: number;
  plan?: Plan;
  /** The latest of each task, of earlier plans too. */
  results: TaskResult[];
  running: string[];
  evaluations: Evaluation[];
  patterns: FailurePattern[];
  /** Of earlier runs, as they were recalled. */
  recalled: string[];
  /** Of this run. */
  learned: string[];
  tokenUsage: TokenUsage;
}

/** Where a run begins. */
export function initialPlanState(): PlanState {
  return {
    phase: 'preparing',
    attempt: 1,
    results: [],
    running: [],
    evaluations: [],
    patterns: [],
    recalled: [],
    learned: [],
    tokenUsage: NO_USAGE,
  };
}

/** Notes what came of a task; a later result of a task replaces an earlier one. */
export function takeResult(state: PlanState, result: TaskResult, tokenUsage?: TokenUsage): void {
  state.results = [...state.results.filter(({ taskId }) => taskId !== result.taskId), result];
  state.running = state.running.filter((id) => id !== result.taskId);
  state.tokenUsage = addUsage(state.tokenUsage, tokenUsage);
}

/** Ids of tasks that succeeded, in this plan or in one before: they are not run again. */
export function finishedTasks({ results }: PlanState): string[] {
  return results.filter(({ success }) => success).map(({ taskId }) => taskId);
}

/** Results of the present plan's tasks, in the plan's order. */
export function presentResults({ plan, results }: PlanState): TaskResult[] {
  return plan ? resultsInOrder(plan, results).filter((result) => result !== undefined) : [];
}

/** Judges the tasks that this plan ran, and the plan as a whole. @param ran ids, in the order of their ends */
export function judgePlan(state: PlanState, ran: readonly string[], settings: PlanSettings, at: string): Evaluation {
  const plan = state.plan!;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const results = presentResults(state);
  const ofTasks = ran.flatMap((id) => {
    const [task, result] = [byId.get(id), results.find(({ taskId }) => taskId === id)];
    return task && result ? [evaluateTask(task, result, settings.criteria)] : [];
  });
  const { evaluation, patterns } = evaluatePlan(plan, results, at, settings.criteria);
  state.evaluations.push(...ofTasks, evaluation);
  state.patterns.push(...patterns);
  return evaluation;
}

/** What a plan that was judged teaches; only what is new in this run. */
export function learn(
  state: PlanState,
  { goal, startedAt, endedAt }: { goal: string; startedAt: string; endedAt: string },
  evaluation: Evaluation,
  settings: PlanSettings,
): EpisodeInsight[] {
  const results = presentResults(state);
  const insights = episodeInsights(
    { goal, plan: state.plan!, results, evaluation, startedAt, endedAt },
    settings.criteria,
  ).filter(({ text }) => !state.learned.includes(text));
  state.learned.push(...insights.map(({ text }) => text));
  return insights;
}

/** Whether another plan is to be made. */
export function shouldReplan({ attempt }: PlanState, evaluation: Evaluation, settings: PlanSettings): boolean {
  return evaluation.shouldReplan && attempt <= settings.maxReplanningAttempts;
}

/** What a run hands back. @param maximumBytes of the results as JSON */
export function planResultOf(state: PlanState, success: boolean, maximumBytes: number): PlanRunResult {
  return {
    success,
    plan: state.plan!,
    results: slimResults(presentResults(state), maximumBytes / 2),
    evaluations: state.evaluations,
    patterns: state.patterns,
    replans: state.attempt - 1,
    insights: state.learned,
    tokenUsage: state.tokenUsage,
  };
}
