import { jsonBytes } from '../json/json-bytes';
import { shownText, wellCut } from '../names/protocol-text';

/** The server accepts 400 bytes, and a codec may make a text longer; a refused summary stops the run. */
const SUMMARY_BYTES = 240;

/** Renders a line for the Web UI's timeline or run list, cut to the length that the server takes. */
export function summaryText(given: string): string {
  const text = shownText(given);
  if (jsonBytes(text) <= SUMMARY_BYTES) return text;
  let bytes = jsonBytes('…');
  let short = '';
  for (const character of text) {
    // Less the quotes.
    bytes += jsonBytes(character) - 2;
    if (bytes > SUMMARY_BYTES) break;
    short += character;
  }
  return `${short}…`;
}

/** Renders a duration for a page: seconds, or minutes if it was long. */
export function durationText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Renders a score and a threshold for users, with enough digits that they differ. */
export function scoresApart(score: number, needed: number): [score: string, needed: string] {
  const digits = [2, 3, 4, 5, 6, 9].find((count) => score.toFixed(count) !== needed.toFixed(count)) ?? 2;
  return [score.toFixed(digits), digits === 2 ? needed.toFixed(2) : String(needed)];
}

/** Renders a score for users. @param needed the threshold, if that is shown, too */
export function scoreText(score: number | null, needed?: number): string {
  return score === null ? '–' : scoresApart(score, needed ?? score)[0];
}

/** Cuts a text to at most so many characters; one that was longer ends in `…`. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${wellCut(text.slice(0, most - 1))}…` : text;
}

/** Returns so many characters of a text; `…` after them says that there are more. */
export function firstCharacters(text: string, most: number): string {
  return text.length > most ? `${wellCut(text.slice(0, most))}…` : text;
}

/** Cuts a text like `cutText`, and puts it on one line, with single spaces. */
export function oneLine(text: string, most: number): string {
  return cutText(text.replace(/\s+/g, ' ').trim(), most);
}
