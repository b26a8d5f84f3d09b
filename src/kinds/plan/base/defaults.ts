export const PLAN_DEFAULTS = { enableReflection: true, enableLlmReflection: true, maxReplanningAttempts: 2 };

export const CRITERIA_DEFAULTS = {
  minSuccessRate: 0.8,
  maxExecutionTimeMultiplier: 2,
  requireAllTasksComplete: true,
  checkOutputQuality: true,
};

/** The most tasks of a plan: each leaves its events in the one history of the run. */
export const MAXIMUM_TASKS = 100;

export const MAXIMUM_REPLANS = 20;
