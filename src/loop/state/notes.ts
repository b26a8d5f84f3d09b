import type { CallRecord } from '../contract/calls';
import type { BlockerCheck } from '../contract/blockers';
import { boundCalls, EVALUATION_CALLS_BYTES } from '../evidence/bounded-calls';
import type { EvaluationTask } from './evaluation-task';
import type { Decision } from '../base/command-payloads';
import type { Verdict } from './evaluation';
import { currentIteration, type LoopState, type PendingOutput } from './loop-state';

const MOST_ANSWERED = 20;

export function noteAnswered(state: LoopState, key: string | undefined): void {
  if (key !== undefined) state.answered = [...(state.answered ?? []), key].slice(-MOST_ANSWERED);
}

export function noteRepetition(state: LoopState, iteration: number): void {
  state.repeatsAfter = iteration;
}

export function noteTimeIsUp(state: LoopState): void {
  state.timeIsUp = true;
}

export function keepRecalled(state: LoopState, insights: string[]): void {
  state.recalled = insights;
}

export function beginKeeping({ stopped }: LoopState): void {
  if (stopped) stopped.keeping = true;
}

export function endKeeping({ stopped }: LoopState): void {
  delete stopped?.keeping;
}

export function recordRuling(state: LoopState, decision: Decision): void {
  delete state.ruling;
  if (decision !== 'auto') state.ruling = { iteration: currentIteration(state), decision };
}

export function beginRound(pending: PendingOutput, round: number): void {
  pending.rounds = round;
}

export function setVerdict(pending: PendingOutput, index: number, verdict: Verdict): void {
  pending.verdicts[index] = verdict;
}

/** Forgets the verdict of an evaluator that was asked about the blockers of an output, and is no part of its judgement. */
export function dropVerdict(pending: PendingOutput, index: number): void {
  pending.verdicts.splice(index, 1);
}

export function keepBlockerCheck(pending: PendingOutput, found: BlockerCheck): void {
  pending.blocked = found;
}

export function addJudgeCalls(
  pending: PendingOutput,
  { index, part, plan }: Pick<EvaluationTask, 'index' | 'part' | 'plan'>,
  made: readonly CallRecord[],
): void {
  const key = [index, part].map((each) => String(each).padStart(3, '0')).join('.');
  const { calls = [], callsOmitted = 0 } = pending.judgeCalls?.[key] ?? {};
  const all = [...calls, ...made.map((call) => ({ ...call, evaluator: plan.name }))];
  pending.judgeCalls = {
    ...pending.judgeCalls,
    [key]: boundCalls({ calls: all, callsOmitted }, EVALUATION_CALLS_BYTES),
  };
}

export function setThreshold(pending: PendingOutput, threshold: number, warning: string): void {
  pending.qualityThreshold = threshold;
  pending.warnings = [...new Set([...pending.warnings, warning])];
}

function addToLast(state: LoopState, warning: string): void {
  const last = state.versions.at(-1);
  if (last) state.versions = [...state.versions.slice(0, -1), { ...last, warnings: [...last.warnings, warning] }];
}

/** Adds a warning to the latest version, for the readers of the result, unless it is there. */
export function warnLast(state: LoopState, warning: string): void {
  if (!state.versions.at(-1)?.warnings.includes(warning)) addToLast(state, warning);
}

export function warnAfterwards(state: LoopState, warning: string): void {
  const { pending } = state;
  if (pending) pending.warnings = [...pending.warnings, warning];
  else addToLast(state, warning);
}
