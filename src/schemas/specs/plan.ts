import { z } from 'zod';
import type { PlanSettings, PlanSpec } from '../../domain/plan/plan-spec';
import { MAXIMUM_REPLANS, MAXIMUM_TASKS } from '../../domain/plan/plan-spec';
import { orderProblems } from '../../domain/plan/plan-order';
import { HIGHEST_WEIGHT, LONGEST_MS } from '../../domain/base/maxima';
import { DEFAULT_CRITERIA } from '../../domain/reflector/criteria';
import { memorySettings } from '../../domain/spec/memory-spec';
import { isJsonObject } from '../../domain/base/json';
import type { Plan } from '../../domain/reflector/types';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { addJsonSchemaHints } from '../../contract/json-schema-hints';
import { memory } from '../../contract/memory';
import { timeoutsOf } from './settings';
import { loopSpec } from '../../contract/spec';
import { timeouts } from '../../contract/loop-options';
import { formProblems, parseSpec } from './spec';
import { step } from '../../contract/steps';
import { jsonObject, nameText, share, stateKeys } from '../../contract/values';

/** Part of a run's id, where `/` parts the plan from its task. */
const taskId = z.string().regex(/^[^/\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters, without "/"');

/** What a task does is checked by hand, so that mistakes are told for the form that was meant. */
const taskStep = z.unknown();
addJsonSchemaHints(taskStep, { forms: () => [step, z.strictObject({ loop: loopSpec })] });

export const taskForm = z.strictObject({
  id: taskId,
  description: z.string().min(1).max(4_000),
  step: taskStep,
  dependsOn: z.array(z.string()).max(MAXIMUM_TASKS).optional(),
  expectedMs: z.number().positive().max(LONGEST_MS).optional(),
});

export const planForm = z.strictObject({
  id: z.string().min(1).max(200),
  tasks: z
    .array(taskForm)
    .min(1, 'must have at least one task')
    .max(MAXIMUM_TASKS, `must have at most ${MAXIMUM_TASKS} tasks`),
});

const planPart = z.unknown();
addJsonSchemaHints(planPart, { forms: () => [planForm] });

export const criteriaForm = z.strictObject({
  minSuccessRate: share.optional(),
  maxExecutionTimeMultiplier: z.number().positive().max(HIGHEST_WEIGHT).optional(),
  requireAllTasksComplete: z.boolean().optional(),
  checkOutputQuality: z.boolean().optional(),
});

export const planSpecForm = z.strictObject({
  goal: z.string().min(1).max(20_000),
  plan: planPart.optional(),
  planner: step.optional(),
  criteria: criteriaForm.optional(),
  enableReflection: z.boolean().optional(),
  enableLlmReflection: z.boolean().optional(),
  maxReplanningAttempts: z.int().min(0).max(MAXIMUM_REPLANS).optional(),
  memory: memory.optional(),
  state: jsonObject.optional(),
  material: stateKeys.optional(),
  model: nameText.optional(),
  timeouts: timeouts.optional(),
});

const below =
  (path: string) =>
  (problem: SpecProblem): SpecProblem => ({ ...problem, path: `${path}${problem.path}` });

function problemsOf(form: z.ZodType, value: unknown): SpecProblem[] {
  return form.safeParse(value).error?.issues.flatMap((issue) => formProblems(issue, value)) ?? [];
}

function stepProblems(given: unknown): SpecProblem[] {
  if (given === undefined) return [{ path: '', message: 'is required' }];
  if (!isJsonObject(given) || !('loop' in given)) return problemsOf(step, given);
  const { loop, ...others } = given;
  const parsed = parseSpec(loop);
  return [
    ...Object.keys(others).map((key) => ({ path: `/${key}`, message: 'unknown field beside `loop`' })),
    ...('problems' in parsed ? parsed.problems.map(below('/loop')) : []),
  ];
}

/** Reads a plan: the plan, or every mistake of its form. `finished` are ids of tasks that an earlier plan has done. */
export function parsePlan(
  value: unknown,
  finished: readonly string[] = [],
): { plan: Plan } | { problems: SpecProblem[] } {
  if (!isJsonObject(value)) return { problems: [{ path: '', message: 'a plan must be a JSON object' }] };
  const form = planForm.safeParse(value);
  const listed: unknown = value['tasks'];
  const tasks = (Array.isArray(listed) ? (listed as unknown[]) : []).slice(0, MAXIMUM_TASKS);
  const problems = [
    ...problemsOf(planForm, value),
    ...tasks.flatMap((each, index) =>
      isJsonObject(each) ? stepProblems(each['step']).map(below(`/tasks/${index}/step`)) : [],
    ),
    ...(form.success ? orderProblems(form.data.tasks as Plan['tasks'], finished).map(below('/tasks')) : []),
  ];
  return problems.length === 0 ? { plan: value as unknown as Plan } : { problems };
}

/** Reads the argument of `planReflection`: the spec, or every mistake of its form. */
export function parsePlanSpec(value: unknown): { spec: PlanSpec } | { problems: SpecProblem[] } {
  if (!isJsonObject(value)) return { problems: [{ path: '', message: 'a plan spec must be a JSON object' }] };
  const plan = value['plan'] === undefined ? undefined : parsePlan(value['plan']);
  const problems = [
    ...problemsOf(planSpecForm, value),
    ...(plan && 'problems' in plan ? plan.problems.map(below('/plan')) : []),
  ];
  return problems.length === 0 ? { spec: value as unknown as PlanSpec } : { problems };
}

/** A valid spec's settings, with defaults and in milliseconds. */
export function planSettings({ memory: remembered, timeouts: given, ...spec }: PlanSpec): PlanSettings {
  return {
    criteria: { ...DEFAULT_CRITERIA, ...spec.criteria },
    enableReflection: spec.enableReflection ?? true,
    enableLlmReflection: spec.enableLlmReflection ?? true,
    maxReplanningAttempts: spec.maxReplanningAttempts ?? 2,
    ...(remembered ? { memory: memorySettings(remembered) } : {}),
    timeouts: timeoutsOf(given),
  };
}
