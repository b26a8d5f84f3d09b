import type { Comparison } from './comparison';
import type { CaseOutcome } from './outcome';
import type { ArmRow } from './rows';

/** The report of an experiment: `reflect experiment --json` prints it. */
export interface ExperimentReport {
  name: string;
  arms: ArmRow[];
  comparisons: Comparison[];
  /** The comparisons as sentences, in the same order. */
  conclusions: string[];
  /** The cautions for the reader of the numbers. */
  cautions: string[];
  /** The outcomes case by case, in the order of the file, and of the arms. */
  outcomes: CaseOutcome[];
}
