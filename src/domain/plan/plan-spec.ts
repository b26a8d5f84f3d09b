import type { ListedRun } from '../base/search-attributes';
import type { Json, JsonObject } from '../base/json';
import type { MemorySettings, MemorySpec } from '../spec/memory-spec';
import type { LoopSettings } from '../state/loop-settings';
import type { ReflectionCriteria } from '../reflector/criteria';
import type { Evaluation, FailurePattern, Plan, TaskResult } from '../reflector/types';
import type { Step } from '../spec/spec';
import type { TokenUsage } from '../base/tokens';
import type { Duration } from '../base/duration';

/** Tasks of a plan at most: each leaves its events in the one history of the run. */
export const MAXIMUM_TASKS = 100;
export const MAXIMUM_REPLANS = 20;

/** A goal, and how it is to be reached. */
export interface PlanSpec {
  goal: string;
  /** Without one, the planner makes the first plan, too. */
  plan?: Plan;
  /**
   * Makes plans: an action or inline code returns `{ tasks }`, a model answers with it as JSON. Default: the model, asked by a
   * prompt of ours. It is told of the goal, of what was learned, and of the plan before with its results, as
   * `state.plan_material` in words and `state.goal`, `insights`, `plan`, `results`, `evaluation`.
   */
  planner?: Step;
  criteria?: Partial<ReflectionCriteria>;
  /** Default true; false: nothing is judged, replanned or learned. */
  enableReflection?: boolean;
  /** Default true; false: rules alone judge, and no model suggests what could be better. */
  enableLlmReflection?: boolean;
  /** Plans after the first at most, 0..20. Default 2. */
  maxReplanningAttempts?: number;
  memory?: MemorySpec;
  /** Seen by templates, actions and code of tasks and planner. */
  state?: JsonObject;
  /** Keys of `state` whose texts others wrote: in prompts these stand between markers, as results do. `*`: all. Default: none. */
  material?: string[];
  /** Of tasks, planner and suggestions that name none. */
  model?: string;
  timeouts?: { modelCall?: Duration; step?: Duration; retryFor?: Duration };
}

/** What came of a goal. */
export interface PlanRunResult {
  success: boolean;
  /** The last plan. */
  plan: Plan;
  /** Of the last plan's tasks, what earlier plans did for them included; tasks that were not tried have none. */
  results: TaskResult[];
  /** Of all tasks and plans that were judged, in the order of the judging. */
  evaluations: Evaluation[];
  /** Of all plans. */
  patterns: FailurePattern[];
  /** Plans after the first. */
  replans: number;
  /** What was learned. */
  insights: string[];
  /** What the run did without, such as a memory that did not answer; absent where there is nothing to say. */
  warnings?: string[];
  tokenUsage: TokenUsage;
}

/** A plan's settings with every default. */
export interface PlanSettings {
  criteria: ReflectionCriteria;
  enableReflection: boolean;
  enableLlmReflection: boolean;
  maxReplanningAttempts: number;
  memory?: MemorySettings;
  localActions?: LoopSettings['localActions'];
  timeouts: LoopSettings['timeouts'];
}

/** What `preparePlan` found out before anything was paid for. */
export interface PlanPreparation extends ListedRun {
  settings: PlanSettings;
  /** Names that the workers know which checked the spec and its plans, as `LookedUp` notes them. Absent: none. */
  known?: string[];
  /** State keys that registered actions declare. */
  actionNeeds: Record<string, string[]>;
  /** The actions that tasks may name, with what they say of themselves. */
  actions: { name: string; description: string }[];
  /** Bytes of a result at most. */
  maximumResultBytes: number;
  /** Values of so many bytes or more are stored outside of the history. Absent: those of 64 KiB, where any are. */
  storedFromBytes?: number;
}

/** What a planner is told, beside the state of the spec. */
export interface PlannerState {
  goal: string;
  insights: string[];
  plan: Plan | null;
  results: TaskResult[];
  evaluation: Evaluation | null;
  plan_material: string;
  [key: string]: unknown;
}

/** The same as JSON. */
export function asState(state: PlannerState): Record<string, Json> {
  return state as unknown as Record<string, Json>;
}
