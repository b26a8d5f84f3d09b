import type { ApplicationFailure } from '@temporalio/common';
import {
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import { heldResults } from '../../kinds/plan/state/plan-result';
import {
  canHandOver,
  type CarriedPlan,
  explainTooLarge,
  mayWaitNext,
  nextPlanMove,
  type PlanCircumstances,
  type PlanMove,
} from '../../kinds/plan/state/plan-moves';
import { renderKeptPage } from '../../loop/page/kept-page';
import { renderPlanPage, planProgress } from '../../kinds/plan/page/plan-page';
import type { PlanProgress, PlanPhase, PlanRunResult } from '../../kinds/plan/contract/plan-results';
import {
  beginPlan,
  initialPlanState,
  judgePlan,
  learn,
  planResultOf,
  warn,
  markOfPlan,
} from '../../kinds/plan/state/plan-run';
import type { PlanSpec, PlanSpecInput } from '../../kinds/plan/contract/plan';
import { expandPlanSpec } from '../../kinds/plan/state/plan-spec';
import { asMoved } from '../../loop/spec/short-form';
import type { RunStatus } from '../../loop/state/success';
import { callKeep, callRecall } from '../shared/memory-calls';
import { addSuggestions, makePlan, plannerFailure } from './plan-calls';
import { limitOfPlan, type PlanRun, TasksUnderWay } from './plan-tasks';
import { keepFailedPage, keepPage, showPage, withRetry } from '../shared/kept-page';
import { progressGuard } from '../shared/progress-guard';
import { RunList } from '../shared/run-list';
import { timestamp } from '../shared/clock';
import { waitUntilEndFits } from '../shared/scheduling';
import { keepRules, nextRunOptions, versioningOptions } from '../shared/versioning';
import { checkingActivities } from '../shared/activity-calls';
import { handOver, handOverCircumstances } from '../shared/hand-over';
import { permanentFailure, awaitPreparation } from '../shared/step-failure';
import { refuseCommands } from '../signals/refuse-commands';

/** The state of a plan and of its tasks. */
export const planProgressQuery = defineQuery<PlanProgress>('progress');

function enter(run: PlanRun, phase: PlanPhase): void {
  run.state.phase = phase;
  run.onChange();
}

async function list({ preparation }: PlanRun, status: RunStatus): Promise<void> {
  const runList = new RunList(preparation);
  runList.setStatus(status);
  await runList.waitUntilSet();
}

async function reflectUpon(run: PlanRun): Promise<void> {
  const { spec, preparation, state } = run;
  const { settings } = preparation;
  enter(run, 'reflecting');
  const endedAt = timestamp();
  const evaluation = judgePlan(state, settings, endedAt);
  if (settings.enableLlmReflection) await addSuggestions(run, evaluation);
  const insights = learn(state, { goal: spec.goal, endedAt }, evaluation, settings);
  const { memory } = settings;
  if (memory?.store && insights.length > 0) {
    const numbered = insights.map((insight, index) => ({
      ...insight,
      iteration: state.attempt,
      kind: `plan/${index + 1}`,
    }));
    const outcome = evaluation.success ? 'success' : 'failure';
    const { agent, expiresAfter } = memory;
    const kept = { agent, type: 'plan', source: 'episode', tags: [outcome], insights: numbered, expiresAfter };
    const { warning } = await callKeep(settings, kept);
    warn(state, warning);
  }
}

/** Makes the next plan. Without one the run ends with the results that it has. */
async function replan(run: PlanRun): Promise<void> {
  const { state } = run;
  state.attempt += 1;
  enter(run, 'planning');
  try {
    state.plan = await makePlan(run, state.evaluations.at(-1));
    delete state.startedAt;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(plannerFailure(error, run).message);
    state.attempt -= 1;
    state.givenUp = true;
  }
}

async function beginWith(run: PlanRun): Promise<void> {
  const { spec, preparation, state } = run;
  const { settings } = preparation;
  const { memory } = settings;
  if (memory && memory.recall > 0 && settings.enableReflection) {
    const asked = { agent: memory.agent, query: spec.goal, limit: memory.recall };
    const { value, warning } = await callRecall(settings, asked);
    state.recalled = value;
    warn(state, warning);
  }
  if (spec.plan) {
    state.plan = spec.plan;
    return;
  }
  enter(run, 'planning');
  try {
    state.plan = await makePlan(run);
  } catch (error) {
    if (isCancellation(error)) throw error;
    throw plannerFailure(error, run);
  }
}

type RunEnd = Extract<PlanMove, { kind: 'end' | 'hand_over' }>;

async function reach(run: PlanRun): Promise<RunEnd> {
  const { preparation, state } = run;
  const { settings } = preparation;
  const tasks = new TasksUnderWay(run);
  const turn = progressGuard('A plan');
  run.onChange();
  for (;;) {
    turn(markOfPlan(state));
    const move = nextPlanMove(state, settings, run.circumstances());
    switch (move.kind) {
      case 'plan':
        await beginWith(run);
        break;
      case 'begin':
        beginPlan(state, timestamp());
        enter(run, 'running');
        break;
      case 'start':
        tasks.start(move.task);
        break;
      case 'wait':
        await tasks.waitForAny();
        break;
      case 'judge':
        await reflectUpon(run);
        break;
      case 'replan':
        await replan(run);
        break;
      case 'full':
        throw tooLargeFailure(run);
      default:
        return move;
    }
  }
}

function circumstancesOf({ spec, state, preparation }: PlanRun, tasksBefore: number): PlanCircumstances {
  return {
    ...handOverCircumstances(),
    tasksBefore,
    fits: () => canHandOver(spec, { state, preparation }),
  };
}

function tooLargeFailure({ state, preparation }: PlanRun): ApplicationFailure {
  const done = planResultOf(state, false, preparation.maximumResultBytes);
  return permanentFailure('OutputTooLarge', explainTooLarge({ state, preparation }), [{ step: 'plan' }, done]);
}

/**
 * Reaches a goal through a plan of tasks: runs them, independent ones in parallel, evaluates each result and the whole
 * plan, replans if another plan could help, and stores what was learned for the next run.
 *
 * @param given the spec, with the loops of its plan in their short or their long form
 * @param carried the state that the previous run of the same chain passes on; leave it out when you start the workflow
 */
export async function planReflection(given: PlanSpecInput, carried?: CarriedPlan): Promise<PlanRunResult> {
  const { value, moved } = expandPlanSpec(given);
  const spec = value as PlanSpec;
  const state = keepRules(carried?.state ?? initialPlanState(), carried !== undefined);
  const description = 'Where the plan and each of its tasks stand.';
  setHandler(planProgressQuery, () => withRetry(planProgress(spec?.goal, state)), { description });
  let isChecked = false;
  const show = () => isChecked && showPage(renderPlanPage(spec.goal, state));
  const loops = () => state.running.flatMap(({ workflowId }) => workflowId ?? []);
  refuseCommands({ what: 'plan', state, loops, show });
  const check = () => checkingActivities('prepare').preparePlan({ spec, ...asMoved(moved) });
  const preparation = carried?.preparation ?? (await awaitPreparation(check()));
  isChecked = true;
  const { tasksRun } = state;
  const run: PlanRun = {
    spec,
    preparation,
    state,
    held: heldResults(),
    onChange: show,
    circumstances: () => circumstancesOf(run, tasksRun),
  };
  if (!carried) await list(run, 'running');
  let end: RunEnd;
  try {
    end = await reach(run);
  } catch (error) {
    if (!CancellationScope.current().consideredCancelled) await list(run, 'failed');
    keepFailedPage(error, renderPlanPage(spec.goal, state));
    throw error;
  }
  if (end.kind === 'hand_over') {
    const options = nextRunOptions(mayWaitNext(state));
    return handOver<typeof planReflection>(options, limitOfPlan(run), spec, { state, preparation });
  }
  enter(run, 'done');
  await list(run, end.success ? 'succeeded' : 'exhausted');
  const result = planResultOf(state, end.success, preparation.maximumResultBytes);
  keepPage(renderKeptPage(renderPlanPage(spec.goal, state)));
  await waitUntilEndFits(result, limitOfPlan(run));
  return result;
}

setWorkflowOptions(versioningOptions, planReflection);
