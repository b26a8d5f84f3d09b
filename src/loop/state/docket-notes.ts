import type { Docket } from './docket';
import type { LoopState, PendingOutput } from './loop-state';

/** Notes what became of the findings by the judgement of the pending output; it counts once the output is a version. */
export function noteFindings(pending: PendingOutput, docket: Docket): void {
  pending.docket = docket;
}

/** Keeps what became of the findings by the judgement of the pending output. */
export function keepDocket(state: LoopState): void {
  if (state.pending?.docket) state.docket = state.pending.docket;
}

/** Waives findings: they are not repaired any more, and are no reason for another round. */
export function setWaived(state: LoopState, ids: readonly string[]): void {
  const { docket, pending } = state;
  if (docket) state.docket = withWaived(docket, ids);
  // A judgement that is under way has a docket of its own, which is kept at its end.
  if (pending?.docket) pending.docket = withWaived(pending.docket, ids);
}

function withWaived(docket: Docket, ids: readonly string[]): Docket {
  const findings = docket.findings.map((finding) =>
    ids.includes(finding.id) ? { ...finding, state: 'waived' as const } : finding,
  );
  return { ...docket, findings };
}
