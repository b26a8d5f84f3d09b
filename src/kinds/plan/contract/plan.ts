import { z } from 'zod';
import { CRITERIA_DEFAULTS, PLAN_DEFAULTS, MAXIMUM_REPLANS, MAXIMUM_TASKS } from '../base/defaults';
import { LONGEST_MS } from '../../../lib/base/maxima';
import { HIGHEST_WEIGHT } from '../../../loop/base/maxima';
import type { Infer } from '../../../lib/contract/infer';
import { addJsonSchemaHints } from '../../../lib/contract/json-schema-hints';
import { timeouts } from '../../../loop/contract/loop-options';
import { memory } from '../../../loop/contract/memory';
import type { ReflectionSpecInput } from '../../../loop/contract/short-spec';
import { loopSpec, type ReflectionSpec } from '../../../loop/contract/spec';
import { type Step, step } from '../../../loop/contract/steps';
import { jsonObject, nameText, optional, protocolText, share, stateKeys } from '../../../lib/contract/values';

/** The id of a task: part of a run's id, where `/` separates the plan from its task. */
const taskId = protocolText(z.string().regex(/^[^/\p{Cc}]{1,100}$/u, 'must be 1 to 100 characters, without "/"'));

/** The step of a task, checked by hand so that problems are reported for the form that the author intended. */
const taskStep = z.custom<Step | { loop: ReflectionSpec }>();
addJsonSchemaHints(taskStep, {
  forms: () => [step, z.strictObject({ loop: loopSpec.describe('The spec of the loop.') })],
});

export const task = z.strictObject({
  id: taskId.describe('Unique in its plan; no `/` and no control characters.'),
  description: z.string().min(1).max(4_000).describe('What the task is.'),
  step: taskStep.describe('How the task is carried out: by a step, or by a reflection loop.'),
  dependsOn: optional(
    z.array(z.string()).max(MAXIMUM_TASKS),
    'Ids of tasks that have to succeed first. Default: none.',
  ),
  expectedMs: optional(
    z.number().positive().max(LONGEST_MS),
    'Expected duration in milliseconds. Default: none; the task never counts as slow.',
  ),
});

/** One task of a plan. */
export interface Task extends Infer<typeof task> {}

export const plan = z.strictObject({
  id: nameText.describe('Id of the plan.'),
  tasks: z
    .array(task)
    .min(1, 'must have at least one task')
    .max(MAXIMUM_TASKS, `must have at most ${MAXIMUM_TASKS} tasks`)
    .describe('The tasks. Tasks whose dependencies have succeeded run in parallel.'),
});

export interface Plan extends Infer<typeof plan> {}

const planPart = z.custom<Plan>();
addJsonSchemaHints(planPart, { forms: () => [plan] });

export const reflectionCriteria = z.strictObject({
  minSuccessRate: optional(
    share,
    "Share of a plan's tasks, 0 to 1, that must succeed.",
    CRITERIA_DEFAULTS.minSuccessRate,
  ),
  maxExecutionTimeMultiplier: optional(
    z.number().positive().max(HIGHEST_WEIGHT),
    'A task that takes longer than this multiple of its `expectedMs` is slow.',
    CRITERIA_DEFAULTS.maxExecutionTimeMultiplier,
  ),
  requireAllTasksComplete: optional(
    z.boolean(),
    'Whether a plan fails when tasks have no result.',
    CRITERIA_DEFAULTS.requireAllTasksComplete,
  ),
  checkOutputQuality: optional(
    z.boolean(),
    'Whether an empty output is an issue.',
    CRITERIA_DEFAULTS.checkOutputQuality,
  ),
});

/** The criteria for success, with every default. */
export type ReflectionCriteria = Required<Infer<typeof reflectionCriteria>>;

export const planSpec = z.strictObject({
  goal: z.string().min(1).max(20_000).describe('The goal to reach.'),
  plan: optional(planPart, 'The first plan. Default: one made by the planner.'),
  planner: optional(
    step,
    'Makes plans: an action or inline code returns `{ tasks }`, a model answers with it as JSON. It gets the goal, what ' +
      'was learned, and the previous plan with its results, as text in `state.plan_material`, and as `state.goal`, `insights`, ' +
      '`plan`, `results`, `evaluation`. Default: the model, with the built-in prompt.',
  ),
  criteria: optional(reflectionCriteria, 'What counts as success.'),
  enableReflection: optional(
    z.boolean(),
    'False: nothing is evaluated, replanned or learned.',
    PLAN_DEFAULTS.enableReflection,
  ),
  enableLlmReflection: optional(
    z.boolean(),
    'False: rules alone evaluate, and no model adds suggestions.',
    PLAN_DEFAULTS.enableLlmReflection,
  ),
  maxReplanningAttempts: optional(
    z.int().min(0).max(MAXIMUM_REPLANS),
    'Maximum number of plans after the first.',
    PLAN_DEFAULTS.maxReplanningAttempts,
  ),
  memory: optional(memory, 'Insights of earlier runs are recalled for the planner, and those of this run are stored.'),
  state: optional(jsonObject, 'State for templates, actions and code of tasks and planner.', {}),
  material: optional(
    stateKeys,
    'Keys of `state` whose texts are not from the author: in prompts they stand between markers, as results do. `*`: all. Default: none.',
  ),
  model: optional(nameText, "Model of tasks, planner and suggestions that name none. Default: the worker's."),
  timeouts: optional(timeouts, 'Timeouts of the planner, and of tasks other than loops; a loop has its own.'),
});

/** A goal, and how it is to be reached: the argument of `planReflection`. */
export interface PlanSpec extends Infer<typeof planSpec> {}

/** A task whose loop may be in its short form. */
interface TaskInput extends Omit<Task, 'step'> {
  step: Step | { loop: ReflectionSpecInput };
}

/** The argument of `planReflection`, with the loops of its plan in their short or their long form. */
export interface PlanSpecInput extends Omit<PlanSpec, 'plan'> {
  plan?: Omit<Plan, 'tasks'> & { tasks: TaskInput[] };
}
