import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { planPage, type PlanProgress, planProgress } from '../domain/plan/plan-page';
import {
  initialPlanState,
  judgePlan,
  learn,
  type PlanPhase,
  planResultOf,
  shouldReplan,
} from '../domain/plan/plan-run';
import type { PlanRunResult, PlanSpec } from '../domain/plan/plan-spec';
import type { Evaluation } from '../domain/reflector/types';
import type { RunStatus } from '../domain/run-status';
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes';
import { callKeep, callRecall } from './memory-calls';
import { addSuggestions, callPreparePlan, makePlan, plannerFailure } from './plan-calls';
import { allSucceeded, type PlanRun, runTasks } from './plan-tasks';
import { prepared } from './step-failure';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** Where a plan stands. */
export const planProgressQuery = defineQuery<PlanProgress>('progress');

function now(): string {
  return new Date(Date.now()).toISOString();
}

function enter(run: PlanRun, phase: PlanPhase): void {
  run.state.phase = phase;
  run.onChange();
}

function list({ preparation }: PlanRun, status: RunStatus): void {
  if (preparation.searchAttributes) upsertSearchAttributes([{ key: STATUS, value: status }]);
}

/** Judges what was done, learns from it, and keeps what was learned. */
async function reflectUpon(run: PlanRun, ran: readonly string[], startedAt: string): Promise<Evaluation> {
  const { spec, preparation, state } = run;
  const { settings } = preparation;
  enter(run, 'reflecting');
  const endedAt = now();
  const evaluation = judgePlan(state, ran, settings, endedAt);
  if (settings.enableLlmReflection) await addSuggestions(run, evaluation);
  const insights = learn(state, { goal: spec.goal, startedAt, endedAt }, evaluation, settings);
  const { memory } = settings;
  if (memory?.store && insights.length > 0) {
    const numbered = insights.map((insight, index) => ({
      ...insight,
      iteration: state.attempt,
      kind: `plan/${index + 1}`,
    }));
    const outcome = evaluation.success ? 'success' : 'failure';
    await callKeep(settings, {
      agent: memory.agent,
      type: 'plan',
      source: 'episode',
      tags: [outcome],
      insights: numbered,
      ...(memory.expiresAfter === undefined ? {} : { expiresAfter: memory.expiresAfter }),
    });
  }
  return evaluation;
}

/** The next plan; undefined when there is none, and the run ends with what it has. */
async function replan(run: PlanRun, evaluation: Evaluation): Promise<boolean> {
  const { state } = run;
  state.attempt += 1;
  enter(run, 'planning');
  try {
    state.plan = await makePlan(run, evaluation);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(plannerFailure(error, run).message);
    state.attempt -= 1;
    return false;
  }
}

/** Plans, carries out, judges and plans again. */
async function reach(run: PlanRun): Promise<boolean> {
  const { spec, preparation, state } = run;
  const { settings } = preparation;
  const { memory } = settings;
  if (memory && memory.recall > 0 && settings.enableReflection) {
    state.recalled = await callRecall(settings, { agent: memory.agent, query: spec.goal, limit: memory.recall });
  }
  if (spec.plan) state.plan = spec.plan;
  else {
    enter(run, 'planning');
    try {
      state.plan = await makePlan(run);
    } catch (error) {
      if (isCancellation(error)) throw error;
      throw plannerFailure(error, run);
    }
  }
  for (;;) {
    const startedAt = now();
    enter(run, 'running');
    const ran = await runTasks(run);
    if (!settings.enableReflection) return allSucceeded(run);
    const evaluation = await reflectUpon(run, ran, startedAt);
    if (evaluation.success || !shouldReplan(state, evaluation, settings)) return evaluation.success;
    if (!(await replan(run, evaluation))) return false;
  }
}

/**
 * Reaches a goal by a plan of tasks: runs them, independent ones side by side, judges what came of each and of the whole, plans
 * anew where that could help, and keeps what was learned for the next run.
 */
export async function planReflection(spec: PlanSpec): Promise<PlanRunResult> {
  const state = initialPlanState();
  setHandler(planProgressQuery, () => planProgress(state));
  const preparation = await prepared(callPreparePlan(spec));
  const run: PlanRun = { spec, preparation, state, onChange: () => setCurrentDetails(planPage(spec.goal, state)) };
  list(run, 'running');
  try {
    const success = await reach(run);
    enter(run, 'done');
    list(run, success ? 'succeeded' : 'exhausted');
    return planResultOf(state, success, preparation.maximumResultBytes);
  } catch (error) {
    if (!CancellationScope.current().consideredCancelled) list(run, 'failed');
    throw error;
  }
}
