import type { Comparison } from './comparison';
import type { CaseOutcome } from './outcome';
import type { ArmRow } from './rows';

export interface ExperimentReport {
  name: string;
  arms: ArmRow[];
  comparisons: Comparison[];
  conclusions: string[];
  cautions: string[];
  outcomes: CaseOutcome[];
}
