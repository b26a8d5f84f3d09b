import { type Ask, foldOf, needsPrior, openAsks } from '../domain/asks';
import { nothingToCompareWith } from '../domain/both-orders';
import { countsCalls } from '../domain/budget';
import type { Verdict } from '../domain/evaluation';
import type { PendingOutput } from '../domain/loop-state';
import { evaluatorsToAsk, gateFailed, mayAskAgain, settleVersion, takeAnswer } from '../domain/transitions';
import { callLocalEvaluators } from './activity-calls';
import { evaluationInput, evaluationSummary } from './evaluation-input';
import { askJudge, reachedLimit } from './judging';
import type { LoopRun } from './loop';

function take(run: LoopRun, pending: PendingOutput, ask: Ask, verdict: Verdict): void {
  takeAnswer(run.state, pending, ask, verdict, foldOf(run.spec, ask, run.preparation.settings.qualityThreshold));
}

async function evaluateLocally(run: LoopRun, pending: PendingOutput, local: Ask[]): Promise<void> {
  if (local.length === 0) return;
  const input = evaluationInput(run, pending, local);
  const titles = local.map(({ title }) => title);
  const summary = evaluationSummary(run, input.iteration, `evaluate · ${titles.join(', ')}`);
  const verdicts = await callLocalEvaluators(input, summary);
  for (const [position, ask] of local.entries()) take(run, pending, ask, verdicts[position]!);
}

/** Side by side, if they may be. */
async function askJudges(run: LoopRun, pending: PendingOutput, asks: Ask[]): Promise<void> {
  const askOne = async (ask: Ask): Promise<void> => take(run, pending, ask, await askJudge(run, pending, ask));
  if (countsCalls(run.preparation.settings.budget)) {
    // One after the other: what one uses may leave nothing for the next.
    for (const ask of asks) await askOne(ask);
  } else {
    await Promise.all(asks.map(askOne));
  }
}

/** Those that cost nothing before those that do. */
function freeFirst(asks: Ask[]): Ask[] {
  const isFree = ({ plan }: Ask): boolean => plan.asksModel === false;
  return [...asks.filter(isFree), ...asks.filter((ask) => !isFree(ask))];
}

/** Cheap and deterministic evaluators first, then gates one by one, then all others, side by side if they may. */
async function askRound(run: LoopRun, pending: PendingOutput): Promise<void> {
  const plans = run.preparation.evaluators;
  const asks = openAsks(run.spec, plans, pending, evaluatorsToAsk(pending, plans));
  const isDraft = run.state.versions.length === 0;
  const without = isDraft ? asks.filter(needsPrior) : [];
  for (const ask of without) take(run, pending, ask, nothingToCompareWith(ask.plan));
  const rest = asks.filter((ask) => !without.includes(ask));
  await evaluateLocally(
    run,
    pending,
    rest.filter(({ plan }) => plan.local),
  );
  const judges = freeFirst(rest.filter(({ plan }) => !plan.local));
  const gates = judges.filter(({ plan }) => plan.gate);
  for (const index of new Set(gates.map((gate) => gate.index))) {
    if (gateFailed(pending, plans)) return;
    await askJudges(
      run,
      pending,
      gates.filter((gate) => gate.index === index),
    );
  }
  if (gateFailed(pending, plans)) return;
  const others = judges.filter(({ plan }) => !plan.gate);
  await askJudges(run, pending, others);
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
