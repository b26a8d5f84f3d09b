import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';

const YES = words('true yes pass passed valid approved accept accepted');
const NO = words('false no fail failed invalid reject rejected');

/** A word and nothing else, except marks of the same sense: any other text may take a yes back. */
const ALONE = /^[\s*_`"'“”„«([-]*(\p{L}+)[\s*_`"'“”»)\].,;!]*$/u;
/** A word with an explanation after it: a no stays a no. */
const EXPLAINED = /^[\s*_`"'“”„«([-]*(\p{L}+)(?=[*_`"'”»\s]*(?:$|[.,;:!)\]}]|\(|\s[-–—]|[–—]))([^]*)$/u;
const DOUBT = /[?→⇒~\p{Extended_Pictographic}]|[-=]>|\b(?:if|unless|or|else|otherwise|but|maybe|perhaps)\b/iu;

const MOST_READ_CHARACTERS = 2_000;

export function readVerdict(value: unknown): boolean | JudgeProblem {
  if (typeof value === 'boolean') return value;
  const read = typeof value === 'string' ? verdictInText(value.replaceAll('\u{fe0f}', '')) : undefined;
  return read ?? { problem: `its verdict is ${JSON.stringify(value)?.slice(0, 100)}, which is neither yes nor no` };
}

function verdictInText(text: string): boolean | undefined {
  // What is not looked at could take a yes back.
  if (text.length <= MOST_READ_CHARACTERS && YES.has(ALONE.exec(text)?.[1]?.toLowerCase() ?? '')) return true;
  const [, word = '', rest = ''] = EXPLAINED.exec(text.slice(0, MOST_READ_CHARACTERS)) ?? [];
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
const NOTHING =
  /^[^\p{L}\d]*(?:none|nothing|null|nil|unknown|n\/?a|no (?:(?:further|other|major|critical|significant|obvious) )?(?:issues?|problems?|errors?|faults?|suggestions?|improvements?)(?: (?:were )?(?:found|detected|identified|noted|needed))?)?[^\p{L}\d]*$/iu;

export function isSaid(text: string): boolean {
  return text.length > MAX_NOTHING || !NOTHING.test(text);
}

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/[\s|]+/).filter((word) => word !== ''));
}

export interface JudgeProblem {
  problem: string;
}

export function isProblem(value: unknown): value is JudgeProblem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** The number of words below which a text under an unknown name may be a verdict in any language. */
const MIN_WORDS = 5;

export function isSomething(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== '';
}

/** Whether a value under an unknown name could be another verdict: any value except a text of some words. */
export function mayBeVerdict(value: Json): boolean {
  if (typeof value !== 'string' || beginsWithVerdict(value)) return isSomething(value);
  return value !== '' && (value.match(/[\p{L}\d]+/gu) ?? []).length < MIN_WORDS;
}

const RETRACTION =
  /^[^\p{L}\n]*(?:correction|wait|actually|scratch that|on (?:second thoughts?|reflection)|i was wrong|i misread)\b/imu;

export function takesBack(text: string): boolean {
  return RETRACTION.test(text);
}

/** Whether a text beside a yes is a no, or takes the yes back. */
export function deniesAll(text: string): boolean {
  return readVerdict(text) === false || takesBack(text);
}

/** The one object inside of another that may be the judgement, with the values around it. */
interface Wrapped {
  inner: JsonObject;
  others: JsonObject;
}

/** Looks for the one object inside of another; of a judge's, it must be alone or have a code: beside other things it may be a quote. */
export function findWrapped(object: JsonObject, isOfCode = false): Wrapped | undefined {
  const [entry, ...more] = Object.entries(object).filter(([, value]) => isJsonObject(value));
  const [name = '', inner] = entry ?? [];
  const { [name]: _inner, ...others } = object;
  if (!isJsonObject(inner) || more.length > 0 || name === '__proto__') return undefined;
  const isOwn = isOfCode || typeof inner['code'] === 'string' || Object.keys(others).length === 0;
  return isOwn ? { inner, others } : undefined;
}
