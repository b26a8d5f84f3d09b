/** When agents of a simulation reflect. */
export interface ReflectionTriggers {
  /** After a crisis, whoever is concerned. */
  crisis: boolean;
  /** Every so many years; 0 or less: never. */
  periodicInterval: number;
  /** After decisions of these kinds, who decided. */
  decisionTypes: string[];
  /** After a change of policy that is larger than this share, institutions. */
  institutionalThreshold: number;
  /** Crises only count for agents to whom so much happened, by importance, since they last reflected. */
  importanceThreshold?: number;
  /** Also after a decision of any kind that failed. */
  afterFailure?: boolean;
}

export const REFLECTION_METHODS = ['llm', 'template', 'hybrid'] as const;

/** How agents reflect, with all defaults filled in. */
export interface ReflectionConfig {
  /** Years between two reflections of an agent, triggers apart. */
  interval: number;
  /** Agents that reflect at the same time. */
  batchSize: number;
  /** 0..1: importance of an insight at least. */
  importanceBoost: number;
  method: (typeof REFLECTION_METHODS)[number];
  /** Points of view of critics who are heard before an insight is written. */
  critics?: string[];
  triggers: ReflectionTriggers;
}

/** Whether plans are evaluated, and how often one may be made anew. */
export interface PlanConfig {
  enableReflection: boolean;
  maxReplanningAttempts: number;
}

/** What a configuration file says: of `global_config.reflection`, and of `agent`. */
export interface FileConfig {
  reflection?: ReflectionConfig;
  plan?: PlanConfig;
}
