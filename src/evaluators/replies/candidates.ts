import { isJsonObject, type Json } from '../../domain/base/json/json';
import { jsonSpans, withoutSpans } from './json-spans';
import { type LineBlock, lineBlocks, type LineRole } from './line-blocks';
import { asRead, comparable } from './material';
import { isProblem, type JudgeProblem } from './problem';
import { withoutReasoning } from './reasoning';
import type { ReplyLine } from './reply-lines';

/** What a reader must know of the call that a reply answers. */
export interface ReplyContext {
  /** The code that was drawn for it. */
  code?: string;
  /** What is judged, and its task: a verdict that says the same in any form may be a quote. */
  judged?: readonly string[];
  /** All else that the judge was shown, such as examples: a verdict with the same words may be a quote. */
  prompt?: readonly string[];
}

/** How one kind of reply is found in a text. */
export interface ReplyForm<Value> {
  /** What an object or a list says; undefined when it says nothing of this kind. */
  fromJson(value: Json): Value | JudgeProblem | undefined;
  fromLines(block: LineBlock): Value | JudgeProblem | undefined;
  roleOf(line: ReplyLine): LineRole | undefined;
  /** Whether two readings say the same. */
  agree(one: Value, other: Value): boolean;
  /** Whether a reading may be a quote of one that the judge was shown, or of a part of it. */
  isQuoteOf(reading: Value, shown: Value): boolean;
  /** True for a reading that says all that matters: nothing that stands elsewhere could turn it around. */
  isWhole(value: Value): boolean;
  /** True for what an attacker would want a judge to say. */
  isFavourable(value: Value): boolean;
  /** What is told where nothing was found. */
  nothing: string;
}

/** One verdict that a reply might mean. */
interface Candidate<Value> extends Omit<LineBlock, 'fields' | 'sections'> {
  reading: Value | JudgeProblem;
  /** What stands around it in its sentence. */
  around: string;
  /** Its code, where it has one, is a line next to it, and no field of its own. */
  isOfLines: boolean;
}

const DIFFER: JudgeProblem = { problem: 'it holds several judgements that differ' };
/** More are no reply: whoever gives so many verdicts has given none, and to compare them all would take long. */
const MOST_CANDIDATES = 60;
/** Characters of what was judged that are searched for verdicts: a tenth of a second of the event loop, which other runs share. */
const LONGEST_SEARCHED = 100_000;
/** Characters of a reply, thoughts left out, that are read: as long. Judges write some hundreds to some thousands. */
export const LONGEST_READ = 100_000;
const TOO_MANY: JudgeProblem = { problem: `it holds more than ${MOST_CANDIDATES} judgements` };
/** Words beside a verdict that is spoken of, and not given. */
const SPOKEN_OF =
  /\b(?:draft|output|text|author|contain\w*|sa(?:ys|id)|claim\w*|example|would|if|inject\w*|trick\w*|quot\w*|instruct\w*|tells?|told|tr(?:y|ies|ied)|not|never|don['’]t|instead|rather|ignor\w*|embedded|entwurf|enthält|beispiel|contient|exemple|contiene|ejemplo)\b/i;

/** Words of a judge that tells of an attack. Beside a verdict that carries no code, and favours the draft, they leave open whose it is. */
const SUSPICION =
  /\b(?:refus\w*|reject\w*|inject\w*|trick\w*|manipulat\w*|decod\w*|base64|jailbreak\w*|(?:wants?|asks?|tells?|instruct\w*|orders?) (?:me|its judge|the judge)|i (?:do|will|would|shall|can) ?not|i (?:don|won|can)['’]t|i (?:disagree|disregard|ignore)|(?:output|draft|text|reply|verdict|lines?|object) above|above (?:is|was|are|were) (?:what|the)|malicious|attack\w*|forged?|fake\w*|pretend\w*|ablehn\w*|manipul\w*|rechaz\w*|rifiut\w*|recus\w*)\b/i;

const SENTENCE_END = /[.!?;]\s|\n\s*\n(?=\s*\S)/;

/** A line that takes back what stands before it. */
const RETRACTION =
  /^[^\w\r\n\u2028\u2029]*(?:correction|wait|actually|scratch that|on (?:second thoughts?|reflection)|i was wrong)\b/im;

/**
 * The one reading that a reply has. Of several verdicts those count that carry the code of the call; without any, the only one
 * that there is, where it is not a quote. Else there is none: which one is the judge's own is not for a reader to guess.
 */
export function readReply<Value>(reply: string, form: ReplyForm<Value>, asked: ReplyContext): Value | JudgeProblem {
  const text = withoutReasoning(reply);
  if (isProblem(text)) return text;
  if (text.length > LONGEST_READ) {
    return { problem: `it has ${text.length} characters, and at most ${LONGEST_READ} are read` };
  }
  const { found, isBroken } = candidatesIn(text, form, MOST_CANDIDATES);
  return found.length > MOST_CANDIDATES ? TOO_MANY : chosen(found, form, asked, { isBroken, text, reply });
}

/** All that a text could be read as; one more than `most`, and no further, when there are more. */
function candidatesIn<Value>(
  text: string,
  form: ReplyForm<Value>,
  most: number,
): { found: Candidate<Value>[]; isBroken: boolean } {
  const { spans, isBroken } = jsonSpans(text);
  const found: Candidate<Value>[] = [];
  for (const span of spans) {
    const reading = form.fromJson(span.value);
    if (reading === undefined) continue;
    if (found.length > most) return { found, isBroken };
    const said = span.isTorn ? { problem: 'it says a field twice, in two ways' } : reading;
    const { start, end, value } = span;
    const place = {
      around: sentenceAround(text, start, end),
      isAttached: false,
      isOfLines: false,
      isCodeBehind: false,
    };
    found.push({ reading: said, codes: codesOf(value), text: text.slice(start, end), ...place });
  }
  // A word in brackets is part of its line.
  const objects = spans.filter(({ value }) => !Array.isArray(value) || form.fromJson(value) !== undefined);
  for (const block of lineBlocks(withoutSpans(text, objects), form.roleOf)) {
    const reading = form.fromLines(block);
    if (reading !== undefined) found.push({ reading, around: '', isOfLines: true, ...block });
  }
  return { found, isBroken };
}

function chosen<Value>(
  found: Candidate<Value>[],
  form: ReplyForm<Value>,
  { code, judged = [], prompt = [] }: ReplyContext,
  { isBroken, text: whole, reply }: { isBroken: boolean; text: string; reply: string },
): Value | JudgeProblem {
  const own =
    code === undefined ? [] : found.filter(({ codes }) => codes.length > 0 && codes.every((each) => each === code));
  if (own.length > 0) {
    const reading = agreed(own, form);
    if (isProblem(reading)) return reading;
    const rest = found.filter((each) => !own.includes(each));
    const others = rest.filter((each) => !says(each, reading, form));
    const isTorn = others.some((each) => isTied(each, own, found) || !form.isWhole(reading));
    const isLate = form.isFavourable(reading) && own.every(({ isCodeBehind }) => isCodeBehind);
    return isTorn || isDoubtful(own, others, found, [...judged, ...prompt], isLate) ? DIFFER : reading;
  }
  if (found.length === 0) return { problem: isBroken ? 'what it holds of a judgement is broken off' : form.nothing };
  if (found.some(({ codes }) => codes.length > 0 && code !== undefined))
    return { problem: 'the code in it is not the one that was asked for' };
  const reading = agreed(found, form);
  if (isProblem(reading)) return reading;
  if (isBroken) return { problem: 'part of what it holds of a judgement is broken off' };
  if (found.some(({ around }) => SPOKEN_OF.test(around))) return { problem: 'the judgement in it may be a quote' };
  if (form.isFavourable(reading)) {
    if (found.length > 1) return { problem: 'it holds several judgements, none of which carries a code' };
    if (SUSPICION.test(whole)) return { problem: 'it tells of an attack, and carries no code' };
    if (found.some(({ lead }) => lead?.endsWith(':') && SPOKEN_OF.test(lead)))
      return { problem: 'the judgement in it may be a quote' };
    if (code !== undefined && reply.toLowerCase().includes(code))
      return { problem: 'its code does not stand with its judgement' };
  }
  if (RETRACTION.test(whole)) return { problem: 'it takes something back, and carries no code' };
  const shown = [...judged, ...prompt].map(comparable);
  const isQuoted = found.some(({ text }) => occurs(comparable(text), shown)) || isRepeated(reading, judged, form);
  return isQuoted ? { problem: 'the judgement in it stands in what was judged, too, and it carries no code' } : reading;
}

function occurs(text: string, shown: readonly string[]): boolean {
  return text !== '' && shown.some((each) => each.includes(text));
}

/** The same said in another way: its fields in another order, with other quotes, or with words behind them. */
function isRepeated<Value>(reading: Value, judged: readonly string[], form: ReplyForm<Value>): boolean {
  const texts = [...new Set(judged.flatMap((shown) => [shown, asRead(shown)]))];
  // In more than can be looked through there may be anything: a reply with its code is asked for.
  if (texts.reduce((sum, { length }) => sum + length, 0) > LONGEST_SEARCHED) return true;
  const readings = texts.flatMap((shown) => candidatesIn(shown, form, Number.POSITIVE_INFINITY).found);
  return readings.some(({ reading: there }) => !isProblem(there) && form.isQuoteOf(reading, there));
}

/**
 * A code in a line may stand next to a quote by accident: `Code: …`, what the draft says, and then the judge's own lines, which
 * differ; or the judge's own lines, what the draft says, and then `Code: …`. So lines behind those with the code, and whatever
 * stands before a verdict that favours the draft and has its code behind it, must be something that the judge was shown, unless those with the code are.
 */
function isDoubtful<Value>(
  own: Candidate<Value>[],
  others: Candidate<Value>[],
  found: Candidate<Value>[],
  material: readonly string[],
  isLate: boolean,
): boolean {
  const first = found.indexOf(own[0]!);
  const beside = others.filter((each) => isLate || (each.isOfLines && found.indexOf(each) > first));
  if (beside.length === 0 || !own.every(({ isOfLines }) => isOfLines)) return false;
  const shown = material.map(comparable);
  const isShown = ({ text }: Candidate<Value>): boolean => occurs(comparable(text), shown);
  return own.some(isShown) || !beside.every(isShown);
}

/** Whether lines stand next to those that carry the code, so that they may belong to them. */
function isTied<Value>(each: Candidate<Value>, own: Candidate<Value>[], found: Candidate<Value>[]): boolean {
  const at = found.indexOf(each);
  const [before, next] = [found[at - 1], found[at + 1]];
  return (each.isAttached && own.includes(before!)) || (next?.isAttached === true && own.includes(next));
}

function says<Value>({ reading }: Candidate<Value>, other: Value, form: ReplyForm<Value>): boolean {
  return !isProblem(reading) && form.agree(reading, other);
}

function agreed<Value>(candidates: Candidate<Value>[], form: ReplyForm<Value>): Value | JudgeProblem {
  const readings = candidates.map(({ reading }) => reading);
  const problem = readings.find(isProblem);
  if (problem) return readings.length > 1 && !readings.every(isProblem) ? DIFFER : problem;
  const values = readings as Value[];
  const best = values.find((value) => form.isWhole(value)) ?? values[0]!;
  return values.every((one) => values.every((other) => form.agree(one, other))) ? best : DIFFER;
}

/** The codes in an object, or one level below. */
function codesOf(value: Json): string[] {
  const inside = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return [value, ...inside]
    .filter(isJsonObject)
    .flatMap(({ code }) => (typeof code === 'string' && code.trim() !== '' ? [code.trim().toLowerCase()] : []));
}

function sentenceAround(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - 300), start)
    .split(SENTENCE_END)
    .at(-1)!;
  const after = /^[^\n.!?]*/.exec(text.slice(end, end + 200))?.[0] ?? '';
  return `${before} ${after}`;
}
