import type { EvaluationTask } from '../../loop/state/evaluation-task';
import type { EvaluatorPlan } from '../../loop/state/loop-settings';
import {
  evaluatorsToAsk,
  foldOf,
  gateFailed,
  mayAskAgain,
  needsPrior,
  pendingTasks,
  settleSplitPanels,
} from '../../loop/moves/evaluation-tasks';
import { nothingToCompareWith, notYetProven } from '../../loop/evaluation/aggregate';
import { countsCalls } from '../../loop/limits/budget';
import type { Verdict } from '../../loop/state/evaluation';
import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import { comparesWithPrior, partsOf } from '../../loop/spec/evaluator-parts';
import { evaluatorTraits } from '../../loop/spec/evaluator-traits';
import type { PendingOutput } from '../../loop/state/loop-state';
import { evaluationOf } from '../../loop/evaluation/combine';
import { lowerThreshold, thresholdFor } from '../../loop/evaluation/relaxation';
import { chooseBlockerCheck, findingOfSecondJudge, isDoubtfulPass } from '../../loop/moves/second-judge';
import { NO_USAGE } from '../../lib/base/tokens';
import { recordAnswer, settleVersion } from '../../loop/moves/transitions';
import { noteSpending } from '../../loop/state/unfinished-iteration';
import { callLocalEvaluators } from '../shared/activity-calls';
import { isGivenUp } from '../retries/retried-checks';
import { timestamp } from '../shared/clock';
import { evaluationInput, evaluationSummary } from './evaluation-input';
import { askJudge } from './judging';
import { noteInconclusive, reachedLimit } from './unjudged';
import type { LoopRun } from './loop-run';
import { withoutJudgeResults } from '../../loop/versions/truncate';
import { beginRound, dropVerdict, keepBlockerCheck } from '../../loop/state/notes';

type PendingCall = Promise<unknown> | undefined;

function take(run: LoopRun, pending: PendingOutput, ask: EvaluationTask, verdict: Verdict): void {
  recordAnswer(run.state, pending, ask, verdict, foldOf(ask, thresholdFor(run.spec.settings, pending)));
}

async function evaluateLocally(run: LoopRun, pending: PendingOutput, local: EvaluationTask[]): Promise<void> {
  const input = evaluationInput(run, pending, local);
  const titles = local.map(({ title }) => title);
  const summary = evaluationSummary(run, input.iteration, `evaluate · ${titles.join(', ')}`);
  const verdicts = await callLocalEvaluators(run.spec.settings, input, summary).catch((error: unknown) => {
    if (!isGivenUp(error)) throw error;
    return local.map(({ plan }) => noteInconclusive(run, plan, error));
  });
  for (const [position, ask] of local.entries()) take(run, pending, ask, verdicts[position]!);
}

/** Asks one evaluator. Not `async`, like other functions here: see `remoteActivities`. */
function askOne(run: LoopRun, pending: PendingOutput, ask: EvaluationTask): PendingCall {
  return askJudge(run, pending, ask, (verdict) => take(run, pending, ask, verdict));
}

async function askInTurn(run: LoopRun, pending: PendingOutput, asks: EvaluationTask[]): Promise<void> {
  for (const ask of asks) await askOne(run, pending, ask);
}

function askJudges(run: LoopRun, pending: PendingOutput, asks: EvaluationTask[]): PendingCall {
  if (asks.length === 0) return undefined;
  if (asks.length === 1) return askOne(run, pending, asks[0]!);
  // What one uses may leave nothing for the next.
  if (countsCalls(run.spec.settings.budget)) return askInTurn(run, pending, asks);
  return Promise.all(asks.map(async (ask) => askOne(run, pending, ask)));
}

function freeFirst(asks: EvaluationTask[]): EvaluationTask[] {
  const isFree = ({ plan }: EvaluationTask): boolean => plan.asksModel === false;
  return [...asks.filter(isFree), ...asks.filter((ask) => !isFree(ask))];
}

async function askGates(
  run: LoopRun,
  pending: PendingOutput,
  evaluators: EvaluatorPlan[],
  gates: EvaluationTask[],
): Promise<void> {
  for (const index of new Set(gates.map((gate) => gate.index))) {
    if (gateFailed(pending, evaluators)) return;
    await askJudges(
      run,
      pending,
      gates.filter((gate) => gate.index === index),
    );
  }
}

function askRound(
  run: LoopRun,
  pending: PendingOutput,
  evaluators: EvaluatorPlan[],
  isUnfinished = false,
): PendingCall {
  const all = pendingTasks(run.spec.tasks, pending, evaluatorsToAsk(pending, evaluators));
  const asks = isUnfinished ? all.filter(fitsUnfinished) : all;
  const isDraft = run.state.versions.length === 0;
  const without = isDraft ? asks.filter(needsPrior) : [];
  for (const ask of without) take(run, pending, ask, nothingToCompareWith(ask.plan));
  const unproven = isUnfinished ? asks.filter(checksCalls) : [];
  for (const ask of unproven) take(run, pending, ask, notYetProven(ask.plan));
  const rest = asks.filter((ask) => !without.includes(ask) && !unproven.includes(ask));
  const local = rest.filter(({ plan }) => plan.local);
  const judges = freeFirst(rest.filter(({ plan }) => !plan.local));
  const gates = judges.filter(({ plan }) => plan.gate);
  const askOthers = (): PendingCall =>
    gateFailed(pending, evaluators)
      ? undefined
      : askJudges(
          run,
          pending,
          judges.filter(({ plan }) => !plan.gate),
        );
  const askInOrder = async (): Promise<void> => {
    if (local.length > 0) await evaluateLocally(run, pending, local);
    await askGates(run, pending, evaluators, gates);
    await askOthers();
  };
  return local.length === 0 && gates.length === 0 ? askOthers() : askInOrder();
}

/** Judges the pending output and makes it a version; where a pass is in doubt, a second judge must confirm it. */
export async function evaluatePending(run: LoopRun): Promise<void> {
  const { state, spec } = run;
  const { pending } = state;
  if (!pending) return;
  const { settings, evaluators, second, allEvaluators, tasks } = spec;
  lowerThreshold(state, settings, evaluators);
  const stages = [evaluators, ...(second ? [allEvaluators] : [])];
  for (const [stage, asked] of stages.entries()) {
    if (stage > 0 && !isDoubtfulPass(spec, state, pending)) break;
    // A judge that could not judge is asked once more.
    for (let round = 1; round === 1 || (mayAskAgain(pending, asked) && !reachedLimit(run)); round += 1) {
      beginRound(pending, round);
      const asking = askRound(run, pending, asked);
      if (asking) await asking;
    }
    const judged = tasks.filter(({ index }) => index < asked.length);
    settleSplitPanels(judged, pending, thresholdFor(settings, pending));
  }
  const check = chooseBlockerCheck(spec, state, pending);
  if (check === 'reported') keepBlockerCheck(pending, { confirmed: true });
  if (check === 'second_judge' && !reachedLimit(run)) {
    await askSecondJudge(run, pending);
    keepBlockerCheck(pending, findingOfSecondJudge(spec, pending));
    // Its verdict counts like that of a gate where it confirms a pass. Here it would rank this version below others, which it did not see.
    dropVerdict(pending, evaluators.length);
  }
  settleVersion(state, settings, allEvaluators, timestamp());
}

function askSecondJudge(run: LoopRun, pending: PendingOutput): PendingCall {
  const { tasks, evaluators } = run.spec;
  const asks = pendingTasks(tasks, pending, [evaluators.length]);
  const isDraft = run.state.versions.length === 0;
  for (const ask of isDraft ? asks.filter(needsPrior) : []) take(run, pending, ask, nothingToCompareWith(ask.plan));
  const rest = isDraft ? asks.filter((ask) => !needsPrior(ask)) : asks;
  const local = rest.filter(({ plan }) => plan.local);
  const judges = rest.filter(({ plan }) => !plan.local);
  return local.length > 0 ? evaluateLocally(run, pending, local) : askJudges(run, pending, judges);
}

function checksCalls({ evaluator }: Pick<EvaluationTask, 'evaluator'>): boolean {
  return evaluatorTraits(evaluator.type).evidence === 'checked';
}

/** A schema is for finished work, calls are not all made, and unfinished work is no version to be compared. */
function fitsUnfinished(ask: EvaluationTask): boolean {
  const { evaluator, tree } = ask;
  if (checksCalls(ask)) return partsOf(tree).some((part) => !checksCalls(part));
  return evaluatorTraits(evaluator.type).judgesUnfinished && !comparesWithPrior(evaluator);
}

/** It makes no version; undefined when there was none to judge it. */
export async function evaluateUnfinished(
  run: LoopRun,
  output: string,
): Promise<{ evaluation: ReflectionEvaluation; judgedAt?: string } | undefined> {
  const { evaluators } = run.spec;
  const pending: PendingOutput = {
    output,
    origin: 'draft',
    verdicts: [],
    rounds: 1,
    tokenUsage: NO_USAGE,
    warnings: [],
  };
  await askRound(run, pending, evaluators, true);
  noteSpending(run.state, pending);
  if (!pending.verdicts.some((verdict) => verdict !== undefined)) return undefined;
  const { judgedAt } = pending;
  // There may be many of them in one version.
  const evaluation = withoutJudgeResults(evaluationOf(pending, evaluators));
  return { evaluation, ...(judgedAt === undefined ? {} : { judgedAt }) };
}
