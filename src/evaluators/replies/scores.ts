import { isJsonObject, type Json } from '../../domain/base/json/json';
import type { JudgeProblem } from './problem';

const NUMBER = String.raw`\d+(?:[.,]\d+)?|[.,]\d+`;
const LEADING = new RegExp(String.raw`^\s*([+-]?(?:${NUMBER})(?:e[+-]?\d+)?)(?![\d.,]*\d)`, 'iu');
/** `%`, `/10`, `out of 10`, `of 10`. */
const PERCENT = /^\s*(?:%|percent\b|prozent\b|pour cent\b|por ciento\b)/iu;
const OUT_OF = new RegExp(
  String.raw`^\s*(?:\/|out of|of|von|sur|de|su)\s*(${NUMBER})(?![\d.,]*\d)\s*(?:stars?|points?|punkten?|étoiles|estrellas)?\b`,
  'iu',
);
/** `on a scale of 1 to 10`, `(scale: 0-1)`. */
const SCALE = new RegExp(
  String.raw`^\s*[([,;]?\s*(?:on a |scale|from)(?:scale)?\s*(?:of|from|:)?\s*(?:${NUMBER})\s*(?:to|-|–)\s*(${NUMBER})\s*[)\]]?`,
  'iu',
);
const HIGHEST = new RegExp(String.raw`^\s*(?:[01](?:[.,]0)?\s*(?:-|–|to|\.\.)\s*)?(${NUMBER})\s*$`, 'iu');
const SAME_IN_PERCENT = new RegExp(String.raw`^\s*[([]\s*(${NUMBER})\s*%\s*[)\]]`, 'u');
/** Words behind a number that leave open what the number is of, or turn its scale around. */
const UNCLEAR =
  /[?→]|\b(?:if|unless|except|otherwise|before|after|wenn|falls|sauf|poor|bad|terrible|useless|stars?|points?|punkte?|étoiles?|estrellas?|worst|best|lowest|highest|schlechte\w*|beste\w*)\b|^\s*(?:minus|plus|or|to|out|of|von|sur|de|su|x|times)\b/iu;
const FULL = /\b(?:perfect|flawless|excellent|full|complete\w*|all|top|outstanding|perfekt|parfait|perfecto)\b/iu;
/** Numbers in an explanation: whole ones count something, and another share or scale would be another score. */
const OTHER_SCORE = /\d[.,]\d|\d\s*[%/]|[/-]\s*\d|\b(?:of|von|sur|for)\s+\d/u;

/** Reads a score from 0 to 1. One on a scale that is known, `8/10` or `80 %`, is converted; a bare 8 is not a score. */
export function readScore(value: Json, max?: Json): number | JudgeProblem {
  const score = onScale(value, max);
  if (score >= 0 && score <= 1) return score;
  const shown = JSON.stringify(value).slice(0, 100);
  return { problem: `its score is ${shown}, which is not between 0 and 1, nor on a scale that it states` };
}

function onScale(value: Json, max: Json | undefined): number {
  if (isJsonObject(value)) {
    const { value: inner = value['score'], max: innerMax = value['out_of'], ...others } = value;
    const hasOthers = Object.keys(others).some((key) => !['score', 'out_of', 'reason'].includes(key));
    return inner === undefined || isJsonObject(inner) || hasOthers ? Number.NaN : onScale(inner, innerMax ?? max);
  }
  const own =
    typeof value === 'number' ? { number: value } : typeof value === 'string' ? scoreInText(value) : undefined;
  if (!own) return Number.NaN;
  if (max === undefined || max === null) return own.number / (own.scale ?? 1);
  const highest = highestOf(max);
  if (highest === undefined || !(highest >= 1) || own.number > highest) return Number.NaN;
  if (own.scale !== undefined) return own.scale === highest ? own.number / own.scale : Number.NaN;
  // A fraction may be a share already, or very little of what there is.
  if (highest > 1 && !Number.isInteger(own.number) && own.number < 1) return Number.NaN;
  return own.number / highest;
}

/** What a scale ends with: `10`, `"0-10"`, `"1 to 5"`. */
function highestOf(max: Json): number | undefined {
  if (typeof max === 'number') return max;
  const match = HIGHEST.exec(String(max));
  return match ? numberOf(match[1]!) : undefined;
}

/** A number in words of a reply, with the scale that it names. */
export function scoreInText(value: string): { number: number; scale?: number } | undefined {
  const text = value.slice(0, 2_000).replace(/[*_`"]/g, '');
  const match = LEADING.exec(text);
  if (!match) return undefined;
  const number = numberOf(match[1]!);
  let rest = text.slice(match[0].length);
  const found = [PERCENT, OUT_OF, SCALE].map((pattern) => pattern.exec(rest)).find((each) => each !== null);
  // A percentage names no scale of its own.
  const scale = found && (found[1] === undefined ? 100 : numberOf(found[1]));
  rest = rest.slice(found?.[0].length ?? 0);
  const again = SAME_IN_PERCENT.exec(rest);
  if (again && Math.abs(numberOf(again[1]!) / 100 - number / (scale ?? 1)) < 1e-9) rest = rest.slice(again[0].length);
  const isExplained = /^(?:\s*$|\s*[.,;!)\]]|\s*[([]|\s+\p{L}|\s+[-–—|]\s+\p{L})/u.test(rest);
  const isFraction = number > 0 && number < 1;
  // A 1 may be the worst of a scale that nobody named.
  const isBareOne = number === 1 && scale === undefined && /\p{L}/u.test(rest) && !FULL.test(rest);
  const otherNumber = isFraction || scale !== undefined ? OTHER_SCORE : /\d/;
  if (!isExplained || isBareOne || UNCLEAR.test(rest) || otherNumber.test(rest)) return undefined;
  if (Number.isNaN(number) || scale === 0) return undefined;
  return scale === undefined ? { number } : { number, scale };
}

/** Three digits behind a comma may be thousands. */
function numberOf(text: string): number {
  return /^[+-]?[1-9]\d*,\d{3}$/.test(text) ? Number.NaN : Number(text.replace(',', '.'));
}
