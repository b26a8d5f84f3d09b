import type { Budget } from '../state/loop-settings';
export type { AgentReflectionSpec, AgentSpec } from '../../contract/agents';
import type { Json } from '../base/json';
import type { TokenUsage } from '../base/tokens';
import type { ReflectionTrigger, ReflectionTriggerConfig } from './trigger-config';
import type { Heartbeats } from '../spec/recovery';

/** How an agent came to an insight: what `hybrid` came to is one of these two. */
export type UsedMethod = 'llm' | 'template';

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

/** What became of an event. */
export interface TriggerAnswer {
  reflected: { agentId: string; insightId: string; method: UsedMethod }[];
  skipped: { agentId: string; why: string }[];
  /** True when an event of this id was taken before: nothing happened now, and `reflected` is what is still known of then. */
  repeated?: true;
}

/** One reflection of one agent. */
export interface AgentReflection {
  /** Counts the reflections of the whole chain, from 1. */
  number: number;
  agentId: string;
  agentType: string;
  year: number;
  kind: ReflectionTrigger;
  method: UsedMethod;
  /** With its label, such as `[Reflection Y3] …`. */
  insight: string;
  insightId: string;
  importance: number;
  eventId?: string;
  /** Why the model was not used, by `hybrid`. */
  fellBack?: string;
}

/** One event that was taken. */
export interface TakenEvent {
  /** Counts the events of the whole chain, from 1. */
  number: number;
  id?: string;
  kind: ReflectionTrigger;
  year: number;
  agentId?: string;
  description?: string;
  decision?: string;
  reflected: number;
  skipped: number;
}

/** How often something happened, in the whole chain. */
export interface PopulationCounts {
  events: number;
  reflections: number;
  skipped: number;
  byKind: Partial<Record<ReflectionTrigger, number>>;
  byType: Record<string, number>;
  byMethod: Partial<Record<UsedMethod, number>>;
}

/** What `agentReflection` hands back when it is told to finish: the latest events and reflections, and how many there were. */
export interface AgentReflectionReport {
  agents: number;
  counts: PopulationCounts;
  events: TakenEvent[];
  reflections: AgentReflection[];
  /** Earlier ones, which the histories of the chain's runs still have. */
  omitted: { events: number; reflections: number };
  tokenUsage: TokenUsage;
}
