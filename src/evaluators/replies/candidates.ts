import { isJsonObject, type Json } from '../../lib/json/json';
import { jsonSpans, withoutSpans } from './json-spans';
import { type LineBlock, lineBlocks, type LineRole } from './line-blocks';
import { isProblem, type JudgeProblem, takesBack } from './words';
import { speaksOfMarks, withoutReasoning } from './reasoning';
import { type ReplyLine, saysMore } from './reply-lines';

export interface ReplyContext {
  code?: string;
  /** The judged output and its task: a verdict with the same words may be a quote. */
  judged?: readonly string[];
  prompt?: readonly string[];
}

export interface ReplyForm<Value> {
  /** Reads an object or a list; returns undefined if it has nothing of this kind. */
  fromJson(value: Json): Value | JudgeProblem | undefined;
  fromLines(block: LineBlock): Value | JudgeProblem | undefined;
  roleOf(line: ReplyLine): LineRole | undefined;
  agree(one: Value, other: Value): boolean;
  /** Whether no other part of the reply could turn a reading around. */
  isWhole(value: Value): boolean;
  /** Whether a value is what an attacker would want a judge to say. */
  isFavourable(value: Value): boolean;
  /** Whether something in it, under an unknown name, could be another verdict. */
  isDoubtful(value: Value): boolean;
  nothing: string;
}

interface Candidate<Value> {
  reading: Value | JudgeProblem;
  codes: string[];
  text: string;
  before: string;
  /** Whether its author is uncertain: it is in a sentence, has comments, or its code follows it and other words precede it. */
  isSpokenOf: boolean;
  behind: string;
}

const DIFFER: JudgeProblem = { problem: 'it holds several judgements that differ' };
const BESIDE: JudgeProblem = { problem: 'words beside its judgement may say something else' };
/** The most verdicts that are compared: a reply with more has given none, and comparing them would take long. */
const MOST_CANDIDATES = 60;
/** Characters of a reply, thoughts left out, that are read: a tenth of a second of the event loop, which other runs share. */
export const LONGEST_READ = 100_000;
const TOO_MANY: JudgeProblem = { problem: `it holds more than ${MOST_CANDIDATES} judgements` };

/**
 * The only reading of a reply: in the requested form, with the code of the call, and with nothing beside it that
 * could be another reading. In all other cases the judge is asked again, because a choice would be a guess. A rejection is
 * read more leniently: without the code if it is the whole reply, and with the code also beside quotes.
 */
export function readReply<Value>(reply: string, form: ReplyForm<Value>, asked: ReplyContext): Value | JudgeProblem {
  const text = withoutReasoning(reply);
  if (!isProblem(text) && text.trim() !== '') return readText(text, form, asked);
  const problem = isProblem(text) ? text : { problem: form.nothing };
  // A pass could have been tried out in thoughts.
  const spoken = speaksOfMarks(reply) ? readText(reply, form, asked) : problem;
  return isProblem(spoken) || form.isFavourable(spoken) ? problem : spoken;
}

function readText<Value>(text: string, form: ReplyForm<Value>, asked: ReplyContext): Value | JudgeProblem {
  if (text.length > LONGEST_READ)
    return { problem: `it has ${text.length} characters, and at most ${LONGEST_READ} are read` };
  const { found, isBroken } = candidatesIn(text, form);
  if (found.length > MOST_CANDIDATES) return TOO_MANY;
  if (found.length === 0) return { problem: isBroken ? 'what it holds of a judgement is broken off' : form.nothing };
  const { code } = asked;
  const coded = found.filter(({ codes }) => codes.length > 0 && codes.every((each) => each === code));
  const isCoded = code !== undefined && coded.length > 0;
  if (!isCoded && code !== undefined && found.some(({ codes }) => codes.length > 0))
    return { problem: 'the code in it is not the one that was asked for' };
  return chooseReading(isCoded ? coded : found, found, form, { ...asked, isCoded, isBroken });
}

function chooseReading<Value>(
  own: Candidate<Value>[],
  found: Candidate<Value>[],
  form: ReplyForm<Value>,
  { code, judged = [], prompt = [], isCoded, isBroken }: ReplyContext & { isCoded: boolean; isBroken: boolean },
): Value | JudgeProblem {
  const reading = findAgreement(own, form);
  if (isProblem(reading)) return reading;
  const isFavourable = form.isFavourable(reading);
  if (isFavourable && !isCoded && code !== undefined) return { problem: 'it favours the output, and carries no code' };
  const { before, behind } = own.at(-1)!;
  if (!form.isWhole(reading) && (form.isDoubtful(reading) || saysMore(before) || saysMore(behind))) return BESIDE;
  const others = found.filter((each) => !own.includes(each) && !says(each, reading, form));
  if (isFavourable || !isCoded) {
    if (isBroken) return { problem: 'part of what it holds of a judgement is broken off' };
    if (others.length > 0) return DIFFER;
    const isBeside = saysMore(behind) || own.some(({ isSpokenOf }) => isSpokenOf);
    return isBeside || (isFavourable && form.isDoubtful(reading)) ? BESIDE : reading;
  }
  if (takesBack(behind)) return BESIDE;
  // What follows its own is another verdict, unless it repeats what the judge was shown.
  const later = others.filter((each) => found.indexOf(each) > found.indexOf(own[0]!));
  const shown = later.length === 0 ? [] : [...judged, ...prompt].map(comparable);
  const isShown = (text: string): boolean => text !== '' && shown.some((each) => each.includes(text));
  return later.every(({ text }) => isShown(comparable(text))) ? reading : DIFFER;
}

function candidatesIn<Value>(text: string, form: ReplyForm<Value>): { found: Candidate<Value>[]; isBroken: boolean } {
  const { spans, isBroken } = jsonSpans(text);
  const found: Candidate<Value>[] = [];
  for (const { start, end, value, isTorn, hasComment } of spans) {
    const reading = form.fromJson(value);
    if (reading === undefined) continue;
    if (found.length > MOST_CANDIDATES) return { found, isBroken };
    const before = text.slice(0, start);
    found.push({
      reading: isTorn ? { problem: 'it says a field twice, in two ways' } : reading,
      codes: codesOf(value),
      text: text.slice(start, end),
      before,
      isSpokenOf: hasComment || saysMore(before.slice(before.lastIndexOf('\n') + 1).replace(/<\w{1,30}>/g, '')),
      behind: text.slice(end),
    });
  }
  // A word in brackets is part of its line.
  const objects = spans.filter(({ value }) => !Array.isArray(value) || form.fromJson(value) !== undefined);
  for (const block of lineBlocks(withoutSpans(text, objects), form.roleOf)) {
    const reading = form.fromLines(block);
    if (reading === undefined) continue;
    if (found.length > MOST_CANDIDATES) return { found, isBroken };
    const { codes, prose, proseBefore, isCodeBehind } = block;
    const [before = ''] = prose.slice(0, proseBefore);
    const behind = prose.slice(proseBefore).join('\n');
    found.push({ reading, codes, text: block.text, before, isSpokenOf: isCodeBehind && before !== '', behind });
  }
  return { found, isBroken };
}

function says<Value>({ reading }: Candidate<Value>, other: Value, form: ReplyForm<Value>): boolean {
  return !isProblem(reading) && form.agree(reading, other);
}

function findAgreement<Value>(candidates: Candidate<Value>[], form: ReplyForm<Value>): Value | JudgeProblem {
  const readings = candidates.map(({ reading }) => reading);
  const problem = readings.find(isProblem);
  if (problem) return readings.length > 1 && !readings.every(isProblem) ? DIFFER : problem;
  const values = readings as Value[];
  const best = values.find((value) => form.isWhole(value)) ?? values[0]!;
  return values.every((one) => values.every((other) => form.agree(one, other))) ? best : DIFFER;
}

function codesOf(value: Json): string[] {
  const inside = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return [value, ...inside]
    .filter(isJsonObject)
    .flatMap(({ code }) => (typeof code === 'string' && code.trim() !== '' ? [code.trim().toLowerCase()] : []));
}

/** The characters that a quote may lack or add: case, blanks, quotes, markdown, invisible characters, escapes. */
const IRRELEVANT = /[\s"'`“”„«»‘’*_~#>\\\p{Cf}\p{Mn}\p{Cc}]/gu;
const ESCAPED = /\\u([\da-f]{4})|&#x([\da-f]{2,5});|&#(\d{2,6});/gi;
const ENTITIES: [RegExp, string][] = [
  [/&quot;|&apos;|&nbsp;/gi, ' '],
  [/&lt;/gi, '<'],
  [/&gt;/gi, '>'],
  [/&amp;/gi, '&'],
];

function comparable(text: string): string {
  let plain = text.replace(ESCAPED, (_all, unicode: string, hex: string, decimal: string) =>
    characterOf(Number.parseInt(unicode ?? hex ?? decimal, (unicode ?? hex) ? 16 : 10)),
  );
  for (const [pattern, character] of ENTITIES) plain = plain.replace(pattern, character);
  return plain.normalize('NFKC').replace(IRRELEVANT, '').toLowerCase();
}

function characterOf(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}
