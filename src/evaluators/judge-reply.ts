import type { Issue } from '../domain/evaluation';
import { isJsonObject } from '../domain/json';
import { SCORE_TYPE } from '../domain/issues';
import { jsonInText } from '../domain/output-reading';
import { passesByScore } from '../domain/score-verdict';
import type { JudgeFields, JudgeProblem } from './judge-fields';
import { isProblem, readFields } from './judge-fields';
import { readLines } from './judge-lines';
import type { Judgement } from './types';

/** For judges that do not say how sure they are. */
export const DEFAULT_CONFIDENCE = 0.7;
/** Values in a reply that are looked at. */
export const MAX_CANDIDATES = 20;
/** What some models think aloud before they answer; it may try out verdicts that they then drop. */
const THINKING = /^\s*<think>[^]*?<\/think>/;

/** A reply without what its model thought aloud. */
export function withoutThinking(reply: string): string {
  return reply.replace(THINKING, '');
}

/** Reads a judge's reply: JSON anywhere in it, else explicit lines. */
export function readJudgeReply(reply: string): JudgeFields | JudgeProblem {
  const text = withoutThinking(reply);
  const found: (JudgeFields | JudgeProblem)[] = [];
  let count = 0;
  for (const { value } of jsonInText(text)) {
    if (++count > MAX_CANDIDATES) break;
    const fields = isJsonObject(value) ? readFields(value) : undefined;
    if (fields) found.push(fields);
  }
  const [first] = found;
  if (!first) return withVerdict(readLines(text));
  // A judge that quotes a draft may quote a verdict that the draft invented: which one counts is not ours to guess.
  const distinct = new Set(found.map((each) => (isProblem(each) ? each.problem : `${each.valid} ${each.score}`)));
  return distinct.size > 1 ? { problem: 'it holds several judgements that differ' } : withVerdict(first);
}

function withVerdict(fields: JudgeFields | JudgeProblem): JudgeFields | JudgeProblem {
  if (isProblem(fields) || fields.valid !== undefined || fields.score !== undefined) return fields;
  return { problem: 'it has neither a verdict nor a score' };
}

/** The judgement that a reply amounts to: an explicit verdict decides, else the score does. */
export function judgementOfFields(fields: JudgeFields, qualityThreshold: number, evaluator: string): Judgement {
  const isPass = fields.valid ?? passesByScore(fields.score ?? 0, fields.issues, qualityThreshold);
  const issues: Issue[] = fields.issues.map((issue) => ({ ...issue, evaluator }));
  if (!isPass && issues.length === 0) {
    const { reason, score } = fields;
    const said = { message: 'The judge rejected the output without saying why.' };
    // All that it says is the score, and that may be rising.
    const unsaid = score === undefined ? said : { ...said, type: SCORE_TYPE };
    issues.push({ ...(reason === undefined ? unsaid : { message: reason }), evaluator });
  }
  return {
    outcome: isPass ? 'pass' : 'fail',
    score: fields.score ?? (isPass ? 1 : 0),
    issues,
    suggestions: fields.suggestions,
    confidence: fields.confidence ?? DEFAULT_CONFIDENCE,
    ...(fields.reason === undefined ? {} : { reason: fields.reason }),
  };
}

/** Reads a reply as a judgement. One that passes what it calls critically wrong contradicts itself, and says nothing. */
export function readJudgement(reply: string, qualityThreshold: number, evaluator: string): Judgement | JudgeProblem {
  const fields = readJudgeReply(reply);
  if (isProblem(fields)) return fields;
  const judgement = judgementOfFields(fields, qualityThreshold, evaluator);
  const isTorn = judgement.outcome === 'pass' && judgement.issues.some(({ severity }) => severity === 'critical');
  return isTorn ? { problem: 'it passes the output and reports a critical fault' } : judgement;
}

/** A judge that could not judge: never a bad score, for nothing is known about the output. */
export function inconclusiveJudgement(reason: string): Judgement {
  return { outcome: 'inconclusive', score: null, issues: [], suggestions: [], confidence: 0, reason };
}
