import type { EvaluateInput } from '../activities/protocol';
import type { Verdict } from '../domain/evaluation';
import type { Preparation } from '../domain/loop-settings';
import { currentIteration, type PendingOutput } from '../domain/loop-state';
import type { Evaluator } from '../domain/spec';
import { evaluatorsOf, stateForEvaluators } from '../domain/step-inputs';
import { evaluatorsToAsk, gateFailed, mayAskAgain, settleVersion, takeVerdict } from '../domain/transitions';
import { addUsage, type TokenUsage } from '../domain/tokens';
import { callJudge, callLocalEvaluators, callRepair } from './activity-calls';
import type { LoopRun } from './loop';
import { stepFailureOf } from './step-failure';

type EvaluatorPlan = Preparation['evaluators'][number];

function inputFor(run: LoopRun, pending: PendingOutput, chosen: Evaluator[], names: string[]): EvaluateInput {
  const { spec, preparation, state } = run;
  const iteration = currentIteration(state);
  const model = spec.reflectionModel ?? spec.model;
  return {
    evaluators: chosen,
    names,
    iteration,
    output: pending.output,
    ...(spec.task === undefined ? {} : { task: spec.task }),
    state: stateForEvaluators(spec, state, chosen, iteration),
    qualityThreshold: preparation.settings.qualityThreshold,
    ...(model === undefined ? {} : { model }),
    ...(spec.reflectionPrompt === undefined ? {} : { judgePrompt: spec.reflectionPrompt }),
    structured: spec.structuredReflection ?? true,
    timeoutMs: preparation.settings.timeouts.modelCallMs,
  };
}

async function evaluateLocally(run: LoopRun, pending: PendingOutput, indexes: number[]): Promise<void> {
  const all = evaluatorsOf(run.spec);
  const plans = run.preparation.evaluators;
  const local = indexes.filter((index) => plans[index]!.local);
  if (local.length === 0) return;
  const names = local.map((index) => plans[index]!.name);
  const input = inputFor(
    run,
    pending,
    local.map((index) => all[index]!),
    names,
  );
  const verdicts = await callLocalEvaluators(input, `#${input.iteration} evaluate · ${names.join(', ')}`);
  for (const [position, index] of local.entries()) takeVerdict(run.state, pending, index, verdicts[position]!);
}

function couldNotJudge(plan: EvaluatorPlan, reason: string): Verdict {
  return {
    name: plan.name,
    type: plan.type,
    outcome: 'inconclusive',
    score: null,
    issues: [],
    suggestions: [],
    confidence: 0,
    reason: `${plan.name} could not judge: ${reason}`,
    ms: 0,
  };
}

async function askJudge(run: LoopRun, pending: PendingOutput, index: number): Promise<void> {
  const plan = run.preparation.evaluators[index]!;
  const evaluator = evaluatorsOf(run.spec)[index]!;
  const input = inputFor(run, pending, [evaluator], [plan.name]);
  const { settings } = run.preparation;
  let spent: TokenUsage | undefined;
  let verdict: Verdict;
  try {
    verdict = await callJudge(settings, input, `#${input.iteration} evaluate · ${plan.name}`);
    if (verdict.unreadable) {
      spent = verdict.tokenUsage;
      const { evaluators: _evaluators, names: _names, ...rest } = input;
      const repair = { ...rest, evaluator, name: plan.name, reply: verdict.unreadable.reply };
      verdict = await callRepair(settings, repair, `#${input.iteration} repair · ${plan.name}`);
    }
  } catch (error) {
    verdict = couldNotJudge(plan, stepFailureOf(error, true).message);
  }
  if (spent) verdict = { ...verdict, tokenUsage: addUsage(spent, verdict.tokenUsage) };
  takeVerdict(run.state, pending, index, verdict);
}

/** Cheap and deterministic evaluators first, then paid gates one by one, then all others side by side. */
async function askRound(run: LoopRun, pending: PendingOutput): Promise<void> {
  const plans = run.preparation.evaluators;
  const indexes = evaluatorsToAsk(pending, plans);
  await evaluateLocally(run, pending, indexes);
  const judges = indexes.filter((index) => !plans[index]!.local);
  for (const index of judges.filter((judge) => plans[judge]!.gate)) {
    if (gateFailed(pending, plans)) return;
    await askJudge(run, pending, index);
  }
  if (gateFailed(pending, plans)) return;
  await Promise.all(judges.filter((index) => !plans[index]!.gate).map((index) => askJudge(run, pending, index)));
}

/** Judges the pending output and makes it a version. A judge that could not judge is asked once more. */
export async function evaluatePending(run: LoopRun, timestamp: () => string): Promise<void> {
  const { pending } = run.state;
  if (!pending) return;
  const { evaluators, settings } = run.preparation;
  do {
    pending.rounds += 1;
    await askRound(run, pending);
  } while (mayAskAgain(pending, evaluators));
  settleVersion(run.state, settings, evaluators, timestamp());
}
