import type { Comparison } from './comparison';
import type { CaseOutcome } from './outcome';
import type { ArmRow } from './rows';

export interface ExperimentReport {
  name: string;
  arms: ArmRow[];
  comparisons: Comparison[];
  /** The comparisons as sentences, in the same order. */
  conclusions: string[];
  /** The cautions for the reader of the numbers. */
  cautions: string[];
  outcomes: CaseOutcome[];
}
