import { plan as planShape, type Plan, planSpec, type PlanSpec } from '../contract/plan';
import { step } from '../../../loop/contract/steps';
import { MAXIMUM_TASKS, CRITERIA_DEFAULTS, PLAN_DEFAULTS } from '../base/defaults';
import { expandPlan, type PlanSettings } from '../state/plan-spec';
import { orderProblems } from '../state/plan-order';
import { omitUndefined } from '../../../lib/base/defined';
import { memorySettings } from '../../../loop/spec/memory-spec';
import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { timeoutsOf } from '../../../loop/parse/settings';
import { moveBelow, formProblems, readForm } from '../../../lib/contract/form-problems';
import { parseSpec } from '../../../loop/parse/spec';
import { omitNulls } from '../../../loop/spec/omit-nulls';
import { allProblems } from '../../../loop/spec/short-form';

function stepProblems(given: unknown): SpecProblem[] {
  if (given === undefined) return [{ path: '', message: 'is required' }];
  if (!isJsonObject(given) || !('loop' in given)) return formProblems(step, given);
  const { loop, ...others } = given;
  const parsed = parseSpec(loop);
  return [
    ...Object.keys(others).map((key) => ({ path: `/${key}`, message: 'unknown field beside `loop`' })),
    ...('problems' in parsed ? parsed.problems.map(moveBelow('/loop')) : []),
  ];
}

/** Reads a plan: the plan, or every problem of its form. `finished` are ids of tasks that an earlier plan has done. */
export function parsePlan(
  given: unknown,
  finished: readonly string[] = [],
): { plan: Plan } | { problems: SpecProblem[] } {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'a plan must be a JSON object' }] };
  const expanded = expandPlan(given);
  const value = expanded.value as JsonObject;
  const form = readForm(planShape, value);
  const listed: unknown = value['tasks'];
  const tasks = (Array.isArray(listed) ? (listed as unknown[]) : []).slice(0, MAXIMUM_TASKS);
  const problems = allProblems(expanded, [
    ...form.problems,
    ...tasks.flatMap((each, index) =>
      isJsonObject(each) ? stepProblems(each['step']).map(moveBelow(`/tasks/${index}/step`)) : [],
    ),
    ...(form.data ? orderProblems(form.data.tasks, finished).map(moveBelow('/tasks')) : []),
  ]);
  return form.data && problems.length === 0 ? { plan: form.data } : { problems };
}

export function parsePlanSpec(given: unknown): { spec: PlanSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(given)) return { problems: [{ path: '', message: 'a plan spec must be a JSON object' }] };
  const value = omitNulls(given);
  const form = readForm(planSpec, value);
  const plan = value['plan'] === undefined ? undefined : parsePlan(value['plan']);
  const problems = [...form.problems, ...(plan && 'problems' in plan ? plan.problems.map(moveBelow('/plan')) : [])];
  if (!form.data || problems.length > 0) return { problems };
  return { spec: plan && 'plan' in plan ? { ...form.data, plan: plan.plan } : form.data };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function planSettings(spec: PlanSpec): PlanSettings {
  const { enableReflection, enableLlmReflection, maxReplanningAttempts } = { ...PLAN_DEFAULTS, ...omitUndefined(spec) };
  const { criteria, memory, timeouts } = spec;
  return {
    criteria: { ...CRITERIA_DEFAULTS, ...criteria },
    enableReflection,
    enableLlmReflection,
    maxReplanningAttempts,
    ...(memory ? { memory: memorySettings(memory) } : {}),
    timeouts: timeoutsOf(timeouts),
  };
}
