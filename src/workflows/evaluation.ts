import { countsCalls } from '../domain/budget';
import type { EvaluatorPlan } from '../domain/loop-settings';
import type { PendingOutput } from '../domain/loop-state';
import { evaluatorsOf } from '../domain/step-inputs';
import { evaluatorsToAsk, gateFailed, mayAskAgain, settleVersion, takeVerdict } from '../domain/transitions';
import { callLocalEvaluators } from './activity-calls';
import { evaluationInput, evaluationSummary } from './evaluation-input';
import { askJudge, reachedLimit } from './judging';
import type { LoopRun } from './loop';

async function evaluateLocally(run: LoopRun, pending: PendingOutput, indexes: number[]): Promise<void> {
  const all = evaluatorsOf(run.spec);
  const plans = run.preparation.evaluators;
  const local = indexes.filter((index) => plans[index]!.local);
  if (local.length === 0) return;
  const names = local.map((index) => plans[index]!.name);
  const input = evaluationInput(
    run,
    pending,
    local.map((index) => all[index]!),
    names,
  );
  const verdicts = await callLocalEvaluators(
    input,
    evaluationSummary(run, input.iteration, `evaluate · ${names.join(', ')}`),
  );
  for (const [position, index] of local.entries()) takeVerdict(run.state, pending, index, verdicts[position]!);
}

/** Those that cost nothing before those that do. */
function freeFirst(plans: readonly EvaluatorPlan[], indexes: number[]): number[] {
  const isFree = (index: number): boolean => plans[index]!.asksModel === false;
  return [...indexes.filter(isFree), ...indexes.filter((index) => !isFree(index))];
}

/** Cheap and deterministic evaluators first, then gates one by one, then all others, side by side if they may. */
async function askRound(run: LoopRun, pending: PendingOutput): Promise<void> {
  const plans = run.preparation.evaluators;
  const indexes = evaluatorsToAsk(pending, plans);
  await evaluateLocally(run, pending, indexes);
  const judges = freeFirst(
    plans,
    indexes.filter((index) => !plans[index]!.local),
  );
  for (const index of judges.filter((judge) => plans[judge]!.gate)) {
    if (gateFailed(pending, plans)) return;
    await askJudge(run, pending, index);
  }
  if (gateFailed(pending, plans)) return;
  const others = judges.filter((index) => !plans[index]!.gate);
  if (countsCalls(run.preparation.settings.budget)) {
    // One after the other: what one uses may leave nothing for the next.
    for (const index of others) await askJudge(run, pending, index);
  } else {
    await Promise.all(others.map((index) => askJudge(run, pending, index)));
  }
}

/** Judges the pending output and makes it a version. A judge that could not judge is asked once more. */
export async function evaluatePending(run: LoopRun, timestamp: () => string): Promise<void> {
  const { pending } = run.state;
  if (!pending) return;
  const { evaluators, settings } = run.preparation;
  do {
    pending.rounds += 1;
    await askRound(run, pending);
  } while (mayAskAgain(pending, evaluators) && !reachedLimit(run));
  settleVersion(run.state, settings, evaluators, timestamp());
}
