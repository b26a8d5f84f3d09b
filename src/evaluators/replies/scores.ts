import { isJsonObject, type Json } from '../../lib/json/json';
import type { JudgeProblem } from './problem';

const NUMBER = String.raw`\d+(?:[.,]\d+)?|[.,]\d+`;
/** A number, its scale where it names one, as `%`, `/10` or `out of 10`, and nothing that could be another number or take it back. */
const SCORE = new RegExp(
  String.raw`^[\s*_\`"]*([+-]?(?:${NUMBER})(?:e[+-]?\d+)?)\s*(?:(%|percent\b)|(?:\/|out of|of)\s*(${NUMBER}))?[\s*_\`".,;!)\]]*$`,
  'i',
);

/** The maximum length of a number with its scale, in characters: a longer text says something else, too. */
const LONGEST = 200;

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
    const hasOthers = Object.keys(others).some((key) => !['score', 'out_of'].includes(key));
    return inner === undefined || isJsonObject(inner) || hasOthers ? Number.NaN : onScale(inner, innerMax ?? max);
  }
  const own =
    typeof value === 'string'
      ? scoreInText(value)
      : { number: typeof value === 'number' ? value : Number.NaN, scale: undefined };
  if (!own) return Number.NaN;
  if (max === undefined || max === null) return own.number / (own.scale ?? 1);
  if (typeof max !== 'number' || !(max >= 1) || own.number > max) return Number.NaN;
  if (own.scale !== undefined) return own.scale === max ? own.number / own.scale : Number.NaN;
  // A fraction may be a share already, or very little of what there is.
  return max > 1 && !Number.isInteger(own.number) && own.number < 1 ? Number.NaN : own.number / max;
}

/** Reads a number in words of a reply, with the scale that it names. */
export function scoreInText(text: string): { number: number; scale?: number } | undefined {
  const [, number = '', percent, of] = text.length > LONGEST ? [] : (SCORE.exec(text) ?? []);
  const read = number === '' ? Number.NaN : numberOf(number);
  const scale = percent === undefined ? of && numberOf(of) : 100;
  if (Number.isNaN(read) || scale === 0) return undefined;
  return scale === undefined || scale === '' ? { number: read } : { number: read, scale };
}

/** Reads a number. Three digits after a comma may be thousands. */
function numberOf(text: string): number {
  return /^[+-]?[1-9]\d*,\d{3}$/.test(text) ? Number.NaN : Number(text.replace(',', '.'));
}
