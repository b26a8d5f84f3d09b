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
