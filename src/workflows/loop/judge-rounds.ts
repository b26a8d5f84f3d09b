import type { EvaluateInput } from '../../activities/protocol';
import { addUsage, NO_USAGE } from '../../lib/base/tokens';
import type { ToolCall } from '../../lib/models/types';
import { MOST_CALLS_OF_JUDGE } from '../../loop/base/maxima';
import { inconclusiveVerdict, type Verdict } from '../../loop/state/evaluation';
import { budgetName } from '../../loop/limits/budget';
import { judgeRounds, toolsOfJudge } from '../../loop/spec/evaluator-parts';
import type { EvaluationTask } from '../../loop/state/evaluation-task';
import type { PendingOutput } from '../../loop/state/loop-state';
import type { ToolResult, Turn } from '../../loop/state/model-reply';
import { addJudgeCalls } from '../../loop/state/notes';
import { stateForStep } from '../../loop/step-state/project';
import { boundedTurns } from '../../loop/state/turns';
import { toolName } from '../../loop/step-state/tools';
import { callActivity } from '../shared/activity-calls';
import { RunTimeExceeded } from '../shared/limits-exceeded';
import { stepFailureOf } from '../shared/step-failure';
import { evaluationSummary, seenState } from './evaluation-input';
import type { LoopRun } from './loop-run';
import { budgetedCall } from './step-call';
import { failedRecord, makeToolCall, refuseToolCall, toolResult, turnsOf } from './tool-calls';
import { noteInconclusive, reachedLimit } from './unjudged';

type Looked = ToolResult & { error?: unknown };

async function look(run: LoopRun, task: EvaluationTask, iteration: number, call: ToolCall): Promise<Looked> {
  const tools = toolsOfJudge(task.evaluator);
  const names = tools.map(toolName).join(', ');
  if (!tools.includes(call.name)) return toolResult(call, `There is no tool of that name. There are: ${names}`, true);
  const { spec, state } = run;
  const action = { action: call.name };
  const { how } = budgetedCall(
    run,
    evaluationSummary(run, iteration, `tool · ${task.title} · ${call.name}`),
    call.name,
  );
  const seen = seenState(run, stateForStep(spec, state, action, spec.actionNeeds, iteration));
  try {
    const input = { iteration, task: spec.task, state: seen, byJudge: true as const };
    return (await makeToolCall(run, call, input, how)).result;
  } catch (error) {
    const message = error instanceof RunTimeExceeded ? error.message : stepFailureOf(error, false).message;
    return { ...toolResult(call, message, true, failedRecord(call, message)), error };
  }
}

function verdictWithoutTool(run: LoopRun, { plan }: EvaluationTask, results: readonly Looked[]): Verdict | undefined {
  const failed = results.find(({ error }) => error !== undefined);
  if (!failed) return undefined;
  if (failed.error instanceof RunTimeExceeded) return noteInconclusive(run, plan, failed.error);
  return inconclusiveVerdict(plan, `its tool "${failed.name}" could not be reached: ${failed.content}`);
}

/**
 * Asks a judge that has tools: one model call an activity, and between two of them the tools that the judge called, side by side.
 * What it called is recorded beside the output. The verdict has the usage and the warnings of all calls.
 * @returns the verdict, and the turns before it, for a repair
 */
export async function judgeInRounds(
  run: LoopRun,
  pending: PendingOutput,
  task: EvaluationTask,
  input: EvaluateInput,
): Promise<{ verdict: Verdict; turns: Turn[] }> {
  const { plan, title, evaluator } = task;
  const { iteration } = input;
  const most = judgeRounds(evaluator);
  let turns: Turn[] = [];
  let tokenUsage = NO_USAGE;
  let ms = 0;
  const warnings = new Set<string>();
  const settle = (verdict: Verdict): { verdict: Verdict; turns: Turn[] } => ({
    verdict: { ...verdict, ms, tokenUsage, ...(warnings.size > 0 && { warnings: [...warnings] }) },
    turns,
  });
  for (let round = 1; ; round += 1) {
    const later = round === 1 ? '' : ` · step ${round}`;
    const summary = evaluationSummary(run, iteration, `evaluate · ${title}${later}`);
    const { how, limits, timeoutMs } = budgetedCall(run, summary, undefined, tokenUsage);
    const given: EvaluateInput = {
      ...input,
      ...limits,
      timeoutMs: timeoutMs(input.timeoutMs),
      ...(turns.length > 0 && { turns }),
      ...(round >= most && { withoutTools: true }),
    };
    const call = callActivity('evaluate', run.spec.settings, { model: true }, given, { ...how, endsItself: true });
    const [answer] = await call.catch((error: unknown) => [noteInconclusive(run, plan, error)]);
    const { toolCalls, said = '', ...verdict } = answer!;
    tokenUsage = addUsage(tokenUsage, verdict.tokenUsage);
    ms += verdict.ms;
    for (const warning of verdict.warnings ?? []) warnings.add(warning);
    if (!toolCalls) return settle(verdict);
    const before = reachedLimit(run, tokenUsage);
    if (before) return settle(inconclusiveVerdict(plan, `the ${budgetName(before)} is spent`));
    const results = await Promise.all(
      toolCalls.map(async (each, index) =>
        index < MOST_CALLS_OF_JUDGE
          ? look(run, task, iteration, each)
          : (refuseToolCall(each, MOST_CALLS_OF_JUDGE) as Looked),
      ),
    );
    addJudgeCalls(
      pending,
      task,
      results.flatMap(({ record }) => record ?? []),
    );
    run.onChange();
    const unjudged = verdictWithoutTool(run, task, results);
    if (unjudged) return settle(unjudged);
    turns = boundedTurns([...turns, ...turnsOf(said, toolCalls, results)]);
    const after = reachedLimit(run, tokenUsage);
    if (after) return settle(inconclusiveVerdict(plan, `the ${budgetName(after)} is spent`));
  }
}
