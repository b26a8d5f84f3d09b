import type { Occasion } from '../../kinds/agents/state/insight-text';
import type { PopulationSettings } from '../../kinds/agents/state/population';
import type { ListedRun } from '../../lib/names/search-attributes';
import type { TokenUsage } from '../../lib/contract/values';

/** The information about its worker that a run of `agentReflection` needs. */
export interface AgentPreparation extends ListedRun {
  settings: PopulationSettings;
}

/** Which event of which chain of runs: insights are written once by it. */
interface EventPlace {
  /** Id of the first run of the chain. */
  run: string;
  event: number;
}

export interface ReflectAgentInput extends EventPlace {
  occasion: Occasion;
  topK: number;
  /** Present: a critic speaks, from this point of view. */
  critic?: string;
  opinions?: string[];
  model?: string;
  timeoutMs: number;
  /** The maximum of output tokens: what the budget leaves. */
  maxTokens?: number;
  maxUsd?: number;
}

export interface ReflectAgentOutcome {
  text: string;
  tokenUsage: TokenUsage;
}

export interface RememberInput extends EventPlace {
  insights: { occasion: Occasion; text: string; importance: number; source: string }[];
}

export interface TemplateInput extends EventPlace {
  occasions: Occasion[];
  importance: number[];
  topK: number;
}

export interface TemplateOutcome {
  text: string;
  /** The id in the worker's memory; left out if the insight is not kept there. */
  id?: string;
}

export interface AgentActivities {
  /** Local. Validates the whole spec; throws `InvalidSpec` or `UnknownModel`. */
  prepareAgents(input: { spec: unknown }): Promise<AgentPreparation>;
  reflectAgent(input: ReflectAgentInput): Promise<ReflectAgentOutcome>;
  /** Local. A batch without a model, where the worker keeps memories. */
  reflectByTemplate(input: TemplateInput): Promise<TemplateOutcome[]>;
  /** Local. Writes insights; gives their ids, or null when they could not be kept. */
  remember(input: RememberInput): Promise<string[] | null>;
}

declare module '../protocol' {
  interface ReflectionActivities extends AgentActivities {}
}
