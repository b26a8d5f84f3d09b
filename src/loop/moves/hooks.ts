import type { ConvergenceReason } from '../base/convergence';
import { reviewedVersion } from '../commands/available';
import type { ReflectionEvaluation } from '../contract/evaluation';
import type { Json } from '../../lib/json/json';
import { iterationLimit } from '../limits/budget';
import { currentIteration, type LoopState, type Origin, versionOf } from '../state/loop-state';
import type { LoopSettings } from '../state/loop-settings';

/** The decisions that a hook may make after an evaluation: leave it to the loop, make another version, or end here. */
export const HOOK_DECISIONS = ['auto', 'continue', 'stop'] as const;
export type HookDecision = (typeof HOOK_DECISIONS)[number];

export const HOOK_NAMES = ['onGeneration', 'onReflection', 'onRevision', 'onWaiting'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** The generator wrote an output: the draft, or another one after a hint or a failed check. */
export interface GenerationEvent {
  /** From 1. */
  iteration: number;
  output: Json;
  origin: Origin;
}

/** A version was judged. */
export interface ReflectionEvent {
  /** From 1. */
  iteration: number;
  output: Json;
  evaluation: ReflectionEvaluation;
  origin: Origin;
  /** The best version so far, this one included. */
  bestIteration: number | null;
  /** The maximum number of versions; after the last one, `continue` has no effect. */
  maxIterations: number;
}

/** The corrector, or the built-in revision, wrote an output. */
export interface RevisionEvent {
  /** Iteration of the new output, from 2. */
  iteration: number;
  /** The output that it was made from: of the version before it, or of the one that the loop went back to. */
  previousOutput: Json;
  output: Json;
}

/** The loop waits for a person. */
export interface WaitingEvent {
  /** The version under review, from 1. */
  iteration: number;
  output: Json;
  evaluation: ReflectionEvaluation;
  /** Id of the wait. */
  wait: string;
  /** The end of the wait, ISO 8601. */
  until: string;
  /** Why the loop would end without a review; undefined: it would go on. */
  reason?: ConvergenceReason;
}

export interface HookEvents {
  onGeneration: GenerationEvent;
  onReflection: ReflectionEvent;
  onRevision: RevisionEvent;
  onWaiting: WaitingEvent;
}

export function decisionOf(answer: unknown): HookDecision | undefined {
  if (answer === undefined || answer === null) return 'auto';
  return HOOK_DECISIONS.find((decision) => decision === answer);
}

export function decisionProblem(answer: unknown): string {
  const said = JSON.stringify(answer) as string | undefined;
  return `answered ${said?.slice(0, 80) ?? typeof answer}; it may answer ${HOOK_DECISIONS.join(', ')}, or nothing`;
}

export function dueHook(
  state: LoopState,
  settings: LoopSettings,
): { [Name in HookName]: { name: Name; event: HookEvents[Name] } }[HookName] | undefined {
  const iteration = currentIteration(state);
  const { pending } = state;
  const last = state.versions.at(-1);
  if (pending?.origin === 'revision') {
    const base = versionOf(state, pending.basedOn ?? null) ?? last;
    const event = { iteration, previousOutput: base?.output ?? null, output: pending.output };
    return { name: 'onRevision', event };
  }
  if (pending) return { name: 'onGeneration', event: { iteration, output: pending.output, origin: pending.origin } };
  // Edits that did not apply do not count as an evaluation, nor does a call that was not made.
  if (!last || state.hint || state.unappliedEdit || state.repeatsAfter === last.iteration) return undefined;
  const { output, evaluation, origin } = last;
  const { bestIteration } = state;
  const maxIterations = iterationLimit(settings, state);
  return { name: 'onReflection', event: { iteration, output, evaluation, origin, bestIteration, maxIterations } };
}

/** @param wait its id */
export function waitingEvent({ review, versions }: LoopState, wait: string): WaitingEvent | undefined {
  const version = review && versions.find((each) => each.iteration === reviewedVersion(review));
  if (!review || !version) return undefined;
  const { iteration, output, evaluation } = version;
  const { reason } = review;
  const until = new Date(review.until).toISOString();
  return { iteration, output, evaluation, wait, until, ...(reason && { reason }) };
}

/** The decision about the latest version, by a person or otherwise by a hook; undefined leaves it to the loop. */
export function rulingOf({ ruling, versions, commands }: LoopState): 'continue' | 'stop' | undefined {
  const latest = versions.at(-1)?.iteration;
  const byPerson = commands.decision?.iteration === latest ? commands.decision?.decision : undefined;
  if (byPerson !== undefined && byPerson !== 'auto') return byPerson;
  return ruling && ruling.iteration === latest ? ruling.decision : undefined;
}
