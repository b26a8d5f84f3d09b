import type { Severity } from '../domain/evaluation';
import type { Json, JsonObject } from '../domain/json';
import { isJsonObject } from '../domain/json';

const MAX_LISTED = 50;
const MAX_MESSAGE = 1_000;
const MAX_REASON = 4_000;

/** What a judge's reply says, whatever it calls it. */
export interface JudgeFields {
  valid?: boolean;
  score?: number;
  reason?: string;
  issues: JudgeIssue[];
  suggestions: string[];
  confidence?: number;
}

export interface JudgeIssue {
  message: string;
  path?: string;
  criterion?: string;
  severity?: Severity;
  suggestion?: string;
  missingInformation?: true;
}

/** Says why a reply cannot be taken for a judgement. */
export interface JudgeProblem {
  problem: string;
}

const NAMES = {
  valid: ['valid', 'isvalid', 'pass', 'passed', 'satisfactory', 'approved', 'acceptable', 'verdict', 'outcome'],
  score: ['score', 'overallscore', 'qualityscore'],
  reason: ['reason', 'reasoning', 'feedback', 'explanation', 'rationale', 'justification', 'critique', 'comment'],
  issues: ['issues', 'errors', 'problems', 'faults', 'violations'],
  suggestions: ['suggestions', 'suggestion', 'improvements', 'recommendations'],
  confidence: ['confidence'],
};
const MESSAGE_NAMES = ['message', 'description', 'issue', 'error', 'problem', 'text'];
const PATH_NAMES = ['path', 'location', 'field'];
const MISSING_NAMES = ['missinginformation', 'informationmissing'];
const SUGGESTION_NAMES = ['suggestion', 'fix', 'suggestedfix', 'recommendation'];

const YES = new Set(['true', 'yes', 'pass', 'passed', 'passes', 'valid', 'approved', 'accepted', 'satisfactory']);
const NO = new Set(['false', 'no', 'fail', 'failed', 'fails', 'invalid', 'rejected', 'unsatisfactory']);

const SEVERITIES: Record<string, Severity> = {
  critical: 'critical',
  blocker: 'critical',
  high: 'major',
  major: 'major',
  medium: 'major',
  moderate: 'major',
  minor: 'minor',
  low: 'minor',
};

/** Reads an object as a judgement; undefined when it has nothing of one. */
export function readFields(object: JsonObject): JudgeFields | JudgeProblem | undefined {
  const verdicts = valuesNamed(object, NAMES.valid);
  const scores = valuesNamed(object, NAMES.score);
  if (verdicts.length === 0 && scores.length === 0) {
    const [wrapper, ...others] = Object.entries(object);
    const [name = '', inner] = wrapper ?? [];
    // A judgement may come wrapped in a word for it; `__proto__` is none.
    const isWrapped = others.length === 0 && /^[a-z][\w -]*$/i.test(name);
    return isWrapped && isJsonObject(inner) ? readFields(inner) : undefined;
  }
  const valid = agreed(verdicts, readVerdict, 'verdict');
  if (isProblem(valid)) return valid;
  const score = agreed(scores, readScore, 'score');
  if (isProblem(score)) return score;
  return {
    valid,
    score,
    reason: firstText(object, NAMES.reason)?.slice(0, MAX_REASON),
    issues: listNamed(object, NAMES.issues).flatMap(readIssue).slice(0, MAX_LISTED),
    suggestions: listNamed(object, NAMES.suggestions).flatMap(asText).slice(0, MAX_LISTED),
    confidence: shareOf(valuesNamed(object, NAMES.confidence)[0]),
  };
}

/** The value that all of these read as; undefined when there are none. */
function agreed<Value>(
  found: Json[],
  read: (value: Json) => Value | JudgeProblem,
  what: string,
): Value | JudgeProblem | undefined {
  const readings = found.map(read);
  return (
    readings.find(isProblem) ?? (new Set(readings).size > 1 ? { problem: `it has more than one ${what}` } : readings[0])
  );
}

export function isProblem(value: unknown): value is JudgeProblem {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** Reads a verdict in words or as a boolean. */
export function readVerdict(value: Json): boolean | JudgeProblem {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase().replace(/[.!]$/, '') : '';
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  return { problem: `its verdict is ${JSON.stringify(value).slice(0, 100)}, which is neither yes nor no` };
}

/** Reads a score from 0 to 1. One on a scale that it names, `8/10` or `80%`, is converted; a bare 8 is not a score. */
export function readScore(value: Json): number | JudgeProblem {
  const score = typeof value === 'number' ? value : typeof value === 'string' ? scoreInText(value) : Number.NaN;
  if (score >= 0 && score <= 1) return score;
  return { problem: `its score is ${JSON.stringify(value).slice(0, 100)}, which is not between 0 and 1` };
}

function scoreInText(text: string): number {
  const match = /^\s*(-?\d+(?:\.\d+)?|-?\.\d+)\s*(?:(%)|(?:\/|out of)\s*(\d+(?:\.\d+)?))?(?![\d.])/i.exec(text);
  if (!match) return Number.NaN;
  const scale = match[2] ? 100 : match[3] ? Number(match[3]) : 1;
  return Number(match[1]) / scale;
}

/** Reads an issue that is a text or an object under any of the usual names. */
export function readIssue(value: Json): JudgeIssue[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ message: value.trim().slice(0, MAX_MESSAGE) }];
  if (!isJsonObject(value)) return [];
  const message = firstText(value, MESSAGE_NAMES);
  if (!message) return [];
  const place = firstText(value, PATH_NAMES);
  const isPointer = place?.startsWith('/') ?? false;
  const issue: JudgeIssue = {
    message: (place && !isPointer ? `${place}: ${message}` : message).slice(0, MAX_MESSAGE),
    ...(isPointer && { path: place }),
  };
  const criterion = firstText(value, ['criterion']);
  const suggestion = firstText(value, SUGGESTION_NAMES);
  const severity = SEVERITIES[firstText(value, ['severity'])?.toLowerCase() ?? ''];
  if (criterion) issue.criterion = criterion.slice(0, MAX_MESSAGE);
  if (suggestion) issue.suggestion = suggestion.slice(0, MAX_MESSAGE);
  if (severity) issue.severity = severity;
  if (valuesNamed(value, MISSING_NAMES).some((said) => readVerdict(said) === true)) issue.missingInformation = true;
  return [issue];
}

/** The values under any of some names, however they are written; null counts as not said. */
function valuesNamed(object: JsonObject, names: string[]): Json[] {
  return Object.entries(object)
    .filter(([key, value]) => value !== null && names.includes(key.toLowerCase().replace(/[^a-z]/g, '')))
    .map(([, value]) => value);
}

function listNamed(object: JsonObject, names: string[]): Json[] {
  return valuesNamed(object, names).flat();
}

function firstText(object: JsonObject, names: string[]): string | undefined {
  return valuesNamed(object, names).flatMap(asText)[0];
}

function asText(value: Json): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number') return [String(value)];
  return isJsonObject(value) ? readIssue(value).map(({ message }) => message) : [];
}

/** A share from 0 to 1, also as `80%`; undefined for anything else. */
export function shareOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' ? scoreInText(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}
