import { z } from 'zod';

const range = z.strictObject({ min: z.int().min(0).optional(), max: z.int().min(1).optional() });

/** Rules for a text that a program can check. Patterns are regular expressions, without regard to case. */
export const textRules = z.strictObject({
  words: range.optional().describe('Number of words.'),
  sentences: range.optional().describe('Number of sentences.'),
  lines: range.optional().describe('Number of lines that are not empty.'),
  eachLine: z.string().optional().describe('Pattern that each line that is not empty has.'),
  form: z.string().optional().describe('Pattern that the whole text has.'),
  forbidden: z.array(z.string()).default([]).describe('Words that do not occur.'),
  required: z.array(z.string()).default([]).describe('Patterns that all occur.'),
});
export type TextRules = z.infer<typeof textRules>;

const RANGES = {
  words: (text: string) => text.match(/[\p{L}\d]+(?:[’'.,:-][\p{L}\d]+)*/gu)?.length ?? 0,
  sentences: (text: string) => text.match(/[.!?](?=["”’)]*(?:\s|$))/g)?.length ?? 0,
  lines: (text: string) => linesOf(text).length,
};

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** What a text does wrong, each as a sentence, and how many rules there are. */
export function ruleProblems(text: string, rules: TextRules): { problems: string[]; rules: number } {
  const results: (string | undefined)[] = [];
  for (const [what, count] of Object.entries(RANGES)) {
    const { min = 0, max = Infinity } = rules[what as keyof typeof RANGES] ?? {};
    if (min === 0 && max === Infinity) continue;
    const found = count(text);
    const wanted = max === Infinity ? `at least ${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
    results.push(found < min || found > max ? `The text has ${found} ${what}; it must have ${wanted}.` : undefined);
  }
  if (rules.form !== undefined)
    results.push(
      new RegExp(rules.form, 'iu').test(text) ? undefined : `The text must match the pattern ${rules.form}.`,
    );
  if (rules.eachLine !== undefined) {
    const pattern = new RegExp(rules.eachLine, 'iu');
    const wrong = linesOf(text).find((line) => !pattern.test(line));
    results.push(
      wrong === undefined ? undefined : `Each line must match the pattern ${rules.eachLine}; "${wrong}" does not.`,
    );
  }
  for (const word of rules.forbidden) {
    const occurs = new RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, 'iu').test(text);
    results.push(occurs ? `The text must not contain "${word}".` : undefined);
  }
  for (const pattern of rules.required)
    results.push(new RegExp(pattern, 'iu').test(text) ? undefined : `The text must contain ${pattern}.`);
  return { problems: results.filter((each) => each !== undefined), rules: results.length };
}

/** Numbers as they are written, thousands separators aside; `3.` at the end of a sentence is 3. */
function numbersIn(text: string): string[] {
  return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((each) =>
    each.replaceAll(/,(?=\d{3}(?!\d))/g, '').replace(/^0+(?=\d)/, ''),
  );
}

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The numbers of a text that neither the source has, as digits or up to twelve in words, nor `allowed`. */
export function inventedNumbers(text: string, source: string, allowed: readonly string[] = []): string[] {
  const words = source.toLowerCase().match(/[a-z]+/g) ?? [];
  const spelled = words.map((word) => NUMBER_WORDS.indexOf(word)).filter((number) => number >= 0);
  const known = new Set([...numbersIn(source), ...spelled.map(String), ...allowed]);
  return numbersIn(text).filter((number) => !known.has(number));
}
