import { type Json, textOf } from '../../lib/json/json';
import { renderCount } from '../../lib/text/counted';
import type { ModelReply, Turn } from './model-reply';

/** Characters of all results and texts that travel to the next call; the latest stay. */
const TRANSCRIPT_CHARACTERS = 96 * 1024;

/** Returns the turns for the next call: of old results only the length is sent once all together are too long. */
export function boundedTurns(turns: readonly Turn[]): Turn[] {
  let left = TRANSCRIPT_CHARACTERS;
  return turns
    .toReversed()
    .map((turn): Turn => {
      if (turn.role === 'review') return turn;
      left -= turn.content.length;
      return left >= 0 ? turn : { ...turn, content: `[left out: ${renderCount(turn.content.length, 'character')}]` };
    })
    .toReversed();
}

/** Returns the turns of an answer, with the answer as the last of them. */
export function turnsOfAnswer({ turns = [], text, replaced }: ModelReply, output: Json): Turn[] {
  return replaced ? turns : [...turns, { role: 'assistant', content: text ?? textOf(output), toolCalls: [] }];
}
