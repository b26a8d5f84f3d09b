import type { Comparison } from './comparison';
import type { CaseOutcome } from './outcome';
import type { ArmRow } from './rows';

/** What an experiment found: what `reflect experiment --json` prints. */
export interface ExperimentReport {
  name: string;
  arms: ArmRow[];
  comparisons: Comparison[];
  /** The comparisons as sentences, in the same order. */
  conclusions: string[];
  /** What the reader should know of the numbers. */
  cautions: string[];
  /** Case by case, in the order of the file, and of the arms. */
  outcomes: CaseOutcome[];
}
