import type { Severity } from '../domain/evaluation';
import type { Json, JsonObject } from '../domain/json';
import { isJsonObject } from '../domain/json';
import { jsonInText } from '../domain/output-reading';
import { isProblem, type JudgeProblem, readIssue, readVerdict, shareOf } from './judge-fields';
import { MAX_CANDIDATES, withoutThinking } from './judge-reply';

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
const LINE = /^(q\d{1,4})\s{0,5}[:.)=-]\s{0,5}(\w+)\s{0,5}(?:[-–—:.,;(]+\s*(.*))?$/i;

/** Reads the answers to some questions: JSON anywhere in the reply, else lines such as `q1: no - why`. */
export function readChecklist(reply: string, ids: readonly string[]): Checklist | JudgeProblem {
  const text = withoutThinking(reply);
  const found: Checklist[] = [];
  let count = 0;
  for (const { value } of jsonInText(text)) {
    if (++count > MAX_CANDIDATES) break;
    const checklist = isJsonObject(value) ? readObject(value, ids) : undefined;
    if (checklist) found.push(checklist);
  }
  const [first = { answers: onlyClear(answersInLines(text), ids) }] = found;
  if (first.answers.size === 0) return { problem: 'it answers none of the questions with yes or no' };
  // A judge that quotes a draft may quote answers that the draft invented: which ones count is not ours to guess.
  const said = new Set(found.map(({ answers }) => JSON.stringify([...answers].map(([id, { yes }]) => [id, yes]))));
  return said.size > 1 ? { problem: 'it holds several lists of answers that differ' } : first;
}

function readObject(object: JsonObject, ids: readonly string[]): Checklist | undefined {
  const listed = entriesOf(object['answers'] ?? null);
  if (!listed) return undefined;
  const answers = onlyClear(listed.flatMap(readAnswer), ids);
  const confidence = shareOf(object['confidence']);
  return { answers, ...(confidence === undefined ? {} : { confidence }) };
}

/** Answers in a list, or by the number of their question. */
function entriesOf(value: Json): JsonObject[] | undefined {
  if (Array.isArray(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).map(([question, answer]): JsonObject =>
    isJsonObject(answer) ? { ...answer, question } : { question, answer },
  );
}

function readAnswer(entry: JsonObject): [string, Answer][] {
  const { question, answer = null } = entry;
  const yes = readVerdict(answer);
  if (isProblem(yes) || (typeof question !== 'string' && typeof question !== 'number')) return [];
  const id = /^\s*q?(\d{1,4})\b/i.exec(String(question))?.[1];
  if (id === undefined) return [];
  // An issue is read with all the leniency that judges need; its message is the finding.
  const [finding] = [entry['finding'], entry['reason']].filter(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  const [issue] = readIssue({ ...entry, message: finding ?? UNSAID, text: null });
  const { message, severity, path, suggestion, missingInformation } = issue ?? {};
  return [
    [
      `q${Number(id)}`,
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

function answersInLines(text: string): [string, Answer][] {
  return text.split('\n').flatMap((raw): [string, Answer][] => {
    const line = raw
      .slice(0, MAX_FINDING * 2)
      .replace(/[*_`#>]/g, '')
      .replace(/^\s*[-•+]\s/, '')
      .trim();
    const [, id, word, rest] = LINE.exec(line) ?? [];
    const yes = id === undefined || word === undefined ? undefined : readVerdict(word);
    if (id === undefined || yes === undefined || isProblem(yes)) return [];
    const finding = rest?.trim().slice(0, MAX_FINDING);
    return [[`q${Number(id.slice(1))}`, { yes, ...(finding ? { finding } : {}) }]];
  });
}

/** Answers to questions that were asked. One that was answered in two ways was not answered. */
function onlyClear(said: [string, Answer][], ids: readonly string[]): Map<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const id of ids) {
    const given = said.filter(([question]) => question === id).map(([, answer]) => answer);
    const [first] = given;
    if (first && given.every(({ yes }) => yes === first.yes)) answers.set(id, first);
  }
  return answers;
}
