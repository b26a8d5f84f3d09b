import { type Json, textOf } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import { shortenExtras } from '../../lib/limits/shorten-extras';
import type { ToolCall } from '../../lib/models/types';
import { renderCount } from '../../lib/text/counted';
import type { ModelReply, Turn } from './model-reply';

const TRANSCRIPT_CHARACTERS = 96 * 1024;

const EXTRAS_CHARACTERS = 192 * 1024;

const SHORT_ARGUMENTS = 40;

/** Bytes of a conversation that goes on, as JSON: a run that continues as new passes it on. */
const CONVERSATION_BYTES = 128 * 1024;

/** Leaves long arguments out of a call. They stay a JSON object: providers refuse anything else. */
function withoutArguments(call: ToolCall): ToolCall {
  const { length } = call.arguments;
  if (length <= SHORT_ARGUMENTS) return call;
  return { ...call, arguments: JSON.stringify({ left_out: renderCount(length, 'character') }) };
}

/** The turns for the next call: of old texts, results and arguments only the length is sent once all together are too long. */
export function boundedTurns(turns: readonly Turn[]): Turn[] {
  let left = TRANSCRIPT_CHARACTERS;
  let extrasLeft = EXTRAS_CHARACTERS;
  const boundExtras = (call: ToolCall): ToolCall => {
    if (!call.extras) return call;
    extrasLeft -= JSON.stringify(call.extras).length;
    return extrasLeft >= 0 ? call : { ...call, extras: shortenExtras(call.extras) };
  };
  return turns
    .toReversed()
    .map((given): Turn => {
      if (given.role === 'review') return given;
      const calls = given.role === 'assistant' ? given.toolCalls.map(boundExtras) : [];
      const turn = given.role === 'assistant' ? { ...given, toolCalls: calls } : given;
      left -= calls.reduce((sum, call) => sum + call.arguments.length, turn.content.length);
      if (left >= 0) return turn;
      const content = `[left out: ${renderCount(turn.content.length, 'character')}]`;
      return turn.role === 'assistant'
        ? { ...turn, content, toolCalls: calls.map(withoutArguments) }
        : { ...turn, content };
    })
    .toReversed();
}

/** The turns of a conversation that goes on: the oldest answers go, with all before them, once all together are too long. */
export function boundedConversation(turns: readonly Turn[]): Turn[] {
  let kept = boundedTurns(turns);
  for (;;) {
    const next = kept.findIndex(({ role }) => role === 'request') + 1;
    if (next === 0 || jsonBytes(kept) <= CONVERSATION_BYTES) return kept;
    kept = kept.slice(next);
  }
}

export function turnsOfAnswer({ turns = [], text, replaced }: ModelReply, output: Json): Turn[] {
  return replaced ? turns : [...turns, { role: 'assistant', content: text ?? textOf(output), toolCalls: [] }];
}
