import type { ConfirmInput } from '../../activities/protocol';
import {
  type CheckOfBlockers,
  chooseBlockerCheck,
  findingOfQuestion,
  findingOfSecondJudge,
} from '../../loop/moves/blocker-check';
import { countAnswer } from '../../loop/moves/transitions';
import { dropVerdict, keepBlockerCheck } from '../../loop/state/notes';
import type { PendingOutput } from '../../loop/state/loop-state';
import { callActivity } from '../shared/activity-calls';
import { evaluationInput, evaluationSummary } from './evaluation-input';
import type { LoopRun } from './loop-run';
import { budgetedCall } from './step-call';
import { noteInconclusive, reachedLimit } from './unjudged';

/** Asks the model of a judge whether a revision could repair what the judge reports. A question that fails confirms nothing. */
async function askQuestion(
  run: LoopRun,
  pending: PendingOutput,
  { task, issues }: Extract<CheckOfBlockers, { kind: 'question' }>,
): Promise<void> {
  const { plan, title } = task;
  const { evaluators, names, ...judged } = evaluationInput(run, pending, [task]);
  const { how, limits, timeoutMs } = budgetedCall(
    run,
    evaluationSummary(run, judged.iteration, `confirm · ${title}`),
    undefined,
  );
  const asked: ConfirmInput = { ...judged, evaluator: evaluators[0]!, name: names[0]!, issues, ...limits };
  const given = { ...asked, timeoutMs: timeoutMs(judged.timeoutMs) };
  const call = callActivity('confirm', run.spec.settings, { model: true }, given, how);
  const verdict = await call.catch((error: unknown) => noteInconclusive(run, plan, error));
  countAnswer(run.state, pending, verdict);
  keepBlockerCheck(pending, findingOfQuestion(task, verdict));
}

/**
 * Confirms that no revision can repair an output, where its evaluators say so, before one is paid for. Not `async`, see
 * `remoteActivities`.
 *
 * @param askSecondJudge lets the second judge of the spec judge the output
 * @returns undefined when there is nothing to wait for
 */
export function checkBlockers(
  run: LoopRun,
  pending: PendingOutput,
  askSecondJudge: () => Promise<unknown> | undefined,
): Promise<void> | undefined {
  const check = chooseBlockerCheck(run.spec, run.state, pending);
  if (check?.kind === 'reported') keepBlockerCheck(pending, { confirmed: true });
  if (!check || check.kind === 'reported' || reachedLimit(run)) return undefined;
  if (check.kind === 'question') return askQuestion(run, pending, check);
  const keepFinding = (): void => {
    keepBlockerCheck(pending, findingOfSecondJudge(run.spec, pending));
    // Its verdict counts like that of a gate where it confirms a pass. Here it would rank this version below others, which it did not see.
    dropVerdict(pending, run.spec.evaluators.length);
  };
  return Promise.resolve(askSecondJudge()).then(keepFinding);
}
