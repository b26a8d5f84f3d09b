import type { Json } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import {
  currentIteration,
  guidedVersion,
  type LoopState,
  type PendingOutput,
  type ReflectionVersion,
} from './loop-state';

const MOST_BYTES = 96 * 1024;

export function conversationRequest(state: LoopState): { conversation?: Json } {
  const version = guidedVersion(state) ?? state.versions.at(-1);
  const conversation = version && state.conversations?.[version.iteration];
  return conversation === undefined ? {} : { conversation };
}

const MOST_CONTINUED = 200;

/** The output, which was made anew, then counts as made from that version. `guided`: a version that a person chose for the request. */
export function noteContinued(state: LoopState, guided?: ReflectionVersion): void {
  const { pending, conversations, continued = [] } = state;
  const iteration = currentIteration(state);
  const from = guided?.iteration ?? iteration - 1;
  if (pending?.origin !== 'regeneration' || pending.conversation === undefined) return;
  if (conversations?.[from] === undefined) return;
  if (from !== iteration - 1) pending.basedOn = from;
  state.continued = [...continued, iteration].slice(-MOST_CONTINUED);
}

export function conversationWarning(conversation: Json | undefined): string | undefined {
  const bytes = conversation === undefined ? 0 : jsonBytes(conversation);
  if (bytes <= MOST_BYTES) return undefined;
  return `the conversation of its agent has ${bytes} bytes as JSON, more than ${MOST_BYTES}, and was not kept: the next version begins a new one`;
}

/** Keeps the conversation of a version, and that of the best one. After a person's own output an agent goes on from the version before. */
export function keepConversation(state: LoopState, iteration: number, pending: PendingOutput | undefined): void {
  const before = state.conversations ?? {};
  const from = pending?.former ? iteration : iteration - 1;
  const isKept = pending?.former !== undefined || pending?.origin === 'override';
  const own = isKept ? before[from] : pending?.conversation;
  const kept = [
    [state.bestIteration, state.bestIteration === iteration ? own : before[state.bestIteration ?? 0]],
    [iteration, own],
  ].filter(([, conversation]) => conversation !== undefined);
  if (kept.length === 0) delete state.conversations;
  else state.conversations = Object.fromEntries(kept) as Record<number, Json>;
}
