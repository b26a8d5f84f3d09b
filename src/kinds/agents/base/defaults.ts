export const REFLECTION_METHODS = ['llm', 'template', 'hybrid'] as const;

/** The kinds of events that may make agents reflect. */
export const ReflectionTrigger = {
  /** A crisis: the agents that it concerns reflect. */
  CRISIS: 'crisis',
  /** A number of years has passed. */
  PERIODIC: 'periodic',
  /** A decision that is hard to take back: the agent that decided reflects. */
  DECISION: 'decision',
  /** A change of policy: institutions reflect. */
  INSTITUTIONAL: 'institutional',
} as const;
export type ReflectionTrigger = (typeof ReflectionTrigger)[keyof typeof ReflectionTrigger];

/** The triggers of a population, beside the limits that are off by default. */
export const TRIGGER_DEFAULTS = {
  crisis: true,
  periodicInterval: 5,
  decisionTypes: ['elevate_house', 'buyout_program', 'relocate'],
  institutionalThreshold: 0.05,
};

export const REFLECTION_DEFAULTS = { method: 'hybrid', batchSize: 10, importanceBoost: 0.85 } as const;

export const DEFAULT_TOP_K = 5;

export const MOST_AGENTS = 5_000;

export const MOST_DECISION_TYPES = 1_000;
