import { ApplicationFailure, isCancellation, log, uuid4 } from '@temporalio/workflow';
import { LARGEST_OUTPUT } from '../../loop/limits/call-loads';
import { asKnown, createCheckedBefore } from '../../loop/spec/checked-before';
import type { Json, JsonObject } from '../../lib/json/json';
import { isModelCall } from '../../loop/spec/steps';
import { stateForNode } from '../../kinds/pipeline/state/pipeline-state';
import { fenceBy } from '../../lib/text/fence';
import { asState } from '../../kinds/plan/state/plan-spec';
import { renderPlanningInput, makePlannerStep, addProblems } from '../../kinds/plan/state/plan-material';
import { finishedTasks, knownInsights, presentResults } from '../../kinds/plan/state/plan-run';
import { renderSuggestionPrompt, readSuggestions } from '../../kinds/plan/reflector/model-suggestions';
import type { Evaluation } from '../../kinds/plan/contract/plan-results';
import type { Plan } from '../../kinds/plan/contract/plan';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { addUsage } from '../../lib/base/tokens';
import { callStep } from '../functions/call-step';
import { attemptTime, callActivity, workOfStep, checkingActivities } from '../shared/activity-calls';
import { limitOfPlan, materialOf, type PlanRun } from './plan-tasks';
import { usageOfFailure, permanentFailure, stepFailureOf } from '../shared/step-failure';
import { RunTimeExceeded } from '../shared/limits-exceeded';

const PLAN_LIMIT = { mostBytes: Infinity, resultBytes: LARGEST_OUTPUT };

/** The fence of prompts. Its codes come from the run, so that a replay draws the same. */
const fence = fenceBy(uuid4);

const TOLD = ['plan', 'evaluation'];

const ANSWERS = 3;

async function answerOf(run: PlanRun, material: string, evaluation?: Evaluation): Promise<Json> {
  const { spec, preparation, state } = run;
  const { settings, actionNeeds } = preparation;
  const results = presentResults(state);
  const planner = makePlannerStep(spec.planner, spec.model);
  const told = asState({
    goal: spec.goal,
    insights: knownInsights(state),
    plan: state.plan ?? null,
    results,
    evaluation: evaluation ?? null,
    plan_material: material,
  });
  const input = {
    step: planner,
    iteration: state.attempt,
    state: stateForNode({ ...spec.state, ...told } as JsonObject, planner, actionNeeds),
    material: materialOf(run, TOLD),
    model: spec.model,
    timeoutMs: attemptTime(settings, isModelCall(planner)),
  };
  const how = { summary: `plan ${state.attempt}`, limit: limitOfPlan(run) };
  const outcome = await callStep('generate', settings, input, how);
  state.tokenUsage = addUsage(state.tokenUsage, outcome.tokenUsage);
  return outcome.output;
}

function materialFor({ spec, preparation: { actions }, state }: PlanRun, evaluation?: Evaluation): string {
  const told = { goal: spec.goal, insights: knownInsights(state), results: presentResults(state), actions };
  return renderPlanningInput({ ...told, plan: state.plan, evaluation }, fence);
}

/** Asks the planner for a plan. The planner gets the problems of an answer that is not a plan, and is asked again. */
export async function makePlan(run: PlanRun, evaluation?: Evaluation): Promise<Plan> {
  const { state } = run;
  let problems: SpecProblem[] = [];
  const material = materialFor(run, evaluation);
  for (let answer = 1; answer <= ANSWERS; answer += 1) {
    const output = await answerOf(run, addProblems(material, problems, fence), evaluation);
    const given = { output, id: `plan-${state.attempt}`, finished: finishedTasks(state) };
    const { known, settings } = run.preparation;
    const before = createCheckedBefore(known, settings.timeouts);
    const read = await checkingActivities('check the plan', before, PLAN_LIMIT).checkPlan({
      ...given,
      ...asKnown(known),
    });
    if ('plan' in read) {
      // Its loops may be checked by a worker of another build.
      Object.assign(run.preparation, asKnown([...new Set([...(known ?? []), ...(read.known ?? [])])]));
      return read.plan;
    }
    problems = read.problems;
  }
  const lines = problems.map(({ path, message }) => `${path === '' ? '(plan)' : path}: ${message}`);
  const message = `The planner gave no plan that can be carried out:\n${lines.join('\n')}`;
  throw permanentFailure('StepFailed', message, [{ step: 'planner' }, problems]);
}

export function plannerFailure(error: unknown, { spec }: PlanRun): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const { type, message, details } = stepFailureOf(error, isModelCall(makePlannerStep(spec.planner, spec.model)));
  return permanentFailure(type, `The planner failed: ${message}`, [{ step: 'planner' }, ...details]);
}

/** Adds what a model suggests. Without one that answers in time, the evaluation stays as the rules made it. */
export async function addSuggestions(run: PlanRun, evaluation: Evaluation): Promise<void> {
  const { spec, preparation, state } = run;
  const { settings } = preparation;
  const { modelCallMs } = settings.timeouts;
  const step = { action: 'llm.call' as const, prompt: '{{ state.plan_review }}' };
  const input = {
    step,
    iteration: state.attempt,
    state: { plan_review: renderSuggestionPrompt(state.plan!, presentResults(state), evaluation, fence, spec.goal) },
    model: spec.model,
    timeoutMs: modelCallMs,
  };
  try {
    const how = {
      summary: `plan ${state.attempt} · suggestions`,
      timeLeftMs: 2 * modelCallMs,
      limit: limitOfPlan(run),
    };
    const { output, tokenUsage } = await callActivity('generate', settings, workOfStep(step), input, how);
    state.tokenUsage = addUsage(state.tokenUsage, tokenUsage);
    const found = typeof output === 'string' ? readSuggestions(output) : [];
    evaluation.suggestions = [...new Set([...evaluation.suggestions, ...found])];
  } catch (error) {
    if (isCancellation(error)) throw error;
    state.tokenUsage = addUsage(state.tokenUsage, usageOfFailure(error));
    const why = error instanceof RunTimeExceeded ? 'no answer in time' : stepFailureOf(error, true).message;
    log.warn(`No model suggested what could be better: ${why}`);
  }
}
