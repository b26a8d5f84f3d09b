import type { Json } from '../../lib/json/json';
import { DECISION_WINDOW } from '../base/rules';
import { keepConversation } from './conversations';
import type { OutputReading } from './evaluation';
import type { LoopState, PendingOutput } from './loop-state';
import { REPLY_CHARACTERS } from './model-reply';

/**
 * Keeps the reply of a version and the conversation of its agent, and forgets those of versions that decisions do not look back on
 * any more.
 */
export function keepReply(state: LoopState, iteration: number, pending: PendingOutput | undefined): void {
  keepConversation(state, iteration, pending);
  const reply = pending?.reply;
  if (!reply) return;
  const latest = Object.entries(state.replies ?? {}).filter(([key]) => Number(key) > iteration - DECISION_WINDOW);
  state.replies = { ...Object.fromEntries(latest), [iteration]: reply };
}

/** Takes the value that was read out of an output, and keeps the text that it was read out of, as the model wrote it. */
export function takeValue(pending: PendingOutput, reading: OutputReading, value: Json): void {
  const { output: before, reply } = pending;
  pending.reading = reading;
  pending.output = value;
  if (!reply || reply.text !== undefined || typeof before !== 'string' || before === value) return;
  if (before.length <= REPLY_CHARACTERS) pending.reply = { ...reply, text: before };
  else delete pending.reply;
}
