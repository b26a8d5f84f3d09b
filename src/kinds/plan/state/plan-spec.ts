import type { ListedRun } from '../../../lib/names/search-attributes';
import { MAXIMUM_TASKS } from '../base/defaults';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { type Expanded, expandSpecsAt } from '../../../loop/spec/short-form';
import type { MemorySettings } from '../../../loop/spec/memory-spec';
import type { LoopSettings } from '../../../loop/state/loop-settings';
import type { ReflectionCriteria, Plan } from '../contract/plan';
import type { Evaluation, TaskResult } from '../contract/plan-results';

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

/** The result of `preparePlan`, known before anything is paid for. */
export interface PlanPreparation extends ListedRun {
  settings: PlanSettings;
  /** Names that are known to the workers that checked the spec and its plans, as `LookedUp` notes them. Default: none. */
  known?: string[];
  /** The state keys that registered actions declare. */
  actionNeeds: Record<string, string[]>;
  actions: { name: string; description: string }[];
  maximumResultBytes: number;
  /**
   * Values of this many bytes or more are stored outside of the history. Default: 64 KiB, if any values are stored there.
   */
  storedFromBytes?: number;
}

interface PlannerState {
  goal: string;
  insights: string[];
  plan: Plan | null;
  results: TaskResult[];
  evaluation: Evaluation | null;
  plan_material: string;
  [key: string]: unknown;
}

function loopPointers(plan: unknown): string[] {
  const tasks: unknown = isJsonObject(plan) ? plan['tasks'] : undefined;
  const listed = Array.isArray(tasks) ? (tasks as unknown[]).slice(0, MAXIMUM_TASKS) : [];
  return listed.map((_, index) => `/tasks/${index}/step/loop`);
}

export function expandPlan(given: unknown): Expanded {
  return expandSpecsAt(given, loopPointers(given));
}

export function expandPlanSpec(given: unknown): Expanded {
  const pointers = isJsonObject(given) ? loopPointers(given['plan']) : [];
  return expandSpecsAt(
    given,
    pointers.map((pointer) => `/plan${pointer}`),
  );
}

export function asState(state: PlannerState): Record<string, Json> {
  return state as unknown as Record<string, Json>;
}
