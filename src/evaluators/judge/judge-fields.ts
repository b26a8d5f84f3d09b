import type { Severity } from '../../domain/state/evaluation';
import { defined } from '../../domain/base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json/json';
import { isProblem, type JudgeProblem } from '../replies/problem';
import { isCalledQuote } from '../replies/quoted-names';
import { readScore, scoreInText } from '../replies/scores';
import { readVerdict } from '../replies/words';
import { words } from '../word-list';

const MAX_LISTED = 50;
const MAX_MESSAGE = 1_000;
const MAX_REASON = 4_000;
const MAX_TYPE = 200;

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
  /** What code calls the kind of its issue. */
  type?: string;
}

/** The names of fields, as they are without case and all but letters. */
const NAMES = {
  valid: words('valid isvalid pass passed satisfactory approved accepted acceptable verdict outcome decision'),
  /** The other way round. */
  invalid: words('invalid isinvalid failed fail rejected'),
  score: words('score overallscore qualityscore finalscore totalscore'),
  /** They tell other things as well: only a rejection in them counts. */
  loose: words('status result conclusion recommendation finalverdict judgement judgment'),
  reason: words('reason reasoning feedback explanation rationale justification critique comment'),
  issues: words('issues errors problems faults violations'),
  suggestions: words('suggestions suggestion improvements recommendations'),
  confidence: words('confidence'),
  /** Of one issue. */
  message: words('message description issue error problem text'),
  path: words('path location field'),
  criterion: words('criterion'),
  severity: words('severity'),
  missing: words('missinginformation informationmissing'),
  suggestion: words('suggestion fix suggestedfix recommendation'),
};

const SCALE_NAME = /scale|range|scoring|^max|max$|^outof$|^maximum/i;

const SEVERITIES: readonly [Severity, ReadonlySet<string>][] = [
  ['critical', words('critical blocker blocking severe fatal')],
  ['major', words('high major serious medium moderate')],
  ['minor', words('minor low')],
];

/**
 * Reads an object as a judgement; undefined when it has nothing of one.
 *
 * @param readEach reads one of its issues
 */
export function readFields(object: JsonObject, readEach = readIssue): JudgeFields | JudgeProblem | undefined {
  const verdicts = valuesNamed(object, NAMES.valid);
  const scores = valuesNamed(object, NAMES.score);
  const denials = valuesNamed(object, NAMES.invalid).filter(
    (value) => typeof value === 'boolean' || (typeof value === 'string' && !isProblem(readVerdict(value))),
  );
  if (verdicts.length === 0 && scores.length === 0 && denials.length === 0) {
    const inner = wrapped(object);
    return inner && readFields(inner, readEach);
  }
  const denied = denials.map(readVerdict).map((each) => (isProblem(each) ? each : !each));
  const refused = valuesNamed(object, NAMES.loose).flatMap((each) => (readVerdict(each) === false ? [false] : []));
  const valid = agreed([...verdicts.map(readVerdict), ...denied, ...refused], 'verdict');
  if (isProblem(valid)) return valid;
  if (valid !== false && isDeniedWithin(object)) return { problem: 'it has more than one verdict' };
  const [max, ...others] = Object.entries(object)
    .filter(([key, value]) => value !== null && SCALE_NAME.test(plain(key)))
    .map(([, value]) => value);
  const read = scores.map((each) => readScore(each, max));
  const score = agreed(read, 'score');
  if (isProblem(score)) return score;
  if (score !== undefined && others.length > 0) return { problem: 'it names more than one scale' };
  const listed = listNamed(object, NAMES.issues);
  return {
    valid,
    score,
    reason: firstText(object, NAMES.reason)?.slice(0, MAX_REASON),
    issues: listed.flatMap((each) => readEach(each)).slice(0, MAX_LISTED),
    suggestions: listNamed(object, NAMES.suggestions).flatMap(asText).slice(0, MAX_LISTED),
    confidence: shareOf(valuesNamed(object, NAMES.confidence)[0]),
    severe: hasGraveList(object) ? 'named' : severest(listed),
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

const GRAVE_NAME = /^(?:critical|fatal|blocking|severe|major)(?:issues?|errors?|faults?|problems?|flaws?)?$/i;

/** `critical_issues: [...]`, `blocking: true`. */
function hasGraveList(object: JsonObject): boolean {
  return Object.entries(object).some(
    ([key, value]) => GRAVE_NAME.test(plain(key)) && (value === true || (Array.isArray(value) && value.length > 0)),
  );
}

const WRAPPER_NAME =
  /evaluation|judge?ment|result|verdict|review|assessment|response|answer|final|output_json|^arguments$|^parameters$/i;

/** The one object inside of another that may be the judgement; what is called a draft's, or `__proto__`, is none. */
function wrapped(object: JsonObject): JsonObject | undefined {
  const inner = Object.entries(object).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const [only, ...others] = inner;
  if (!only || others.length > 0 || !/^[a-z][\w -]*$/i.test(only[0]) || isCalledQuote(only[0])) return undefined;
  const isAlone = Object.keys(object).length === 1;
  const isNamed = WRAPPER_NAME.test(only[0]);
  // Whose code it is, is asked later.
  const isCoded = typeof only[1]['code'] === 'string';
  return isNamed || isAlone || isCoded ? only[1] : undefined;
}

/** The value that all of these are; undefined when there are none. */
function agreed<Value>(readings: (Value | JudgeProblem)[], what: string): Value | JudgeProblem | undefined {
  const problem = new Set(readings).size > 1 ? { problem: `it has more than one ${what}` } : undefined;
  return readings.find(isProblem) ?? problem ?? readings[0];
}

/** Reads an issue that is a text or an object under any of the usual names. */
export function readIssue(value: Json): JudgeIssue[] {
  if (typeof value === 'string') {
    const message = value.trim().slice(0, MAX_MESSAGE);
    return message === '' ? [] : [defined({ message, severity: severityOf(value) })];
  }
  if (!isJsonObject(value)) return [];
  const message = firstText(value, NAMES.message);
  if (!message) return [];
  const place = firstText(value, NAMES.path);
  const path = place?.startsWith('/') ? place : undefined;
  const isMissing = valuesNamed(value, NAMES.missing).some((said) => readVerdict(said) === true);
  const issue: JudgeIssue = {
    message: (place && !path ? `${place}: ${message}` : message).slice(0, MAX_MESSAGE),
    path,
    criterion: firstText(value, NAMES.criterion)?.slice(0, MAX_MESSAGE),
    suggestion: firstText(value, NAMES.suggestion)?.slice(0, MAX_MESSAGE),
    severity: severityOf(value),
    missingInformation: isMissing || undefined,
  };
  return [defined(issue)];
}

/** Reads an issue that code wrote: its path and its type are what it says they are, where a model's may be anything. */
export function readIssueOfCode(value: Json): JudgeIssue[] {
  if (!isJsonObject(value)) return readIssue(value);
  const { path, type, ...rest } = value;
  const isPath = typeof path === 'string' && path.length <= MAX_MESSAGE;
  const isType = typeof type === 'string' && type !== '' && type.length <= MAX_TYPE;
  return readIssue(isPath ? rest : value).map((issue) =>
    defined({ ...issue, path: isPath ? path : issue.path, type: isType ? type : undefined }),
  );
}

/** The severity that an issue names: in a field, or before or behind its text, as `[major] …` or `… (severity: major)`. */
function severityOf(value: Json): Severity | undefined {
  const said = severityWord(value);
  if (said === undefined) return undefined;
  const share = scoreInText(said);
  if (!share?.scale) return severityCalled(said);
  const weight = share.number / share.scale;
  return weight > 0.7 ? 'critical' : weight > 0.4 ? 'major' : 'minor';
}

function severityCalled(word: string | undefined): Severity | undefined {
  return SEVERITIES.find(([, names]) => names.has(word ?? ''))?.[0];
}

function severityWord(value: Json): string | undefined {
  if (isJsonObject(value)) {
    const own = firstText(value, NAMES.severity)?.toLowerCase();
    return own ?? severityWord(firstText(value, NAMES.message) ?? null);
  }
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).replace(/[*_`]/g, '');
  const [, leading] = /^\W{0,3}([a-z]+)(?: (?:issue|fault|error|problem))?\s?(?:[:\])]|\s[-–—]\s)/i.exec(text) ?? [];
  const [, trailing] = /severity\W{1,3}([a-z]+)/i.exec(text) ?? [];
  return [leading, trailing].map((word) => word?.toLowerCase()).find((word) => severityCalled(word));
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

/** A name without case and all but its letters. */
function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** The values under any of some names, however they are written; null counts as not said. */
function valuesNamed(object: JsonObject, names: ReadonlySet<string>): Json[] {
  return Object.entries(object)
    .filter(([key, value]) => value !== null && names.has(plain(key)))
    .map(([, value]) => value);
}

function listNamed(object: JsonObject, names: ReadonlySet<string>): Json[] {
  return valuesNamed(object, names).flat();
}

function firstText(object: JsonObject, names: ReadonlySet<string>): string | undefined {
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
