import { omitUndefined } from '../../lib/base/defined';
import type { Answer } from '../../loop/state/evaluation';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import {
  deniesAll,
  findWrapped,
  isProblem,
  isSaid,
  type JudgeProblem,
  mayBeVerdict,
  readVerdict,
  words,
} from '../replies/words';
import { readReply, type ReplyContext, type ReplyForm } from '../replies/candidates';
import type { LineRole } from '../replies/line-blocks';
import type { ReplyLine } from '../replies/reply-lines';
import { collectText, readIssue, shareOf } from './judge-fields';

/** The answers that can be relied on, by question; what is missing was not answered. */
export interface Checklist {
  answers: Map<string, Answer>;
  confidence?: number;
  /** Whether the reply has a text beside the answers, or beside a yes, that may contradict them. */
  isDoubtful?: boolean;
}

const MAX_FINDING = 1_000;
const UNSAID = '(nothing said)';
const QUESTION = /^(?:q|question)\s?(\d{1,4})(?: \([^)]{0,200}\))?\s{0,5}[:.)=–—-]\s{0,5}(.*)$/i;
/** An answer and what decides it: `no - the date is wrong`. */
const WITH_FINDING = /^([^-–—.:]{1,60}?)(?:\s+-+\s+|\s*[–—]\s*|[.:]\s+)(.*)$/u;
const UNCLEAR = /^\W*(?:unclear|unknown|n\/a)\b/i;
/** The answer of a judge that has none, such as one that puts a reply into form. */
const UNANSWERED = /^\W*null\b/i;
const KNOWN = words(
  'question answer finding reason severity path suggestion missingInformation blocker text criterion',
);
const NOTHING = 'it answers none of the questions';

/** @param isPass whether answers would let the output pass */
export function readChecklist(
  reply: string,
  ids: readonly string[],
  asked: ReplyContext = {},
  isPass: (checklist: Checklist) => boolean = ({ answers }) => [...answers.values()].some(({ yes }) => yes === true),
): Checklist | JudgeProblem {
  const form: ReplyForm<Checklist> = {
    fromJson: (value) => (isJsonObject(value) ? checklistOf(value, ids) : undefined),
    fromLines: ({ fields }) => checklistOfLines(fields, ids),
    roleOf: answerRole,
    agree: (one, other) => answersText(one) === answersText(other),
    isWhole: () => true,
    isFavourable: isPass,
    isDoubtful: ({ isDoubtful }) => isDoubtful === true,
    nothing: NOTHING,
  };
  const checklist = readReply(reply, form, asked);
  return isProblem(checklist) || checklist.answers.size > 0 ? checklist : { problem: NOTHING };
}

function answersText({ answers }: Checklist): string {
  return JSON.stringify([...answers].map(([id, { yes }]) => [id, yes]));
}

function checklistOf(object: JsonObject, ids: readonly string[]): Checklist | JudgeProblem | undefined {
  const { code: _code, confidence, answers: listed = null, ...rest } = object;
  const keys = Object.keys(rest);
  const isMap = listed === null && keys.length > 0 && keys.every((key) => idOf(key) !== undefined);
  const given = isMap ? rest : listed;
  if (typeof given !== 'object' || given === null) {
    const wrapped = findWrapped(object);
    const read = wrapped && checklistOf(wrapped.inner, ids);
    return read && withDoubt(read, wrapped?.others ?? {});
  }
  const entries = Array.isArray(given)
    ? given.map((each): JsonObject => (isJsonObject(each) ? each : { answer: each }))
    : Object.entries(given).map(([question, each]): JsonObject => {
        const answer: Json = each ?? null;
        return isJsonObject(answer) ? { ...answer, question } : { question, answer };
      });
  const checklist = checklistWith(entries.map(readAnswer), ids, shareOf(confidence));
  return isMap ? checklist : withDoubt(checklist, rest);
}

function withDoubt(checklist: Checklist | JudgeProblem, others: JsonObject): Checklist | JudgeProblem {
  const isDoubtful = Object.values(others).some(mayBeVerdict);
  return isProblem(checklist) || !isDoubtful ? checklist : { ...checklist, isDoubtful };
}

function idOf(question: Json): string | undefined {
  const number = /^\s*q?\s?(\d{1,4})\b/i.exec(String(question))?.[1];
  return number === undefined ? undefined : `q${Number(number)}`;
}

function readAnswer(entry: JsonObject): [string, Answer | undefined] | JudgeProblem {
  const { question = null, answer = null, finding = null, reason = null } = entry;
  const id = typeof question === 'string' || typeof question === 'number' ? idOf(question) : undefined;
  if (id === undefined) return { problem: 'it does not say which questions it answers' };
  if (answer === null || UNANSWERED.test(String(answer))) return [id, undefined];
  if (UNCLEAR.test(String(answer))) return [id, {}];
  const yes = readVerdict(answer);
  if (isProblem(yes)) return { problem: `its answer to ${id} is neither yes, no nor unclear` };
  const others = Object.entries(entry).filter(([key]) => !KNOWN.has(key));
  const said = [finding, reason, entry['text'] ?? null].map((each) => collectText(each)).filter(isSaid);
  const isDenied = said.some(deniesAll) || others.some(([, other]) => mayBeVerdict(other));
  if (yes && isDenied) return { problem: `it answers ${id} with yes, and may say the opposite beside it` };
  // An issue is read with all the leniency that judges need; its message is the finding.
  const [found = collectText(Object.fromEntries(others))] = said;
  const [issue] = readIssue({ ...entry, message: found || UNSAID, text: null });
  const { message, severity, path, suggestion, missingInformation, blocker } = issue ?? {};
  return [
    id,
    omitUndefined({
      yes,
      finding: found === '' ? undefined : message,
      severity,
      path,
      suggestion,
      missingInformation,
      blocker,
    }),
  ];
}

function answerRole({ text, isHeading }: ReplyLine): LineRole | undefined {
  const [, id, value = ''] = QUESTION.exec(text) ?? [];
  if (id === undefined) return undefined;
  // A heading repeats the question, and the lines below it have its answer.
  const isRepeated = isHeading && isProblem(readVerdict(value)) && !UNCLEAR.test(value) && !UNANSWERED.test(value);
  return { kind: 'field', key: `q${Number(id)}`, value: isRepeated ? '' : value };
}

function checklistOfLines(fields: ReadonlyMap<string, string>, ids: readonly string[]): Checklist | JudgeProblem {
  const given = [...fields].map(([question, value]) => {
    const [, answer = value, finding = null] = WITH_FINDING.exec(value) ?? [];
    const why = /^\W*no\W+(.*)$/i.exec(value)?.[1] || null;
    return readAnswer({ question, answer, finding: (finding ?? why)?.slice(0, MAX_FINDING) ?? null });
  });
  return checklistWith(given, ids);
}

function checklistWith(
  given: ([string, Answer | undefined] | JudgeProblem)[],
  ids: readonly string[],
  confidence?: number,
): Checklist | JudgeProblem {
  const answers = new Map<string, Answer>();
  const said = new Map<string, boolean | undefined>();
  for (const each of given) {
    if (isProblem(each)) return each;
    const [id, answer] = each;
    if (said.has(id) && said.get(id) !== answer?.yes) return { problem: `it answers ${id} in two ways` };
    said.set(id, answer?.yes);
    if (answer && ids.includes(id) && !answers.has(id)) answers.set(id, answer);
  }
  const ordered = new Map(ids.flatMap((id) => (answers.has(id) ? [[id, answers.get(id)!]] : [])));
  // Answers to questions that were not asked: the others may have slipped.
  const isDoubtful = [...said.keys()].some((id) => !ids.includes(id));
  return { answers: ordered, confidence, ...(isDoubtful && { isDoubtful }) };
}
