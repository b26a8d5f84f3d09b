import { RE2JS } from 're2js';
import { PATTERN_CHARACTERS } from '../lib/base/maxima';
import { BoundedCache } from '../lib/threads/bounded-cache';
import { TimeLimitExceeded, withTimeLimit } from '../lib/threads/time-limit';
import { checkTimeLimit } from './time-limits';
import { firstCharacters } from '../lib/text/summary-text';

const CACHED_PATTERNS = 500;
/** A step of a compiled pattern takes some 150 bytes. */
const CACHED_STEPS = 500_000;
/** Steps of the compiled pattern: repetitions of large classes make a million of few characters. */
export const MAX_STEPS = 20_000;
/** A pattern of the largest size takes a tenth of it. */
const MAX_COMPILE_MILLISECONDS = 200;

const FLAGS: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // Texts are read by code points anyway.
  u: 0,
};

const cache = new BoundedCache<RE2JS | PatternTooLarge>({
  entries: CACHED_PATTERNS,
  size: CACHED_STEPS,
  sizeOf: (known, pattern) => (known instanceof RE2JS ? known.programSize() : pattern.length),
});

/** A pattern that may be right, but takes too much to search with. */
export class PatternTooLarge extends Error {}

/** Compiles a pattern that takes time in proportion to the text. Throws an error with the reason if it cannot be compiled. */
export function linearPattern(pattern: string, flags = ''): RE2JS {
  if (pattern.length > PATTERN_CHARACTERS) throw new Error(`it is longer than ${PATTERN_CHARACTERS} characters`);
  // To find out that it is too large takes longest, so that is remembered, too.
  const known = cache.getOrMake(`${flags}/${pattern}`, () => {
    try {
      const bits = flags.split('').reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
      const made = withTimeLimit(MAX_COMPILE_MILLISECONDS, () => RE2JS.compile(RE2JS.translateRegExp(pattern), bits));
      if (made.programSize() <= MAX_STEPS) return made;
      return new PatternTooLarge(
        'its repetitions multiply to too much: repeat less, or less often inside of each other',
      );
    } catch (error) {
      if (error instanceof TimeLimitExceeded) throw new PatternTooLarge(error.message, { cause: error });
      throw new Error(explainError((error as Error).message), { cause: error });
    }
  });
  if (known instanceof PatternTooLarge) throw known;
  return known;
}

export function unknownFlags(flags: string): string[] {
  return [...new Set(flags.split(''))].filter((flag) => !Object.hasOwn(FLAGS, flag));
}

function explainError(message: string): string {
  const told = message.replace(/^error parsing regexp: /, '');
  if (/\(\?(?:[=!]|<[=!])/.test(told)) {
    return `${told}; lookaheads and lookbehinds are not supported, because they can take for ever: use two evaluators, the second with \`mustMatch: false\``;
  }
  if (/invalid escape sequence: `\\(?:[1-9]|k)/.test(told)) {
    return `${told}; backreferences are not supported, because they can take for ever: write the alternatives out, or use a function evaluator`;
  }
  if (/invalid repeat count/.test(told)) return `${told}; repeat at most 1000 times, nested repetitions multiplied`;
  return told;
}

const MAX_SHOWN = 80;

export interface Search {
  pattern: string;
  flags: string;
  text: string;
  findsPlace: boolean;
}

/** Searches a text: null when the pattern matches nowhere, else where it does. `late` says how long it had. */
export function searchText({ pattern, flags, text, findsPlace }: Search): { found: string | null } | { late: string } {
  try {
    const compiled = linearPattern(pattern, flags);
    return withTimeLimit(checkTimeLimit(text.length), () => {
      // Without groups the engine is much faster; where the match is, only an issue needs to know.
      if (!compiled.test(text)) return { found: null };
      return { found: findsPlace ? placeOf(compiled.matcher(text), text) : '' };
    });
  } catch (error) {
    if (!(error instanceof TimeLimitExceeded)) throw error;
    return { late: error.message };
  }
}

export function patternProblem({ pattern }: { pattern: string }): string | null {
  try {
    linearPattern(pattern);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function placeOf(finder: ReturnType<RE2JS['matcher']>, text: string): string {
  if (!finder.find()) return 'it';
  const line = text.slice(0, finder.start()).split('\n').length;
  return `${JSON.stringify(short(finder.group() ?? ''))} in line ${line}`;
}

export function short(text: string): string {
  return firstCharacters(text, MAX_SHOWN);
}
