import type { LoopState, PendingOutput } from './loop-state';
import { REPLY_CHARACTERS, type WrittenReply } from './model-reply';

/** The number of the latest versions whose replies are kept: as many as a revision looks back on. */
const KEPT_REPLIES = 20;

/** Keeps the reply of a version, and forgets those that no revision starts from any more. */
export function keepReply(state: LoopState, iteration: number, reply: WrittenReply | undefined): void {
  if (!reply) return;
  const latest = Object.entries(state.replies ?? {}).filter(([key]) => Number(key) > iteration - KEPT_REPLIES);
  state.replies = { ...Object.fromEntries(latest), [iteration]: reply };
}

/** Keeps the text that a value was read out of, as the model wrote it. */
export function keepText(pending: PendingOutput, text: string): void {
  const { reply } = pending;
  if (!reply || reply.text !== undefined) return;
  if (text.length <= REPLY_CHARACTERS) pending.reply = { ...reply, text };
  else delete pending.reply;
}
