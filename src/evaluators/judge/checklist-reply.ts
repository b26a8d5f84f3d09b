import type { Severity } from '../../domain/state/evaluation';
import type { Json, JsonObject } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';
import { readIssue, shareOf } from './judge-fields';
import { type Asked, readReply, type ReplyForm } from '../replies/candidates';
import type { LineBlock, LineRole } from '../replies/line-blocks';
import { isCalledQuote } from '../replies/quoted-names';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { ReplyLine } from '../replies/reply-lines';
import { isVerdictWord, readVerdict } from '../replies/words';

/** What a judge said to one question. */
export interface Answer {
  yes: boolean;
  finding?: string;
  severity?: Severity;
  path?: string;
  suggestion?: string;
  missingInformation?: true;
}

/** The answers that can be relied on, by question; what is missing was not answered, or not in one way. */
export interface Checklist {
  answers: Map<string, Answer>;
  confidence?: number;
}

const MAX_FINDING = 1_000;
/** An issue needs a message to be read. */
const UNSAID = '(nothing said)';
const QUESTION = /^(?:q|question)\s?(\d{1,4})(?: \([^)]{0,200}\))?\s{0,5}[:.)=–—-]\s{0,5}(.*)$/i;
/** Words of the form that some copy. */
const COPIED = /^the answer(?: is)?\s{0,3}[-–—:]?\s{1,3}/i;
const NUMBERED = /^(\p{L}+)(?![\p{L}\d]).*$/u;

/** Reads the answers to some questions: an object or a list, else lines such as `q1: no - why`. */
export function readChecklist(reply: string, ids: readonly string[], asked: Asked = {}): Checklist | JudgeProblem {
  const checklist = readReply(reply, checklistForm(ids), asked);
  if (isProblem(checklist)) return checklist;
  return checklist.answers.size === 0 ? { problem: NOTHING } : checklist;
}

const NOTHING = 'it answers none of the questions with yes or no';

function checklistForm(ids: readonly string[]): ReplyForm<Checklist> {
  return {
    fromJson: (value) => checklistOf(value, ids),
    fromLines: (block) => checklistOfLines(block, ids),
    roleOf: answerRole,
    agree: (one, other) => said(one) === said(other),
    isQuoteOf: (reading, shown) => [...reading.answers].every(([id, { yes }]) => shown.answers.get(id)?.yes === yes),
    isWhole: () => true,
    isFavourable: ({ answers }) => [...answers.values()].some(({ yes }) => yes),
    nothing: NOTHING,
  };
}

function said({ answers }: Checklist): string {
  return JSON.stringify([...answers].map(([id, { yes }]) => [id, yes]));
}

function checklistOf(value: Json, ids: readonly string[]): Checklist | JudgeProblem | undefined {
  if (Array.isArray(value)) return listOf(value, ids);
  if (!isJsonObject(value)) return undefined;
  const { answers: listed = null } = value;
  if (listed !== null) return readObject(value, listed, ids);
  // A bare map, by the numbers of the questions.
  const { code: _code, confidence: _confidence, ...map } = value;
  const isMap = Object.keys(map).length > 0 && Object.keys(map).every((key) => idOf(key) !== undefined);
  if (isMap) return readObject(value, map, ids);
  const inner = Object.entries(value).filter(
    ([name, each]) => !isCalledQuote(name) && isJsonObject(each) && 'answers' in each,
  );
  return inner.length === 1 ? checklistOf(inner[0]![1], ids) : undefined;
}

/** A list is read by the numbers in it; without numbers, in the order of the questions, where it is complete. */
function listOf(list: readonly Json[], ids: readonly string[]): Checklist | JudgeProblem | undefined {
  const answers = list.map((each) => (isJsonObject(each) ? (each['answer'] ?? null) : each));
  const isAnswers = list.length > 0 && answers.every((each) => !isProblem(readVerdict(each)) || isUnclear(each));
  if (!isAnswers) return undefined;
  if (list.some((each) => isJsonObject(each) && 'question' in each)) return readObject({}, [...list], ids);
  if (list.length !== ids.length) return { problem: `it has ${list.length} answers to ${ids.length} questions` };
  return readObject(
    {},
    list.map((each, index): JsonObject => numbered(each, ids[index]!)),
    ids,
  );
}

function numbered(answer: Json, question: string): JsonObject {
  return isJsonObject(answer) ? { ...answer, question } : { question, answer };
}

function isUnclear(value: Json): boolean {
  return typeof value === 'string' && /^(?:unclear|unknown|n\/a)\b/i.test(value);
}

function readObject(object: JsonObject, given: Json, ids: readonly string[]): Checklist | JudgeProblem | undefined {
  const listed = Array.isArray(given) ? given.map(pairAsAnswer) : given;
  if (Array.isArray(listed) && listed.length > 0 && !listed.some((each) => isJsonObject(each) && 'question' in each))
    return listOf(listed, ids);
  const entries = entriesOf(listed);
  if (!entries) return undefined;
  const answers = onlyClear(entries.flatMap(readAnswer), ids);
  const confidence = shareOf(object['confidence']);
  return { answers, ...(confidence === undefined ? {} : { confidence }) };
}

/** `["q1", "no"]`. */
function pairAsAnswer(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const [question = null, answer = null] = value;
  return typeof question === 'string' && idOf(question) !== undefined ? { question, answer } : value;
}

/** Answers in a list, or by the number of their question. */
function entriesOf(value: Json): JsonObject[] | undefined {
  if (Array.isArray(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).map(([question, answer]): JsonObject =>
    isJsonObject(answer) ? { ...answer, question } : { question, answer },
  );
}

/** `q1`, `Q1. …`, `1`. */
function idOf(question: string | number): string | undefined {
  const number = /^\s*q?\s?(\d{1,4})\b/i.exec(String(question))?.[1];
  return number === undefined ? undefined : `q${Number(number)}`;
}

function readAnswer(entry: JsonObject): [string, Answer][] {
  const { question, answer = null } = entry;
  const yes = readVerdict(answer);
  if (isProblem(yes) || (typeof question !== 'string' && typeof question !== 'number')) return [];
  const id = idOf(question);
  if (id === undefined) return [];
  // An issue is read with all the leniency that judges need; its message is the finding.
  const [finding] = [entry['finding'], entry['reason']].filter(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  const [issue] = readIssue({ ...entry, message: finding ?? UNSAID, text: null });
  const { message, severity, path, suggestion, missingInformation } = issue ?? {};
  return [
    [
      id,
      {
        yes,
        ...(finding === undefined || message === undefined ? {} : { finding: message }),
        ...(severity === undefined ? {} : { severity }),
        ...(path === undefined ? {} : { path }),
        ...(suggestion === undefined ? {} : { suggestion }),
        ...(missingInformation && { missingInformation }),
      },
    ],
  ];
}

/** A line that begins with the number of a question, or is numbered and begins with an answer. */
function answerRole({ text, number, isHeading }: ReplyLine): LineRole | undefined {
  const [, id, value = ''] = QUESTION.exec(text) ?? [];
  if (id !== undefined) {
    const answer = value.replace(COPIED, '');
    const isAnswer = isVerdictWord(/\p{L}+/u.exec(answer)?.[0] ?? '') || isUnclear(answer);
    if (isAnswer) return { kind: 'field', key: `q${Number(id)}`, value: answer };
    // The question is repeated, and its answer stands below it.
    if (isHeading) return { kind: 'field', key: `q${Number(id)}`, value: '' };
    if (!/^question/i.test(text)) return { kind: 'field', key: `q${Number(id)}`, value };
  }
  const [, word] = number === undefined ? [] : (NUMBERED.exec(text) ?? []);
  const isAnswer = word !== undefined && (isVerdictWord(word) || isUnclear(word));
  return isAnswer ? { kind: 'field', key: `${IN_ORDER}${number}`, value: text } : undefined;
}

const IN_ORDER = '#';

function checklistOfLines({ fields }: LineBlock, ids: readonly string[]): Checklist | JudgeProblem {
  const keys = [...fields.keys()];
  const inOrder = keys.filter((key) => key.startsWith(IN_ORDER));
  if (inOrder.length > 0) {
    const isComplete = keys.length === ids.length && ids.every((_, index) => fields.has(`${IN_ORDER}${index + 1}`));
    if (!isComplete) return { problem: `its numbered lines are not the answers to ${ids.length} questions` };
  }
  const given = keys.flatMap((key, index): [string, Answer][] => {
    const value = fields.get(key)!;
    const yes = readVerdict(value);
    if (isProblem(yes)) return [];
    const finding = value
      .replace(/^\p{L}+\s{0,5}[-–—:.,;(]*\s*/u, '')
      .trim()
      .slice(0, MAX_FINDING);
    return [[inOrder.length > 0 ? ids[index]! : key, { yes, ...(finding ? { finding } : {}) }]];
  });
  return { answers: onlyClear(given, ids) };
}

/** Answers to questions that were asked. One that was answered in two ways was not answered. */
function onlyClear(all: [string, Answer][], ids: readonly string[]): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const id of ids) {
    const given = all.filter(([question]) => question === id).map(([, answer]) => answer);
    const [first] = given;
    if (first && given.every(({ yes }) => yes === first.yes)) answers.set(id, first);
  }
  return answers;
}
