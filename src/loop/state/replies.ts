import { omitUndefined } from '../../lib/base/defined';
import type { Json } from '../../lib/json/json';
import { DECISION_WINDOW } from '../base/rules';
import { keepConversation } from './conversations';
import type { OutputReading } from './evaluation';
import { type LoopState, type PendingOutput, versionOf } from './loop-state';
import { type ModelReply, REPLY_CHARACTERS, type WrittenReply } from './model-reply';
import { boundedConversation, turnsOfAnswer } from './turns';

export function keepReply(state: LoopState, iteration: number, pending: PendingOutput | undefined): void {
  keepConversation(state, iteration, pending);
  const reply = pending?.reply ?? replacedReply(state, iteration, pending);
  if (!reply) return;
  const latest = Object.entries(state.replies ?? {}).filter(([key]) => Number(key) > iteration - DECISION_WINDOW);
  state.replies = { ...Object.fromEntries(latest), [iteration]: reply };
}

/** Builds the conversation after an override: all turns but the replaced answer. */
function replacedReply(
  state: LoopState,
  iteration: number,
  pending: PendingOutput | undefined,
): WrittenReply | undefined {
  const before = pending?.origin === 'override' ? state.replies?.[iteration - 1] : undefined;
  const version = versionOf(state, iteration - 1);
  if (!before?.isConversation || !version) return undefined;
  const { text: _text, ...reply } = before;
  return { ...reply, turns: boundedConversation(turnsOfAnswer(before, version.output)), replaced: true };
}

export function writtenReply(
  reply: ModelReply,
  { model, isConversation }: { model?: string | undefined; isConversation?: boolean },
): WrittenReply {
  return omitUndefined<WrittenReply>({ ...reply, model, isConversation: isConversation ? true : undefined });
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
