import type { Issue } from '../contract/evaluation';
import type { Dispute } from '../state/docket';
import { keepDocket, noteFindings } from '../state/docket-notes';
import type { EvaluatorPlan } from '../state/loop-settings';
import type { LoopState, PendingOutput } from '../state/loop-state';
import { setVerdict } from '../state/notes';
import { decideDispute } from './advance';
import { docketAfter, issuesToRepair, settledDocket } from './judged';
import { rulingOf } from './second-looks';
import { disputesIn } from './shown';

function setIssues(pending: PendingOutput, index: number, issues: Issue[]): void {
  const verdict = pending.verdicts[index]!;
  if (issues.length > 0 || verdict.issues.length > 0) setVerdict(pending, index, { ...verdict, issues });
}

/** Brings the docket to the judgement of an output. Returns the findings that are to be looked at once more. */
export function openDisputes(state: LoopState, pending: PendingOutput, plans: readonly EvaluatorPlan[]): Dispute[] {
  // An evaluation that a command interrupted goes on with the looks that are left.
  if (!pending.docket) {
    const { docket, issues } = docketAfter(state, pending, plans);
    for (const each of issues) setIssues(pending, each.index, each.issues);
    noteFindings(pending, docket);
  }
  return disputesIn(pending.docket!);
}

/** Settles a dispute by its looks: whether each was for the finding. */
export function closeDispute(
  pending: PendingOutput,
  { finding }: Dispute,
  looks: readonly (boolean | undefined)[],
): void {
  noteFindings(pending, decideDispute(pending.docket!, finding, rulingOf(looks)));
}

/** Keeps the docket for the next judgement, and leaves in the evaluation the issues that are to be repaired. */
export function closeDocket(state: LoopState, pending: PendingOutput, plans: readonly EvaluatorPlan[]): void {
  noteFindings(pending, settledDocket(pending.docket!, state, pending, plans));
  for (const [index, verdict] of pending.verdicts.entries())
    if (verdict) setIssues(pending, index, issuesToRepair(pending, verdict.issues));
  keepDocket(state);
}
