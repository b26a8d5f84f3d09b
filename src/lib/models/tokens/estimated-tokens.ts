import { setImmediate as nextTurn } from 'node:timers/promises';
import { findMissing, requireOptional } from '../../optional-packages';

/** Characters that are counted at once: the work on one piece of a text grows with the square of its length. */
const PIECE = 500;

/** Characters that are counted of a longer text; the rest is taken to be alike. */
const COUNTED_AT_MOST = 50_000;

/** Pieces between two turns of the event loop. */
const PIECES_A_TURN = 10;

/** Bytes of a token where there is no tokenizer: a little less than most texts have, so that budgets hold. */
const BYTES_OF_A_TOKEN = 3;

type Count = (text: string) => number;

/** The tokenizer; undefined if the optional package is not installed. */
let count: Count | undefined;
let isLoaded = false;

function tokenizer(): Count | undefined {
  if (!isLoaded) {
    isLoaded = true;
    if (!findMissing('Token estimates')) {
      const { countTokens } = requireOptional('Token estimates', 'gpt-tokenizer') as {
        countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
      };
      // Texts may contain the names of special tokens, which are ordinary text there.
      count = (text) => countTokens(text, { disallowedSpecial: new Set() });
    }
  }
  return count;
}

/**
 * Estimates the tokens of a text, for endpoints that do not count: with the tokenizer of OpenAI's newer models if it is
 * installed.
 */
export async function estimateTokens(text: string): Promise<number> {
  const tokens = tokenizer();
  if (!tokens) return Math.ceil(Buffer.byteLength(text) / BYTES_OF_A_TOKEN);
  const counted = text.slice(0, COUNTED_AT_MOST);
  let sum = 0;
  for (let start = 0; start < counted.length; start += PIECE) {
    if (start > 0 && (start / PIECE) % PIECES_A_TURN === 0) await nextTurn();
    sum += tokens(counted.slice(start, start + PIECE));
  }
  return text.length > counted.length ? Math.ceil((sum * text.length) / counted.length) : sum;
}
