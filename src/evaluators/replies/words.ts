import type { JudgeProblem } from './problem';

/** The words that a judge is asked to use, and their equivalents in values of code. */
const YES = words('true yes pass passed valid approved accept accepted');
const NO = words('false no fail failed invalid reject rejected');

/** A word and nothing else, except marks of the same sense: any other text may take a yes back. */
const ALONE = /^[\s*_`"'“”„«([-]*(\p{L}+)[\s*_`"'“”»)\].,;!]*$/u;
/** A word with an explanation after it: a no stays a no. */
const EXPLAINED = /^[\s*_`"'“”„«([-]*(\p{L}+)(?=[*_`"'”»\s]*(?:$|[.,;:!)\]}]|\(|\s[-–—]|[–—]))([^]*)$/u;
/** A choice, a condition or doubt after a no. */
const DOUBT = /[?→⇒~\p{Extended_Pictographic}]|[-=]>|\b(?:if|unless|or|else|otherwise|but|maybe|perhaps)\b/iu;

/** Characters of a verdict with its explanation that are looked at. */
const MOST_READ = 2_000;

export function readVerdict(value: unknown): boolean | JudgeProblem {
  if (typeof value === 'boolean') return value;
  const read = typeof value === 'string' ? verdictInText(value.replaceAll('\u{fe0f}', '')) : undefined;
  return read ?? { problem: `its verdict is ${JSON.stringify(value)?.slice(0, 100)}, which is neither yes nor no` };
}

function verdictInText(text: string): boolean | undefined {
  // What is not looked at could take a yes back.
  if (text.length <= MOST_READ && YES.has(ALONE.exec(text)?.[1]?.toLowerCase() ?? '')) return true;
  const [, word = '', rest = ''] = EXPLAINED.exec(text.slice(0, MOST_READ)) ?? [];
  const isTakenBack = DOUBT.test(rest) || wordsIn(rest).some((each) => YES.has(each));
  return NO.has(word.toLowerCase()) && !isTakenBack ? false : undefined;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

export function beginsWithVerdict(text: string): boolean {
  const [first = ''] = wordsIn(text.slice(0, 200));
  return YES.has(first) || NO.has(first);
}

const MAX_NOTHING = 100;
/** The fillers of an empty list. */
const NOTHING =
  /^[^\p{L}\d]*(?:none|nothing|null|nil|unknown|n\/?a|no (?:(?:further|other|major|critical|significant|obvious) )?(?:issues?|problems?|errors?|faults?|suggestions?|improvements?)(?: (?:were )?(?:found|detected|identified|noted|needed))?)?[^\p{L}\d]*$/iu;

export function isSaid(text: string): boolean {
  return text.length > MAX_NOTHING || !NOTHING.test(text);
}

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s|]+/).filter((word) => word !== ''));
}
