import { type Judgement, SCORE_TYPE } from '../loop/state/evaluation';
import type { Issue } from '../loop/contract/evaluation';
import { isJson, isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import { type JudgeFields, readFields, readIssueOfCode, reasonIn } from './judge/judge-fields';
import { isProblem, readVerdict } from './replies/words';
import { inconclusiveJudgement, makeJudgement } from './judgement';
import { firstCharacters } from '../lib/text/summary-text';

const MAX_SHOWN = 200;
const MAX_TEXT = 1_000;
const MAX_CRITERIA = 100;
const MOST_LOOKED_AT = 100;

interface ValueSource {
  name: string;
  /** The subject of every text that the reading makes, such as `action "check"`. */
  what: string;
  qualityThreshold: number;
}

/**
 * Reads what code returned as a judgement. Booleans decide. A number from 0 to 1 is a score, which the quality threshold
 * decides. A pair of either and a text says why. An object is an evaluation: `valid`, `pass` or `satisfactory`, `score`,
 * `errors` or `issues`, `suggestions`, `reason`, `confidence`, `criteriaScores`, `checksPassed`; an explicit verdict decides,
 * else its score; other keys are ignored. Anything else is inconclusive, NaN and scores outside of 0 to 1 included: nothing
 * is guessed or clamped.
 */
export function judgementOfValue(value: unknown, source: ValueSource): Judgement {
  const fields = fieldsOf(value, source.what);
  if (typeof fields === 'string') return inconclusiveJudgement(fields);
  const { valid, severe: _severe, others: _others, ...said } = fields;
  const isPass = valid ?? (said.score ?? 0) >= source.qualityThreshold;
  const found = isPass || said.issues.length > 0 ? said.issues : [whyNot(fields, source)];
  return makeJudgement(isPass, {
    ...said,
    issues: found.map((issue): Issue => ({ ...issue, evaluator: source.name })),
  });
}

interface ValueFields extends JudgeFields {
  checksPassed?: number;
  criteriaScores?: Record<string, number>;
}

const NOTHING_MORE = { issues: [], suggestions: [] };

function fieldsOf(value: unknown, what: string): ValueFields | string {
  if (typeof value === 'boolean') return { valid: value, ...NOTHING_MORE };
  if (typeof value === 'number') {
    if (value >= 0 && value <= 1) return { score: value, ...NOTHING_MORE };
    return `${what} returned ${value}, which is not between 0 and 1.`;
  }
  if (Array.isArray(value)) return fieldsOfPair(value, what);
  if (isJsonObject(value)) return fieldsOfObject(value, what);
  return `${what} returned ${showValue(value)}, which is no judgement: return a boolean, a score from 0 to 1, [boolean, text] or an evaluation.`;
}

/** Reads a pair such as `[false, 'why']`; a list of texts may take the place of the text. */
function fieldsOfPair(pair: unknown[], what: string): ValueFields | string {
  const [verdict, text, ...others] = pair;
  const why = Array.isArray(text) ? text : [text ?? ''];
  const isVerdict = typeof verdict === 'boolean' || typeof verdict === 'number';
  if (!isVerdict || others.length > 0 || !why.every((each) => typeof each === 'string')) {
    return `${what} returned ${showValue(pair)}, which is no judgement: a list must be [boolean, text].`;
  }
  const fields = fieldsOf(verdict, what);
  if (typeof fields === 'string') return fields;
  const texts = why.filter((each) => each.trim() !== '');
  if (texts.length === 0) return fields;
  const reason = texts.join(' ').slice(0, MAX_TEXT);
  return { ...fields, reason, issues: verdict === false ? texts.flatMap(readIssueOfCode) : [] };
}

function fieldsOfObject(object: JsonObject, what: string): ValueFields | string {
  if (object['outcome'] === 'inconclusive') {
    const { reason } = object;
    return typeof reason === 'string' && reason !== '' ? reason.slice(0, MAX_TEXT) : `${what} could not judge.`;
  }
  const fields = readFields(withShortLists(object), true);
  if (isProblem(fields)) return `What ${what} returned cannot be read: ${fields.problem}.`;
  const denied = fields?.valid === false ? undefined : Object.entries(fields?.others ?? {}).find(isDenial);
  if (denied) return `What ${what} returned cannot be read: its ${JSON.stringify(denied[0])} says no.`;
  if (fields?.valid === undefined && fields?.score === undefined) {
    return `${what} returned ${showValue(object)}, which has neither a verdict nor a score.`;
  }
  const checksPassed = object['checksPassed'] ?? object['checks_passed'];
  const criteriaScores = sharesOf(object['criteriaScores'] ?? object['criteria_scores']);
  return { ...fields, checksPassed: isShare(checksPassed) ? checksPassed : undefined, criteriaScores };
}

function withShortLists(object: JsonObject): JsonObject {
  const short = (value: Json): Json => (Array.isArray(value) ? value.slice(0, MOST_LOOKED_AT) : value);
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, short(value)]));
}

function isDenial([, value]: [string, Json]): boolean {
  return typeof value === 'string' && readVerdict(value) === false;
}

function whyNot(fields: ValueFields, { what, qualityThreshold }: ValueSource): Omit<Issue, 'evaluator'> {
  const { valid, score } = fields;
  const reason = reasonIn(fields);
  if (reason !== undefined) return { message: reason };
  const rejected = `${what} rejected the output without saying why.`;
  if (score === undefined) return { message: rejected };
  const tooLow = `${what} scored the output ${score}, and ${qualityThreshold} is needed.`;
  return { message: valid === false ? rejected : tooLow, type: SCORE_TYPE };
}

function sharesOf(value: Json | undefined): Record<string, number> | undefined {
  if (!isJsonObject(value)) return undefined;
  const shares = Object.entries(value).filter((entry): entry is [string, number] => isShare(entry[1]));
  return shares.length === 0 ? undefined : Object.fromEntries(shares.slice(0, MAX_CRITERIA));
}

function isShare(value: Json | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = isJson(value) ? JSON.stringify(value) : Object.prototype.toString.call(value);
  return firstCharacters(text, MAX_SHOWN);
}
