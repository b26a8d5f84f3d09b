import type { FindingState, Severity } from '../contract/evaluation';

/** A fault that a judge reported, over all versions of a run. */
export interface Finding {
  /** Short, such as `F1`: its name for judges, authors and reviewers. */
  id: string;
  /** Name of the evaluator that reported it. */
  evaluator: string;
  /** The identity of its issue. */
  identity: string;
  message: string;
  /** The words of the output that it was last reported for. */
  quote?: string;
  severity?: Severity;
  state: FindingState;
  firstSeen: number;
  lastSeen: number;
  /** It was reported for text that had been judged before: if it is minor, it starts no other round by itself. */
  isLate?: true;
  /** The position that it was in dispute with; kept so that the report can say it. */
  against?: Opposition;
  /** The answer of the second look, for the rest of the run; undefined while there was none. */
  upheld?: boolean;
}

/** The position against a finding. */
export interface Opposition {
  /** The fixed finding whose repair it asks to take back. */
  finding?: string;
  /** The author's reason for not repairing it. */
  reason?: string;
}

/** The words that a repair took out and put in, white space normalized. */
export interface Repair {
  iteration: number;
  /** The findings that were fixed by it. */
  fixed: string[];
  took: string;
  put: string;
}

/** The findings of a run's judges, with what became of them. */
export interface Docket {
  findings: Finding[];
  /** Number of the next finding. */
  next: number;
  /** The latest repairs. */
  repairs?: Repair[];
  /** The iteration whose judges reported nothing that would be a reason for another round. */
  settled?: number;
}

/** A finding as its judge sees it again. */
export type ShownFinding = Pick<Finding, 'id' | 'message' | 'quote' | 'severity' | 'state'>;

/** A finding in dispute, with the two positions as a model reads them. */
export interface Dispute {
  finding: string;
  /** The position for the finding. */
  claim: string;
  /** The position for the output as it is. */
  reply: string;
}
