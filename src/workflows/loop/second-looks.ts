import { decideDispute } from '../../loop/docket/advance';
import type { Issue } from '../../loop/contract/evaluation';
import { docketAfter, issuesToRepair, settledDocket } from '../../loop/docket/judged';
import { rulingOf, secondLooks, standsBy } from '../../loop/docket/second-looks';
import { disputesIn } from '../../loop/docket/shown';
import { countAnswer } from '../../loop/moves/transitions';
import { keepDocket, noteFindings } from '../../loop/state/docket-notes';
import type { Verdict } from '../../loop/state/evaluation';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import type { PendingOutput } from '../../loop/state/loop-state';
import { setVerdict } from '../../loop/state/notes';
import { askJudge } from './judging';
import type { LoopRun } from './loop-run';

/** Asks for one look at a finding: whether it is for it. */
async function look(run: LoopRun, pending: PendingOutput, task: EvaluationTask): Promise<boolean | undefined> {
  let answer: Verdict | undefined;
  await askJudge(run, pending, task, (verdict) => {
    answer = countAnswer(run.state, pending, verdict);
  });
  return answer && standsBy(answer);
}

function noteIssues(pending: PendingOutput, index: number, issues: Issue[]): void {
  const verdict = pending.verdicts[index]!;
  if (issues.length > 0 || verdict.issues.length > 0) setVerdict(pending, index, { ...verdict, issues });
}

/** Brings the docket up to the judgement of an output, and has findings in dispute looked at once more. */
export async function settleFindings(run: LoopRun, pending: PendingOutput): Promise<void> {
  const { state, spec } = run;
  const { allEvaluators: plans } = spec;
  // An evaluation that a command interrupted goes on with the looks that are left.
  if (!pending.docket) {
    const { docket, issues } = docketAfter(state, pending, plans);
    for (const each of issues) noteIssues(pending, each.index, each.issues);
    noteFindings(pending, docket);
  }
  for (const dispute of disputesIn(pending.docket!)) {
    const looks: (boolean | undefined)[] = [];
    for (const task of secondLooks(spec, pending.docket!, dispute)) {
      looks.push(await look(run, pending, task));
      // Both must be for the finding, so that the second is not asked after a no.
      if (looks.at(-1) !== true) break;
    }
    noteFindings(pending, decideDispute(pending.docket!, dispute.finding, rulingOf(looks)));
  }
  noteFindings(pending, settledDocket(pending.docket!, state, pending, plans));
  for (const [index, verdict] of pending.verdicts.entries())
    if (verdict) noteIssues(pending, index, issuesToRepair(pending, verdict.issues));
  keepDocket(state);
}
