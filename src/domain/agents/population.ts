import type { ReflectionConfig } from '../spec/agent-config';
import type { Budget } from '../state/loop-settings';
import type { Duration } from '../base/duration';
import type { Json } from '../base/json';
import type { TokenUsage } from '../base/tokens';
import type { ReflectionTrigger, ReflectionTriggerConfig } from './trigger-config';
import type { Heartbeats } from '../spec/recovery';

/** Agents of a population at most. */
export const MOST_AGENTS = 5_000;

/** How an agent came to an insight: what `hybrid` came to is one of these two. */
export type UsedMethod = 'llm' | 'template';

export interface AgentSpec {
  /** Told apart by it; at most 100 characters. */
  id: string;
  /** Such as `household_owner`: says which questions an agent asks itself. At most 100 characters. */
  type: string;
  /** What is known of the agent; a model that reflects for it is told. */
  attributes?: Json;
}

/** The argument of `agentReflection`: agents that live for years, and when they reflect. */
export interface AgentReflectionSpec {
  /** Shown in the Web UI. */
  name?: string;
  agents: AgentSpec[];
  /** What is left out has its default. */
  config?: {
    reflection: Partial<Omit<ReflectionConfig, 'triggers'>> & { triggers?: Partial<ReflectionConfig['triggers']> };
  };
  /** Which of its questions an agent asks in a year, where no model does. Without one: the first. */
  seed?: number;
  /** How many memories an agent looks at: 5 by default, 50 at most. */
  memory?: { topK?: number };
  /** Default: the worker's. */
  model?: string;
  /** Once spent, `hybrid` goes on by template, and by `llm` nobody reflects any more. */
  budget?: { tokens?: number; usd?: number; modelCalls?: number };
  timeouts?: {
    /** One model call; default 2m. */
    modelCall?: Duration;
    /** How long a call that fails is tried again: default 1h by `llm`, and 1m by `hybrid`, which has the template. */
    retryFor?: Duration;
  };
}

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
