import type { GuidePayload } from '../base/command-payloads';
import { decidesBy } from '../base/rules';
import { issuesToRepair } from '../docket/judged';
import { setWaived } from '../state/docket-notes';
import type { LoopState } from '../state/loop-state';
import { addGuidance, askToJudge, setDecision } from '../state/requests';

/** Returns why findings cannot be waived; undefined if they can. */
export function waiveProblem({ docket, rules }: LoopState, ids: readonly string[]): string | undefined {
  // By the rules of the release with which this run began.
  if (!decidesBy(rules, 3)) return 'guide has no field "waive"; it takes text, id, by, iteration';
  if (!docket)
    return 'the run has no findings to waive: its judges have reported none, or keep no docket (judge.docket)';
  const known = docket.findings.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) return `there is no finding ${unknown}; there are ${known.join(', ') || 'none'}`;
  return ids.length === 0 ? 'guide.waive names no finding' : undefined;
}

/** Waives findings, and passes a text on to the next revision. Where no issue is left to repair, the version is judged again. */
export function applyGuide(state: LoopState, { text, waive }: GuidePayload): void {
  if (waive) setWaived(state, waive);
  if (typeof text === 'string') return addGuidance(state, text);
  const last = state.versions.at(-1);
  if (!state.review || !last) return;
  if (issuesToRepair(state, last.evaluation.issues).length === 0) return askToJudge(state);
  setDecision(state, { iteration: state.review.iteration, decision: 'continue' });
}
