import type { Budget } from '../../../loop/state/loop-settings';
export type { AgentEvent, AgentEventContext } from './agent-event';
import type { ReflectionTriggerConfig } from './trigger-config';
import type { Heartbeats } from '../../../lib/limits/recovery';

/** Every setting of a population, with defaults filled in. */
export interface PopulationSettings {
  config: ReflectionTriggerConfig;
  topK: number;
  seed?: number;
  model?: string;
  budget?: Budget;
  timeouts: Heartbeats & { modelCallMs: number; stepMs: number; retryForMs: number };
  /** Whether the worker keeps memories. Otherwise insights are part of the run's state. */
  memory: boolean;
}
