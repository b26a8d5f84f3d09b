/** The reasons for which a loop stops. */
export const CONVERGENCE_REASONS = [
  'quality_met',
  'user_accepted',
  'max_iterations',
  'plateau',
  'oscillation',
  'diminishing',
  'stable',
  'repeated_issues',
  'token_budget',
  'cost_budget',
  'time_budget',
  'call_budget',
  'blocked',
  'stopped',
  'review_timeout',
  'aborted',
  'error',
] as const;
export type ConvergenceReason = (typeof CONVERGENCE_REASONS)[number];
