/** Why a loop stopped. */
export const CONVERGENCE_REASONS = [
  'quality_met',
  'user_accepted',
  'max_iterations',
  'blocked',
  'aborted',
  'error',
] as const;
export type ConvergenceReason = (typeof CONVERGENCE_REASONS)[number];
