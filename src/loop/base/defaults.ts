/** The values of fields that a spec leaves out. The contract documents them, and resolved specs are filled with them. */

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

export const QUESTION_DEFAULTS = { most: 3, timeout: '1d' } as const;

export const TIMEOUT_DEFAULTS = { modelCall: '2m', step: '2m', retryFor: '1h' };

export const EVALUATOR_DEFAULTS = { weight: 1, gate: false };

/** The type of the evaluator of a criterion, which is also asked questions. */
export const CRITERION_EVALUATOR = 'llm';

export const DEFAULT_VOTES = 1;

export const JUDGE_TOOL_ROUNDS = 4;

export const MEMORY_DEFAULTS = { recall: 5, store: true };
