/** What counts where a spec leaves a field out. The contract documents these values, and resolved specs are filled with them. */

export const LOOP_DEFAULTS = {
  maxIterations: 3,
  qualityThreshold: 0.8,
  onFailure: 'return_best',
  bestVersionSelection: 'highest_score',
  structuredReflection: true,
  stream: false,
  preserveAllVersions: true,
} as const;

export const REVISION_DEFAULTS = {
  strategy: 'hybrid',
  includePriorVersions: false,
  includeReflectionHistory: true,
} as const;

export const CONVERGENCE_DEFAULTS = {
  plateauIterations: 2,
  improvementThreshold: 0.05,
  detectOscillation: true,
  stabilityThreshold: 0.98,
  repeatedIssues: 2,
};

export const REVIEW_DEFAULTS = { when: 'never', timeout: '7d', onTimeout: 'stop' } as const;

export const TIMEOUT_DEFAULTS = { modelCall: '2m', step: '2m', retryFor: '1h' };

export const EVALUATOR_DEFAULTS = { weight: 1, gate: false };

/** How often each judge is asked. */
export const DEFAULT_VOTES = 1;

export const MEMORY_DEFAULTS = { recall: 5, store: true };

export const PLAN_DEFAULTS = { enableReflection: true, enableLlmReflection: true, maxReplanningAttempts: 2 };

/** What counts as the success of a plan. */
export const CRITERIA_DEFAULTS = {
  minSuccessRate: 0.8,
  maxExecutionTimeMultiplier: 2,
  requireAllTasksComplete: true,
  checkOutputQuality: true,
};

/** When agents of a simulation reflect, beside the limits that are off by default. */
export const TRIGGER_DEFAULTS = {
  crisis: true,
  periodicInterval: 5,
  decisionTypes: ['elevate_house', 'buyout_program', 'relocate'],
  institutionalThreshold: 0.05,
};

export const REFLECTION_DEFAULTS = { method: 'hybrid', batchSize: 10, importanceBoost: 0.85 } as const;

/** Memories that an agent looks at. */
export const DEFAULT_TOP_K = 5;

/** Runs of a batch at once. */
export const DEFAULT_CONCURRENCY = 20;
