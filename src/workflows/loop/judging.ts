import type { EvaluateInput, RepairInput } from '../../activities/protocol';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import { budgetName, type BudgetReason } from '../../loop/limits/budget';
import { inconclusiveVerdict, type Verdict } from '../../loop/state/evaluation';
import type { EvaluatorPlan } from '../../loop/state/loop-settings';
import type { PendingOutput } from '../../loop/state/loop-state';
import { judgeRounds } from '../../loop/spec/evaluator-parts';
import { addUsage } from '../../lib/base/tokens';
import { judgeByFunction } from '../functions/call-functions';
import { judgeByWorkflow } from '../functions/judged-by-workflow';
import { callActivity, workOfEvaluator } from '../shared/activity-calls';
import { evaluationInput, evaluationSummary } from './evaluation-input';
import { judgeInRounds } from './judge-rounds';
import type { LoopRun } from './loop-run';
import { budgetedCall } from './step-call';
import { noteInconclusive, reachedLimit } from './unjudged';

type Unreadable = Verdict & Required<Pick<Verdict, 'unreadable'>>;

function isUnreadable(verdict: Verdict): verdict is Unreadable {
  return verdict.unreadable !== undefined;
}

function noteUnread(run: LoopRun, { plan }: EvaluationTask, verdict: Unreadable, isRepaired: boolean): void {
  const { reply, problem } = verdict.unreadable;
  run.onUnread?.({ evaluator: plan.name, reply, problem, repaired: isRepaired });
}

/** A fail of the first reply is kept if the second gives no verdict. */
async function repairVerdict(
  run: LoopRun,
  input: EvaluateInput,
  ask: EvaluationTask,
  verdict: Unreadable,
): Promise<Verdict> {
  const { plan, title } = ask;
  const { unreadable, ...first } = verdict;
  const { reply, answers } = unreadable;
  const used = verdict.tokenUsage;
  const { evaluators, names: _names, inputs, turns, ...rest } = input;
  // A repair that changes the form of a reply, and not its content, is shown nothing of the output.
  const shown = answers && { answers, ...(inputs && { inputs }), ...(turns && { turns, withoutTools: true as const }) };
  const repair: RepairInput = { ...rest, evaluator: evaluators[0]!, name: plan.name, reply, ...shown };
  const summary = evaluationSummary(run, input.iteration, `repair · ${title}`);
  const { how, limits, timeoutMs } = budgetedCall(run, summary, undefined, used);
  const given = { ...repair, ...limits, timeoutMs: timeoutMs(input.timeoutMs) };
  const call = callActivity('repair', run.spec.settings, { model: true }, given, how);
  const answer = await call.catch((error: unknown) => noteInconclusive(run, plan, error));
  const decided = answer.outcome === 'inconclusive' && first.outcome === 'fail' ? first : answer;
  noteUnread(run, ask, verdict, decided.outcome !== 'inconclusive');
  return used ? { ...decided, tokenUsage: addUsage(used, answer.tokenUsage) } : decided;
}

/** An evaluator that asks no model costs nothing: only the end of the time budget keeps it from judging. */
function limitOf(run: LoopRun, { asksModel }: EvaluatorPlan): BudgetReason | undefined {
  const limit = reachedLimit(run);
  return asksModel === false && limit !== 'time_budget' ? undefined : limit;
}

/**
 * Asks one judge, within what the budget leaves; when that is nothing, it could not judge. Not `async`, see `remoteActivities`.
 * @returns undefined when it was given already
 */
export function askJudge(
  run: LoopRun,
  pending: PendingOutput,
  ask: EvaluationTask,
  take: (verdict: Verdict) => void,
): Promise<void> | undefined {
  const { plan, title } = ask;
  const limit = limitOf(run, plan);
  if (limit) {
    take(inconclusiveVerdict(plan, `the ${budgetName(limit)} is spent`));
    return undefined;
  }
  const input = evaluationInput(run, pending, [ask]);
  const called = workOfEvaluator({ evaluator: ask.evaluator, asksModel: plan.asksModel });
  const summary = evaluationSummary(run, input.iteration, `evaluate · ${title}`);
  const { how, limits, timeoutMs } = budgetedCall(run, summary, called.action);
  const byFunction = judgeByFunction(run, pending, ask, how.timeLeftMs);
  if (byFunction) return byFunction.then(take, (error: unknown) => take(noteInconclusive(run, plan, error)));
  if ('workflow' in ask.evaluator) {
    const judged = judgeByWorkflow(ask.evaluator, plan, input, { ...how, settings: run.spec.settings });
    return judged.then(take, (error: unknown) => take(noteInconclusive(run, plan, error)));
  }
  const settle = (verdict: Verdict, told: EvaluateInput): Promise<void> | void => {
    if (!isUnreadable(verdict)) return take(verdict);
    if (verdict.unreadable.final || reachedLimit(run, verdict.tokenUsage)) {
      noteUnread(run, ask, verdict, verdict.outcome !== 'inconclusive');
      return take(verdict);
    }
    return repairVerdict(run, told, ask, verdict).then(take);
  };
  if (judgeRounds(ask.evaluator) > 0)
    return judgeInRounds(run, pending, ask, input).then(({ verdict, turns }) => settle(verdict, { ...input, turns }));
  const given = { ...input, ...limits, timeoutMs: timeoutMs(input.timeoutMs) };
  return callActivity('evaluate', run.spec.settings, called, given, { ...how, endsItself: true }).then(
    ([answer]) => settle(answer!, input),
    (error: unknown) => take(noteInconclusive(run, plan, error)),
  );
}
