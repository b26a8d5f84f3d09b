import type { Json } from '../../lib/json/json';
import type { JudgeProblem } from './words';

const NUMBER = String.raw`\d+(?:[.,]\d+)?|[.,]\d+`;
/** A number, its scale where it names one, as `%`, `/10` or `out of 10`, and nothing that could be another number or take it back. */
const SCORE = new RegExp(
  String.raw`^[\s*_\`"]*([+-]?(?:${NUMBER})(?:e[+-]?\d+)?)\s*(?:(%|percent\b)|(?:\/|out of|of)\s*(${NUMBER}))?[\s*_\`".,;!)\]]*$`,
  'i',
);

const LONGEST_SCORE = 200;

/** Reads a score from 0 to 1. One on a scale that it names, `8/10` or `80 %`, is converted; a bare 8 is not a score. */
export function readScore(value: Json): number | JudgeProblem {
  const { number, scale = 1 } = (typeof value === 'string' ? scoreInText(value) : { number: Number(value) }) ?? {};
  const score =
    typeof value === 'boolean' || typeof value === 'object' || number === undefined ? Number.NaN : number / scale;
  if (score >= 0 && score <= 1) return score;
  const shown = JSON.stringify(value).slice(0, 100);
  return { problem: `its score is ${shown}, which is not between 0 and 1, nor on a scale that it states` };
}

export function scoreInText(text: string): { number: number; scale?: number } | undefined {
  const [, number = '', percent, of] = text.length > LONGEST_SCORE ? [] : (SCORE.exec(text) ?? []);
  const read = number === '' ? Number.NaN : numberOf(number);
  const scale = percent === undefined ? of && numberOf(of) : 100;
  if (Number.isNaN(read) || scale === 0) return undefined;
  return scale === undefined || scale === '' ? { number: read } : { number: read, scale };
}

/** Reads a number. Three digits after a comma may be thousands. */
function numberOf(text: string): number {
  return /^[+-]?[1-9]\d*,\d{3}$/.test(text) ? Number.NaN : Number(text.replace(',', '.'));
}
