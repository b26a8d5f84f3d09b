import type { ReflectionConfig } from '../../contract/agents';
export type { ReflectionConfig, ReflectionTriggers } from '../../contract/agents';

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
