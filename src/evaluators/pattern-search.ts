import { TimeLimitExceeded, withTimeLimit } from '../threads/time-limit';
import { linearPattern } from './patterns';
import { checkTimeLimit } from './time-limits';

const MAX_SHOWN = 80;

/** What is searched for, and where. */
export interface Search {
  pattern: string;
  flags: string;
  text: string;
  /** Where the match is shall be told. */
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

/** Why a pattern cannot be used; null when it can. */
export function patternProblem({ pattern }: { pattern: string }): string | null {
  try {
    linearPattern(pattern);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

interface Finder {
  find(): boolean;
  group(): string | null;
  start(): number;
}

function placeOf(finder: Finder, text: string): string {
  if (!finder.find()) return 'it';
  const line = text.slice(0, finder.start()).split('\n').length;
  return `${JSON.stringify(short(finder.group() ?? ''))} in line ${line}`;
}

/** The beginning of what is too long to be shown. */
export function short(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
