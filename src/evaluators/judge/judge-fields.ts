import type { Severity } from '../../domain/state/evaluation';
import type { Json, JsonObject } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';
import { isProblem, type JudgeProblem } from '../replies/problem';
import { isCalledQuote } from '../replies/quoted-names';
import { readScore, scoreInText } from '../replies/scores';
import { readVerdict } from '../replies/words';

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
  /** An issue is called major, critical, or anything of that weight. */
  severe?: 'named' | 'hinted';
}

export interface JudgeIssue {
  message: string;
  path?: string;
  criterion?: string;
  severity?: Severity;
  suggestion?: string;
  missingInformation?: true;
}

const NAMES = {
  valid: [
    'valid',
    'isvalid',
    'pass',
    'passed',
    'satisfactory',
    'approved',
    'accepted',
    'acceptable',
    'verdict',
    'outcome',
    'decision',
  ],
  /** The other way round. */
  invalid: ['invalid', 'isinvalid', 'failed', 'fail', 'rejected'],
  score: ['score', 'overallscore', 'qualityscore', 'finalscore', 'totalscore'],
  /** They tell other things as well: only a rejection in them counts. */
  loose: ['status', 'result', 'conclusion', 'recommendation', 'finalverdict', 'judgement', 'judgment'],
  reason: ['reason', 'reasoning', 'feedback', 'explanation', 'rationale', 'justification', 'critique', 'comment'],
  issues: ['issues', 'errors', 'problems', 'faults', 'violations'],
  suggestions: ['suggestions', 'suggestion', 'improvements', 'recommendations'],
  confidence: ['confidence'],
};
const MESSAGE_NAMES = ['message', 'description', 'issue', 'error', 'problem', 'text'];
const PATH_NAMES = ['path', 'location', 'field'];
const MISSING_NAMES = ['missinginformation', 'informationmissing'];
const SUGGESTION_NAMES = ['suggestion', 'fix', 'suggestedfix', 'recommendation'];

const SCALE_NAME = /scale|range|scoring|^max|max$|^outof$|^maximum/i;

const SEVERITIES: Record<string, Severity> = {
  critical: 'critical',
  blocker: 'critical',
  blocking: 'critical',
  severe: 'critical',
  fatal: 'critical',
  high: 'major',
  major: 'major',
  serious: 'major',
  medium: 'major',
  moderate: 'major',
  minor: 'minor',
  low: 'minor',
};

/** Reads an object as a judgement; undefined when it has nothing of one. */
export function readFields(object: JsonObject): JudgeFields | JudgeProblem | undefined {
  const verdicts = valuesNamed(object, NAMES.valid);
  const scores = valuesNamed(object, NAMES.score);
  const denials = valuesNamed(object, NAMES.invalid).filter(
    (value) => typeof value === 'boolean' || (typeof value === 'string' && !isProblem(readVerdict(value))),
  );
  if (verdicts.length === 0 && scores.length === 0 && denials.length === 0) {
    const inner = wrapped(object);
    return inner && readFields(inner);
  }
  const said = [
    ...verdicts.map(readVerdict),
    ...denials.map(readVerdict).map((each) => (isProblem(each) ? each : !each)),
  ];
  said.push(...valuesNamed(object, NAMES.loose).flatMap((each) => (readVerdict(each) === false ? [false] : [])));
  const valid = agreed(said, 'verdict');
  if (isProblem(valid)) return valid;
  if (valid !== false && isDeniedWithin(object)) return { problem: 'it has more than one verdict' };
  const [max, ...others] = Object.entries(object)
    .filter(([key, value]) => value !== null && SCALE_NAME.test(key.replace(/[^a-z]/gi, '')))
    .map(([, value]) => value);
  const score = agreed(
    scores.map((each) => readScore(each, max)),
    'score',
  );
  if (isProblem(score)) return score;
  if (score !== undefined && others.length > 0) return { problem: 'it names more than one scale' };
  const listed = listNamed(object, NAMES.issues);
  const severe = hasGraveList(object) ? 'named' : severest(listed);
  return {
    valid,
    score,
    reason: firstText(object, NAMES.reason)?.slice(0, MAX_REASON),
    issues: listed.flatMap(readIssue).slice(0, MAX_LISTED),
    suggestions: listNamed(object, NAMES.suggestions).flatMap(asText).slice(0, MAX_LISTED),
    confidence: shareOf(valuesNamed(object, NAMES.confidence)[0]),
    ...(severe && { severe }),
  };
}

/** An object within says no where the one around it does not. */
function isDeniedWithin(object: JsonObject): boolean {
  return Object.entries(object).some(([name, inner]) => {
    if (!isJsonObject(inner) || isCalledQuote(name)) return false;
    const verdicts = [...valuesNamed(inner, NAMES.valid), ...valuesNamed(inner, NAMES.loose)];
    return verdicts.some((each) => readVerdict(each) === false);
  });
}

/** `critical_issues: [...]`, `blocking: true`. */
function hasGraveList(object: JsonObject): boolean {
  return Object.entries(object).some(([key, value]) => {
    const isGrave = /^(?:critical|fatal|blocking|severe|major)(?:issues?|errors?|faults?|problems?|flaws?)?$/i.test(
      key.replace(/[^a-z]/gi, ''),
    );
    return isGrave && (value === true || (Array.isArray(value) && value.length > 0));
  });
}

/** The one object inside of another that may be the judgement; what is called a draft's, or `__proto__`, is none. */
function wrapped(object: JsonObject): JsonObject | undefined {
  const inner = Object.entries(object).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const [only, ...others] = inner;
  if (!only || others.length > 0 || !/^[a-z][\w -]*$/i.test(only[0]) || isCalledQuote(only[0])) return undefined;
  const isAlone = Object.keys(object).length === 1;
  const isNamed =
    /evaluation|judge?ment|result|verdict|review|assessment|response|answer|final|output_json|^arguments$|^parameters$/i.test(
      only[0],
    );
  // Whose code it is, is asked later.
  const isCoded = typeof only[1]['code'] === 'string';
  return isNamed || isAlone || isCoded ? only[1] : undefined;
}

/** The value that all of these are; undefined when there are none. */
function agreed<Value>(readings: (Value | JudgeProblem)[], what: string): Value | JudgeProblem | undefined {
  return (
    readings.find(isProblem) ?? (new Set(readings).size > 1 ? { problem: `it has more than one ${what}` } : readings[0])
  );
}

/** Reads an issue that is a text or an object under any of the usual names. */
export function readIssue(value: Json): JudgeIssue[] {
  if (typeof value === 'string') {
    const severity = severityOf(value);
    const said = value.trim().slice(0, MAX_MESSAGE);
    return said === '' ? [] : [{ message: said, ...(severity && { severity }) }];
  }
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
  const severity = severityOf(value);
  if (criterion) issue.criterion = criterion.slice(0, MAX_MESSAGE);
  if (suggestion) issue.suggestion = suggestion.slice(0, MAX_MESSAGE);
  if (severity) issue.severity = severity;
  if (valuesNamed(value, MISSING_NAMES).some((said) => readVerdict(said) === true)) issue.missingInformation = true;
  return [issue];
}

/** The severity that an issue names: in a field, or before or behind its text, as `[major] …` or `… (severity: major)`. */
function severityOf(value: Json): Severity | undefined {
  const said = severityWord(value);
  if (said === undefined) return undefined;
  const share = scoreInText(said);
  if (!share?.scale) return Object.hasOwn(SEVERITIES, said) ? SEVERITIES[said] : undefined;
  const weight = share.number / share.scale;
  return weight > 0.7 ? 'critical' : weight > 0.4 ? 'major' : 'minor';
}

function severityWord(value: Json): string | undefined {
  if (isJsonObject(value)) {
    const own = firstText(value, ['severity'])?.toLowerCase();
    return own ?? severityWord(firstText(value, MESSAGE_NAMES) ?? null);
  }
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).replace(/[*_`]/g, '');
  const [, leading] = /^\W{0,3}([a-z]+)(?: (?:issue|fault|error|problem))?\s?(?:[:\])]|\s[-–—]\s)/i.exec(text) ?? [];
  const [, trailing] = /severity\W{1,3}([a-z]+)/i.exec(text) ?? [];
  return [leading, trailing]
    .map((word) => word?.toLowerCase())
    .find((word) => word !== undefined && Object.hasOwn(SEVERITIES, word));
}

const MIDDLING = new Set(['medium', 'moderate']);
const HINT = /\b(?:critical|severe|serious|fatal|unacceptable|major)\b/i;
const NO_HINT = /\b(?:no|not|without|nothing|isn['’]t)\b/i;

/** How grave the gravest of some issues is said to be. */
export function severest(listed: readonly Json[]): 'named' | 'hinted' | undefined {
  const isGrave = (value: Json): boolean => ['critical', 'major'].includes(severityOf(value) ?? '');
  if (listed.some((value) => isGrave(value) && !MIDDLING.has(severityWord(value) ?? ''))) return 'named';
  const hints = listed.some((value) => {
    if (isGrave(value)) return true;
    if (severityOf(value) === 'minor') return false;
    const text = asText(value)[0]?.slice(0, MAX_MESSAGE) ?? '';
    return HINT.test(text) && !NO_HINT.test(text);
  });
  return hints ? 'hinted' : undefined;
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
  const read = typeof value === 'string' ? scoreInText(value) : undefined;
  const number = read ? read.number / (read.scale ?? 1) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}
