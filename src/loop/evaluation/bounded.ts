import { omitUndefined } from '../../lib/base/defined';
import { OURS, type UnreadableReply, type Verdict } from '../state/evaluation';
import type { UnreadReply, Issue, ReflectionEvaluation } from '../contract/evaluation';
import { jsonBytes } from '../../lib/json/json-bytes';
import { wellCut } from '../../lib/names/protocol-text';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { renderCount, renderCountAre } from '../../lib/text/counted';

/** Input from outside is cut where it enters: a run whose evaluation, failure or page exceeds a payload could never end. */

const TEXT_CHARACTERS = 4_000;
const NAME_CHARACTERS = 200;
/** The maximum number of issues, of suggestions and of criteria of one evaluation. */
export const MOST_FINDINGS = 200;
/** Bytes of an evaluation as JSON: beside the largest output it still fits into a payload. */
export const EVALUATION_BYTES = 96 * 1024;
const SHORTER = [TEXT_CHARACTERS, 1_000, 300, 100];

const REPLY_CHARACTERS = 100_000;

const MOST_PROBLEMS = 100;
const PATH_CHARACTERS = 300;
const PROBLEM_CHARACTERS = 1_000;

export const FAILURE_CHARACTERS = 8_000;
const DETAILS_BYTES = 256 * 1024;

/** Cuts a text to a number of characters; a note at its end counts the rest. */
export function boundedText(text: string, most: number): string {
  if (text.length <= most) return text;
  const mark = ` … (${renderCount(text.length - most, 'more character')})`;
  const kept = wellCut(text.slice(0, most - mark.length));
  return `${kept}${mark}`;
}

/** Leaves out the middle of a reply: a judge's own verdict is at its beginning or its end, quotes are mostly between them. */
function boundedReply(reply: string): string {
  if (reply.length <= REPLY_CHARACTERS) return reply;
  const mark = `\n[… ${reply.length - REPLY_CHARACTERS} characters are left out …]\n`;
  const half = Math.floor((REPLY_CHARACTERS - mark.length) / 2);
  return `${wellCut(reply.slice(0, half))}${mark}${reply.slice(-half).replace(/^[\uDC00-\uDFFF]/, '')}`;
}

function boundedIssue(issue: Issue, most: number): Issue {
  const { message, path, criterion, suggestion, type } = issue;
  return omitUndefined({
    ...issue,
    message: boundedText(message, most),
    path: path && boundedText(path, Math.min(most, PATH_CHARACTERS)),
    criterion: criterion && boundedText(criterion, NAME_CHARACTERS),
    suggestion: suggestion && boundedText(suggestion, most),
    type: type && boundedText(type, NAME_CHARACTERS),
  });
}

interface Findings {
  issues: Issue[];
  suggestions: string[];
  criteriaScores?: Record<string, number>;
  reason?: string;
}

function cut<T extends Findings>(found: T, characters: number, count: number): T {
  const { issues, suggestions, criteriaScores, reason } = found;
  const left = issues.length - count;
  const note: Issue[] =
    left > 0
      ? [
          {
            message: `${renderCount(left, 'more issue')} ${left === 1 ? 'was' : 'were'} left out`,
            severity: 'minor',
            evaluator: OURS,
          },
        ]
      : [];
  const scores = Object.entries(criteriaScores ?? {})
    .slice(0, count)
    .map(([name, score]) => [boundedText(name, NAME_CHARACTERS), score] as const);
  return omitUndefined({
    ...found,
    issues: [...issues.slice(0, count).map((issue) => boundedIssue(issue, characters)), ...note],
    suggestions: suggestions.slice(0, count).map((text) => boundedText(text, characters)),
    criteriaScores: criteriaScores && Object.fromEntries(scores),
    reason: reason && boundedText(reason, characters),
  });
}

function boundedFindings<T extends Findings>(found: T, bytes: number): T {
  for (const characters of SHORTER) {
    const shorter = cut(found, characters, MOST_FINDINGS);
    if (jsonBytes(shorter) <= bytes) return shorter;
  }
  let count = MOST_FINDINGS;
  let least = found;
  do {
    count = Math.floor(count / 2);
    least = cut(found, SHORTER.at(-1)!, count);
  } while (count > 0 && jsonBytes(least) > bytes);
  return least;
}

/** Reduces a reply, and the answers in it: they lose their texts, and if there are still too many, the reply is repaired. */
function boundedUnreadable({ answers, ...rest }: UnreadableReply): UnreadableReply {
  const reply = boundedReply(rest.reply);
  if (!answers || jsonBytes(answers) <= EVALUATION_BYTES) return { ...rest, reply, ...(answers && { answers }) };
  const short = Object.fromEntries(
    Object.entries(answers).map(([id, { yes, severity }]) => [id, omitUndefined({ yes, severity })]),
  );
  return { ...rest, reply, ...(jsonBytes(short) <= EVALUATION_BYTES && { answers: short }) };
}

export function boundedVerdict(verdict: Verdict): Verdict {
  const { unreadable, reading, warnings, toolCalls, said, ...found } = verdict;
  return omitUndefined({
    ...boundedFindings(found, EVALUATION_BYTES),
    unreadable: unreadable && boundedUnreadable(unreadable),
    reading,
    toolCalls,
    said,
    warnings: warnings?.slice(0, MOST_FINDINGS).map((text) => boundedText(text, SHORTER[1]!)),
  });
}

export function boundedEvaluation(evaluation: ReflectionEvaluation): ReflectionEvaluation {
  const { evaluators, ...found } = evaluation;
  const named = evaluators.map((each) => ({ ...each, name: boundedText(each.name, NAME_CHARACTERS) }));
  return {
    ...boundedFindings(found, Math.max(EVALUATION_BYTES - jsonBytes(named), EVALUATION_BYTES / 2)),
    evaluators: named,
  };
}

export function boundedProblems(problems: readonly SpecProblem[]): SpecProblem[] {
  const told = problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({
    path: boundedText(path, PATH_CHARACTERS),
    message: boundedText(message, PROBLEM_CHARACTERS),
  }));
  const left = problems.length - told.length;
  return left > 0 ? [...told, { path: '', message: `${renderCountAre(left, 'more mistake')} not listed` }] : told;
}

/** The details of a failure if they fit; otherwise their size. */
export function boundedDetails(details: readonly unknown[]): unknown[] {
  const bytes = jsonBytes(details);
  return bytes <= DETAILS_BYTES ? [...details] : [{ omittedBytes: bytes }];
}

const ALL_CHARACTERS = 200_000;

export function unreadReplies(replies: readonly UnreadReply[]): { unreadReplies?: UnreadReply[] } {
  if (replies.length === 0) return {};
  const most = Math.floor(ALL_CHARACTERS / replies.length);
  return { unreadReplies: replies.map((each) => ({ ...each, reply: boundedText(each.reply, most) })) };
}
