import { defined } from '../../domain/base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json/json';
import { type ReplyContext, readReply, type ReplyForm } from '../replies/candidates';
import type { LineBlock, LineRole } from '../replies/line-blocks';
import { objectsWith } from '../replies/quoted-names';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { ReplyLine } from '../replies/reply-lines';
import { isVerdictWord, readVerdict } from '../replies/words';
import { type JudgeIssue, readIssue, shareOf } from './judge-fields';
import { counted } from '../../domain/text/counted';

/** What a judge said to one question. */
export interface Answer extends Pick<JudgeIssue, 'severity' | 'path' | 'suggestion' | 'missingInformation'> {
  yes: boolean;
  finding?: string;
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
/** Begins the key of an answer that has no number of a question, but stands in a numbered list. */
const IN_ORDER = '#';
const NOTHING = 'it answers none of the questions with yes or no';

/** Reads the answers to some questions: an object or a list, else lines such as `q1: no - why`. */
export function readChecklist(
  reply: string,
  ids: readonly string[],
  asked: ReplyContext = {},
): Checklist | JudgeProblem {
  const checklist = readReply(reply, checklistForm(ids), asked);
  if (isProblem(checklist)) return checklist;
  return checklist.answers.size === 0 ? { problem: NOTHING } : checklist;
}

function checklistForm(ids: readonly string[]): ReplyForm<Checklist> {
  return {
    fromJson: (value) => checklistOf(value, ids),
    fromLines: (block) => checklistOfLines(block, ids),
    roleOf: answerRole,
    agree: (one, other) => answersText(one) === answersText(other),
    isQuoteOf: (reading, shown) => [...reading.answers].every(([id, { yes }]) => shown.answers.get(id)?.yes === yes),
    isWhole: () => true,
    isFavourable: ({ answers }) => [...answers.values()].some(({ yes }) => yes),
    nothing: NOTHING,
  };
}

function answersText({ answers }: Checklist): string {
  return JSON.stringify([...answers].map(([id, { yes }]) => [id, yes]));
}

function checklistOf(value: Json, ids: readonly string[]): Checklist | JudgeProblem | undefined {
  if (Array.isArray(value)) return listOf(value, ids);
  if (!isJsonObject(value)) return undefined;
  const { code: _code, confidence, ...map } = value;
  const { answers: listed = null } = map;
  if (listed !== null) return checklistWith(listed, ids, confidence);
  // A bare map, by the numbers of the questions.
  const keys = Object.keys(map);
  if (keys.length > 0 && keys.every((key) => idOf(key) !== undefined)) return checklistWith(map, ids, confidence);
  const inner = objectsWith(value, 'answers');
  return inner.length === 1 ? checklistOf(inner[0]!, ids) : undefined;
}

/** A list is read by the numbers in it; without numbers, in the order of the questions, where it is complete. */
function listOf(list: readonly Json[], ids: readonly string[]): Checklist | JudgeProblem | undefined {
  const answers = list.map((each) => (isJsonObject(each) ? (each['answer'] ?? null) : each));
  const isAnswers = list.length > 0 && answers.every((each) => !isProblem(readVerdict(each)) || isUnclear(each));
  if (!isAnswers) return undefined;
  if (hasQuestions(list)) return checklistWith([...list], ids);
  if (list.length !== ids.length)
    return { problem: `it has ${counted(list.length, 'answer')} to ${counted(ids.length, 'question')}` };
  const inOrder = list.map((each, index) => numbered(each, ids[index]!));
  return checklistWith(inOrder, ids);
}

function numbered(answer: Json, question: string): JsonObject {
  return isJsonObject(answer) ? { ...answer, question } : { question, answer };
}

function isUnclear(value: Json): boolean {
  return typeof value === 'string' && /^(?:unclear|unknown|n\/a)\b/i.test(value);
}

function hasQuestions(list: readonly Json[]): boolean {
  return list.some((each) => isJsonObject(each) && 'question' in each);
}

/** Answers in a list, or by the number of their question. */
function checklistWith(given: Json, ids: readonly string[], sure?: Json): Checklist | JudgeProblem | undefined {
  const listed = Array.isArray(given) ? given.map(pairAsAnswer) : given;
  if (Array.isArray(listed) && listed.length > 0 && !hasQuestions(listed)) return listOf(listed, ids);
  if (typeof listed !== 'object' || listed === null) return undefined;
  const entries = Array.isArray(listed)
    ? listed.filter(isJsonObject)
    : Object.entries(listed).map(([question, answer]) => numbered(answer, question));
  return { answers: onlyClear(entries.flatMap(readAnswer), ids), confidence: shareOf(sure) };
}

/** `["q1", "no"]`. */
function pairAsAnswer(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const [question = null, answer = null] = value;
  return typeof question === 'string' && idOf(question) !== undefined ? { question, answer } : value;
}

/** `q1`, `Q1. …`, `1`. */
function idOf(question: string | number): string | undefined {
  const number = /^\s*q?\s?(\d{1,4})\b/i.exec(String(question))?.[1];
  return number === undefined ? undefined : `q${Number(number)}`;
}

function readAnswer(entry: JsonObject): [string, Answer][] {
  const { question, answer = null, finding = null, reason = null } = entry;
  const yes = readVerdict(answer);
  const id = typeof question === 'string' || typeof question === 'number' ? idOf(question) : undefined;
  if (isProblem(yes) || id === undefined) return [];
  // An issue is read with all the leniency that judges need; its message is the finding.
  const found = [finding, reason].find((text) => typeof text === 'string' && text.trim() !== '');
  const [issue] = readIssue({ ...entry, message: found ?? UNSAID, text: null });
  const { message, severity, path, suggestion, missingInformation } = issue ?? {};
  const said = found === undefined ? undefined : message;
  return [[id, defined({ yes, finding: said, severity, path, suggestion, missingInformation })]];
}

/** A line that begins with the number of a question, or is numbered and begins with an answer. */
function answerRole({ text, number, isHeading }: ReplyLine): LineRole | undefined {
  const [, id, value = ''] = QUESTION.exec(text) ?? [];
  if (id !== undefined) {
    const answer = value.replace(COPIED, '');
    const isAnswer = isVerdictWord(/\p{L}+/u.exec(answer)?.[0] ?? '') || isUnclear(answer);
    // A heading repeats the question, and its answer stands below it.
    const said = isAnswer ? answer : isHeading ? '' : value;
    if (isAnswer || isHeading || !/^question/i.test(text)) return { kind: 'field', key: `q${Number(id)}`, value: said };
  }
  const [, word] = number === undefined ? [] : (NUMBERED.exec(text) ?? []);
  const isAnswer = word !== undefined && (isVerdictWord(word) || isUnclear(word));
  return isAnswer ? { kind: 'field', key: `${IN_ORDER}${number}`, value: text } : undefined;
}

function checklistOfLines({ fields }: LineBlock, ids: readonly string[]): Checklist | JudgeProblem {
  const keys = [...fields.keys()];
  const inOrder = keys.filter((key) => key.startsWith(IN_ORDER));
  if (inOrder.length > 0) {
    const isComplete = keys.length === ids.length && ids.every((_, index) => fields.has(`${IN_ORDER}${index + 1}`));
    if (!isComplete) return { problem: `its numbered lines are not the answers to ${counted(ids.length, 'question')}` };
  }
  const given = keys.flatMap((key, index): [string, Answer][] => {
    const value = fields.get(key)!;
    const yes = readVerdict(value);
    if (isProblem(yes)) return [];
    const explanation = value.replace(/^\p{L}+\s{0,5}[-–—:.,;(]*\s*/u, '').trim();
    const finding = explanation.slice(0, MAX_FINDING) || undefined;
    return [[inOrder.length > 0 ? ids[index]! : key, defined({ yes, finding })]];
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
