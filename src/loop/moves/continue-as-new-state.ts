import type { Preparation } from '../state/loop-settings';
import type { WrittenReply } from '../state/model-reply';
import type { LoopState, ReflectionVersion } from '../state/loop-state';
import { inheritedCalls } from '../versions/evidence';
import type { Move } from './next-move';
import { selectBest, wholeVersions } from '../versions/selection';
import { boundCallsOfVersions, truncateVersions } from '../versions/truncate';
import { bytesUpTo } from '../../lib/json/json-bytes';
import { type RunCircumstances, continuesAsNew } from '../../lib/base/hand-over';
import type { ReflectionSpec } from '../contract/spec';

export interface ContinueAsNewState {
  state: LoopState;
  preparation: Preparation;
}

const CARRIED_BYTES = 64 * 1024;
const CARRIED_BYTES_FOR_READERS = 256 * 1024;

function readsEarlierOutputs(spec: ReflectionSpec, preparation: Preparation): boolean {
  const { generator, corrector, evaluator, task, reflectionPrompt, judge, hooks } = spec;
  if (preparation.settings.revision.includePriorVersions) return true;
  const readers = [generator, corrector, evaluator, preparation.actionNeeds, task, reflectionPrompt, judge, hooks];
  return /reflection_history|reflection_best\b/.test(JSON.stringify(readers));
}

export function carriedState(spec: ReflectionSpec, preparation: Preparation, state: LoopState): LoopState {
  const last = state.versions.at(-1);
  const highest = selectBest(wholeVersions(state.versions), 'highest_score');
  const keep = new Set([state.bestIteration ?? 0, last?.iteration ?? 0, highest?.iteration ?? 0]);
  const bytes = readsEarlierOutputs(spec, preparation) ? CARRIED_BYTES_FOR_READERS : CARRIED_BYTES;
  const { judgedAgain: _judgedAgain, replies, inherited: _inherited, ...handedOver } = state;
  const inherited = inheritedCalls(state, keep);
  const carried = carriedReplies(replies, keep);
  return {
    ...handedOver,
    ...(carried && { replies: carried }),
    ...(inherited && { inherited }),
    carriedThrough: last?.iteration ?? 0,
    versions: truncateVersions(boundCallsOfVersions(state.versions, keep), keep, bytes),
  };
}

const CARRIED_REPLY_BYTES = 32 * 1024;

const CARRIED_CONVERSATION_BYTES = 160 * 1024;

function isCarried(reply: WrittenReply): boolean {
  const most = reply.isConversation ? CARRIED_CONVERSATION_BYTES : CARRIED_REPLY_BYTES;
  return bytesUpTo(reply, most) < most;
}

function carriedReplies(replies: LoopState['replies'] = {}, keep: ReadonlySet<number>): LoopState['replies'] {
  const carried = Object.entries(replies).filter(
    ([iteration, reply]) => keep.has(Number(iteration)) && isCarried(reply),
  );
  return carried.length === 0 ? undefined : Object.fromEntries(carried);
}

/** The most iterations in one run: a history that a person can still read. */
export const ITERATIONS_PER_RUN = 50;

/** All that the next move needs is in the state, with a hint and a failed edit. While a run waits, a new one may take over. */
export function isSafePoint(state: LoopState): boolean {
  const { accept, abort, overrides, reflect } = state.commands;
  if (state.pending || state.stopped) return false;
  return !accept && !abort && !overrides && !reflect;
}

/** Bytes of outputs. A worker holds cached runs whole, and values take several times their JSON, also where histories stay short. */
export const HELD_BYTES = 16 * 1_024 * 1_024;

/** Counts the bytes of the outputs that the present run has made and holds; each output once. */
export function heldBytes(): (state: LoopState) => number {
  const sizes = new WeakMap<ReflectionVersion, number>();
  return ({ versions, carriedThrough }) => {
    let bytes = 0;
    for (const version of versions) {
      if (version.iteration <= carriedThrough) continue;
      const size = sizes.get(version) ?? bytesUpTo(version.output, HELD_BYTES);
      sizes.set(version, size);
      bytes += size;
    }
    return bytes;
  };
}

interface LoopCircumstances extends RunCircumstances {
  /** Bytes of the outputs that the run has made and still holds: see `HELD_BYTES`. */
  heldBytes(): number;
}

/** Only this function decides it: a wait that ends for a new run must not begin again in this one. */
export function shouldHandOver(state: LoopState, move: Move, run: LoopCircumstances): boolean {
  if (!isSafePoint(state)) return false;
  const made = (state.versions.at(-1)?.iteration ?? 0) - state.carriedThrough;
  const isLong = run.isSuggested || made >= ITERATIONS_PER_RUN || run.heldBytes() >= HELD_BYTES;
  return continuesAsNew(run, { isLong, mayWait: move.kind === 'wait' || move.kind === 'await_answer' });
}
