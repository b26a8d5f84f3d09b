import { omitUndefined } from '../../lib/base/defined';
import type { KeptCalls } from '../contract/calls';
import { boundCalls, keptCalls, VERSION_CALLS_BYTES } from '../evidence/bounded-calls';
import type { LoopState, Reflection } from './loop-state';
import { dropParkedStep } from './parking';
import { addUsage, NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';

type UnfinishedIteration = NonNullable<LoopState['underway']>;

export const NOTHING_YET: UnfinishedIteration = { tokenUsage: NO_USAGE, warnings: [], reflections: [] };

interface Spending {
  tokenUsage?: TokenUsage;
  warnings: string[];
}

export function recordUsage(state: LoopState, spending: Spending): void {
  state.tokenUsage = addUsage(state.tokenUsage, spending.tokenUsage);
  noteSpending(state, spending);
}

/** Adds usage that was counted already, such as that of judges' calls. */
export function noteSpending(state: LoopState, { tokenUsage, warnings }: Spending): void {
  const before = state.underway ?? NOTHING_YET;
  state.underway = {
    ...before,
    tokenUsage: addUsage(before.tokenUsage, tokenUsage),
    warnings: [...new Set([...before.warnings, ...warnings])],
  };
}

/** Notes warnings of the check of the spec, for the first version to report. */
export function noteFindings(state: LoopState, { warnings = [] }: { warnings?: readonly string[] }): void {
  if (warnings.length > 0) noteSpending(state, { warnings: [...warnings] });
}

export function recordCalls(state: LoopState, { calls = [], callsOmitted = 0 }: KeptCalls): void {
  if (calls.length === 0) return;
  const before = state.underway ?? NOTHING_YET;
  const omitted = (before.callsOmitted ?? 0) + callsOmitted;
  const all = { ...before, calls: [...(before.calls ?? []), ...calls], callsOmitted: omitted };
  state.underway = { ...all, ...keptCalls(boundCalls(all, VERSION_CALLS_BYTES)) };
}

export function leaveCalls(state: LoopState, { calls, callsOmitted }: KeptCalls): void {
  if (calls) state.underway = { ...NOTHING_YET, ...omitUndefined({ calls, callsOmitted }) };
}

export function recordReflection(state: LoopState, reflection: Reflection): void {
  const before = state.underway ?? NOTHING_YET;
  state.underway = { ...before, reflections: [...before.reflections, reflection] };
}

/** Resets what was spent before a result: it counts with that result now. */
export function settleUnfinished(state: LoopState): UnfinishedIteration {
  const { underway = NOTHING_YET, hint, unappliedEdit } = state;
  delete state.underway;
  delete state.hint;
  delete state.unappliedEdit;
  dropParkedStep(state);
  const before = hint ?? unappliedEdit;
  return {
    ...underway,
    tokenUsage: addUsage(underway.tokenUsage, before?.tokenUsage),
    warnings: [...(before?.warnings ?? []), ...underway.warnings],
  };
}
