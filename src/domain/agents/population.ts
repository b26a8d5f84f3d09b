import type { Budget } from '../state/loop-settings';
export type { AgentReflectionSpec, AgentSpec } from '../../contract/agents';
import type { Json } from '../base/json';
import type { ReflectionTrigger, ReflectionTriggerConfig } from './trigger-config';
import type { Heartbeats } from '../spec/recovery';

export type {
  AgentReflection,
  AgentReflectionReport,
  PopulationCounts,
  TakenEvent,
  TriggerAnswer,
  UsedMethod,
} from '../../contract/agent-results';

/** Every setting of a population, with defaults filled in. */
export interface PopulationSettings {
  config: ReflectionTriggerConfig;
  topK: number;
  seed?: number;
  model?: string;
  budget?: Budget;
  timeouts: Heartbeats & { modelCallMs: number; stepMs: number; retryForMs: number };
  /** Whether the worker keeps memories. Without, insights live in the run itself. */
  memory: boolean;
}

/** Something that agents may reflect upon. */
export interface AgentEvent {
  /** One that was taken before does nothing. */
  id?: string;
  kind: ReflectionTrigger;
  year: number;
  /** The one agent that it concerns; required for a decision. */
  agentId?: string;
  context?: AgentEventContext;
}

/** What is known of an event. Other keys may stand here, and are for whoever reads histories. */
export interface AgentEventContext {
  /** The kind of decision. */
  decision?: string;
  /** Whether what was decided failed. */
  failed?: boolean;
  /** By which share a policy changed. */
  policyChangeMagnitude?: number;
  /** What it weighs for those it concerns, where their type's profile does not say it well. */
  importance?: number;
  /** What happened, in a few words: agents remember it. */
  description?: string;
  /** The agents that it concerns; default: all. */
  agents?: string[];
  [key: string]: Json | undefined;
}
