import { type Judgement, SCORE_TYPE } from '../../loop/state/evaluation';
import type { Issue, Severity } from '../../loop/contract/evaluation';
import { LOOP_DEFAULTS } from '../../loop/base/defaults';
import { isJsonObject, type Json } from '../../lib/json/json';
import { passesByScore } from '../../loop/evaluation/scores';
import { type JudgeFields, readFields, readIssue, reasonIn, severest, shareOf } from './judge-fields';
import { makeJudgement } from '../judgement';
import {
  deniesAll,
  isProblem,
  isSaid,
  isSomething,
  type JudgeProblem,
  mayBeVerdict,
  readVerdict,
  words,
} from '../replies/words';
import { readReply, type ReplyContext, type ReplyForm } from '../replies/candidates';
import { jsonSpans } from '../replies/json-spans';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import type { ReplyLine } from '../replies/reply-lines';
import { readScore } from '../replies/scores';

export const DEFAULT_CONFIDENCE = 0.7;
/** A judge that lets pass what it has grave words for is less sure than this of it: a second judge is asked. */
const TORN_CONFIDENCE = 0.4;
const HALF = 0.5;
const MAX_REASON = 1_000;
const NOTHING = 'it has neither a verdict nor a score';

export function readJudgeReply(
  reply: string,
  qualityThreshold: number = LOOP_DEFAULTS.qualityThreshold,
  asked: ReplyContext = {},
): JudgeFields | JudgeProblem {
  const read = readReply(reply, judgeForm(qualityThreshold), asked);
  if (isProblem(read)) return read;
  if (read.valid === undefined && read.score === undefined) return { problem: NOTHING };
  // Lines without a reason of their own have the whole reply for one.
  return read.others ? read : { ...read, reason: read.reason ?? reply.trim().slice(0, MAX_REASON) };
}

function judgeForm(qualityThreshold: number): ReplyForm<JudgeFields> {
  const isFavourable = (fields: JudgeFields): boolean => passes(fields, qualityThreshold);
  const agree = (one: JudgeFields, other: JudgeFields): boolean =>
    isFavourable(one) === isFavourable(other) &&
    (one.score === undefined || other.score === undefined || one.score === other.score);
  return {
    fromJson: readValue,
    fromLines: fieldsOfLines,
    roleOf: verdictRole,
    agree,
    isWhole: ({ valid }) => valid !== undefined,
    isFavourable,
    isDoubtful,
    nothing: NOTHING,
  };
}

function passes({ valid, score = 0, issues }: JudgeFields, qualityThreshold: number): boolean {
  return valid ?? passesByScore(score, issues, qualityThreshold);
}

function readValue(value: Json): JudgeFields | JudgeProblem | undefined {
  const objects = (Array.isArray(value) ? value : [value]).filter(isJsonObject);
  const [read, ...more] = objects.flatMap((each) => readFields(each) ?? []);
  const isOneOfMany = read !== undefined && Array.isArray(value) && value.length > 1;
  return more.length > 0 || isOneOfMany ? { problem: 'it holds several judgements' } : read;
}

/** A second verdict is any value under another name beside a score alone, else one that could be one. */
function isDoubtful({ valid, reason = '', issues, suggestions, others = {} }: JudgeFields): boolean {
  const said = [reason, ...issues.map(({ message }) => message), ...suggestions];
  return (
    said.some((text) => deniesAll(text) || rejectsInside(text)) ||
    Object.values(others).some(valid === undefined ? isSomething : mayBeVerdict)
  );
}

function rejectsInside(text: string): boolean {
  const [span, ...more] = text.trim().startsWith('{') ? jsonSpans(text).spans : [];
  const read = span && more.length === 0 ? readValue(span.value) : undefined;
  return read !== undefined && (isProblem(read) || read.valid === false);
}

export function judgementOfFields(fields: JudgeFields, qualityThreshold: number, evaluator: string): Judgement {
  const { score, suggestions, confidence = DEFAULT_CONFIDENCE } = fields;
  const isPass = passes(fields, qualityThreshold);
  const reason = isPass || fields.issues.length > 0 ? fields.reason : reasonIn(fields);
  const issues: Issue[] = fields.issues.map((issue) => ({ ...issue, evaluator }));
  if (!isPass && issues.length === 0) {
    const message = reason ?? 'The judge rejected the output without saying why.';
    // Where all that it says is the score, that may be rising.
    const isScore = reason === undefined && score !== undefined;
    issues.push({ message, ...(isScore && { type: SCORE_TYPE }), evaluator });
  }
  return makeJudgement(isPass, { score, issues, suggestions, confidence, reason });
}

/** Reads a reply as a judgement. A reply that contradicts itself cannot be read. */
export function readJudgement(
  reply: string,
  qualityThreshold: number,
  evaluator: string,
  asked: ReplyContext = {},
): Judgement | JudgeProblem {
  const fields = readJudgeReply(reply, qualityThreshold, asked);
  if (isProblem(fields)) return fields;
  const contradiction = contradictionIn(fields, qualityThreshold);
  if (contradiction !== undefined) return { problem: contradiction };
  const score = fields.score ?? scoreOfFindings(fields, qualityThreshold);
  const judgement = judgementOfFields(
    { ...fields, ...(score !== undefined && { score }) },
    qualityThreshold,
    evaluator,
  );
  if (judgement.outcome !== 'pass' || fields.severe === undefined) return judgement;
  return unsurePass(judgement, evaluator);
}

/** The share of a score that a fault of each severity takes; without one it counts as major. */
const COSTS: Record<Severity, number> = { critical: 0.5, major: 0.25, minor: 0.05 };

/** Scores a verdict without a score by its issues. A pass reaches the threshold, and a fail does not. */
function scoreOfFindings({ valid, issues }: JudgeFields, qualityThreshold: number): number | undefined {
  if (issues.length === 0) return undefined;
  const cost = issues.reduce((sum, { severity = 'major' }) => sum + COSTS[severity], 0);
  const score = Math.max(0, 1 - cost);
  return valid === true ? Math.max(score, qualityThreshold) : score * qualityThreshold;
}

/** Marks a pass as unsure, for a judge that names a grave fault in the output that it passes. */
export function unsurePass(judgement: Judgement, evaluator: string): Judgement {
  const warning = `The judge "${evaluator}" passed the output, and speaks of a grave fault in it: its pass counts as unsure.`;
  const confidence = Math.min(judgement.confidence, TORN_CONFIDENCE);
  return { ...judgement, confidence, unsure: true, warnings: [...(judgement.warnings ?? []), warning] };
}

function contradictionIn({ valid, score, severe }: JudgeFields, qualityThreshold: number): string | undefined {
  if (valid === true && severe === 'named') return 'it passes the output and reports a critical or major fault';
  if (valid === true && score !== undefined && score < Math.min(HALF, qualityThreshold))
    return `it passes the output with a score of ${score}`;
  return valid === false && score === 1 ? 'it rejects the output with a score of 1' : undefined;
}

const PREFIX = /^(?:(?:final|overall|my|the|quality|your) )+(?=.)/;
const VERDICTS = words('verdict valid pass passed');
const SECTIONS: Record<string, { name: string; isList: boolean }> = {
  reason: { name: 'reason', isList: false },
  issues: { name: 'issues', isList: true },
  suggestions: { name: 'suggestions', isList: true },
  confidence: { name: 'other', isList: false },
};
const MAX_LISTED = 50;

/** Only labelled lines count: prose that happens to say "approved" decides nothing. */
function verdictRole(line: ReplyLine): LineRole | undefined {
  const label = labelOf(line);
  if (!label) return undefined;
  const { value } = label;
  const name = label.name.replace(PREFIX, '');
  if (Object.hasOwn(SECTIONS, name) && (name !== 'confidence' || shareOf(value) !== undefined))
    return { kind: 'section', ...SECTIONS[name]!, value };
  if (VERDICTS.has(name)) return { kind: 'field', key: 'verdict', value };
  if (name === 'score') return { kind: 'field', key: 'score', value };
  // Another verdict: a label such as "expected" or "of the draft" leaves open which text it judges.
  const isOther = value !== '' && (/\bverdict\b/.test(name) || !isProblem(readVerdict(value)));
  return isOther ? { kind: 'field', key: 'verdict', value: label.name, isLoose: true } : undefined;
}

function fieldsOfLines({ fields, sections }: LineBlock): JudgeFields | JudgeProblem {
  const [verdict, number] = [fields.get('verdict'), fields.get('score')];
  const valid = verdict === undefined ? undefined : readVerdict(verdict);
  if (isProblem(valid)) return valid;
  const score = number === undefined || !isSaid(number) ? undefined : readScore(number);
  if (isProblem(score)) return score;
  const reason = sections.get('reason')?.join(' ').slice(0, MAX_REASON) || undefined;
  const issues = keepEntries(sections.get('issues'));
  const suggestions = keepEntries(sections.get('suggestions'));
  return { valid, score, reason, issues: issues.flatMap(readIssue), suggestions, severe: severest(issues) };
}

function keepEntries(lines: readonly string[] = []): string[] {
  return lines.filter(isSaid).slice(0, MAX_LISTED);
}
