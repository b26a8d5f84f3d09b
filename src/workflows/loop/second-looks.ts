import { secondLooks, standsBy } from '../../loop/docket/second-looks';
import { closeDispute, closeDocket, openDisputes } from '../../loop/docket/settle';
import { countAnswer } from '../../loop/moves/transitions';
import type { Verdict } from '../../loop/state/evaluation';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import type { PendingOutput } from '../../loop/state/loop-state';
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

/** Brings the docket up to the judgement of an output, and has findings in dispute looked at once more. */
export async function settleFindings(run: LoopRun, pending: PendingOutput): Promise<void> {
  const { state, spec } = run;
  for (const dispute of openDisputes(state, pending, spec.allEvaluators)) {
    const looks: (boolean | undefined)[] = [];
    for (const task of secondLooks(spec, pending.docket!, dispute)) {
      looks.push(await look(run, pending, task));
      // Both must be for the finding, so that the second is not asked after a no.
      if (looks.at(-1) !== true) break;
    }
    closeDispute(pending, dispute, looks);
  }
  closeDocket(state, pending, spec.allEvaluators);
}
