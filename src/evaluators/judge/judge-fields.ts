import { BLOCKERS } from '../../loop/base/choices';
import type { Blocker } from '../../loop/contract/blockers';
import type { Severity } from '../../loop/contract/evaluation';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { findWrapped, isProblem, isSaid, type JudgeProblem, readVerdict, words } from '../replies/words';
import { readScore, scoreInText } from '../replies/scores';

const MAX_LISTED = 50;
const MAX_MESSAGE = 1_000;
const MAX_REASON = 4_000;
const MAX_TYPE = 200;

export interface JudgeFields {
  valid?: boolean;
  score?: number;
  reason?: string;
  issues: JudgeIssue[];
  suggestions: string[];
  confidence?: number;
  /** An issue is called major, critical, or anything of that weight. */
  severe?: 'named' | 'hinted';
  others?: JsonObject;
}

export interface JudgeIssue {
  message: string;
  path?: string;
  criterion?: string;
  severity?: Severity;
  suggestion?: string;
  missingInformation?: true;
  blocker?: Blocker;
  /** The kind of an issue that code reports. */
  type?: string;
}

/** The names of fields, as they are without case and all but letters. */
const NAMES = {
  valid: words(
    'valid isvalid pass passed satisfactory issatisfactory approved accepted acceptable verdict outcome decision',
  ),
  /** The other way round. */
  invalid: words('invalid isinvalid failed fail rejected'),
  score: words('score overallscore qualityscore finalscore totalscore'),
  reason: words('reason reasoning feedback explanation rationale justification critique comment'),
  issues: words('issues errors problems faults violations'),
  suggestions: words('suggestions suggestion improvements recommendations'),
  confidence: words('confidence'),
  code: words('code'),
};
const { invalid: INVALID, ...READ } = NAMES;
const KNOWN = new Set(Object.values(READ).flatMap((names) => [...names]));

const OF_ISSUE = {
  message: words('message description issue error problem text'),
  path: words('path location field'),
  criterion: words('criterion'),
  severity: words('severity'),
  weight: words('level priority impact blocking'),
  missing: words('missinginformation informationmissing'),
  blocker: words('blocker'),
  suggestion: words('suggestion fix suggestedfix recommendation'),
};
const KNOWN_OF_ISSUE = new Set(Object.values(OF_ISSUE).flatMap((names) => [...names]));

/** By their letters and digits alone. */
const SEVERITIES: readonly [Severity, ReadonlySet<string>][] = [
  [
    'critical',
    words(
      'critical criticalfail blocker blocking showstopper mustfix severe fatal grave kritisch veryhigh p0 s0 s1 sev0 sev1',
    ),
  ],
  ['major', words('high hoch major serious error medium moderate p1 s2 sev2')],
  ['minor', words('minor low trivial nit info suggestion p3 s4')],
];

/** @param isOfCode code wrote it, and no judge */
export function readFields(
  object: JsonObject,
  isOfCode = false,
  depth = MAX_DEPTH,
): JudgeFields | JudgeProblem | undefined {
  const verdicts = valuesNamed(object, NAMES.valid);
  const scores = valuesNamed(object, NAMES.score);
  const denials = valuesNamed(object, INVALID).filter((value) => !isProblem(readVerdict(value)));
  const unasked = Object.entries(object).filter(([key, value]) => {
    const isDenial = INVALID.has(lettersOf(key)) && !isProblem(readVerdict(value));
    return !isDenial && !KNOWN.has(lettersOf(key));
  });
  const others = Object.fromEntries(unasked);
  if (verdicts.length === 0 && scores.length === 0 && denials.length === 0) {
    const wrapped = depth > 0 ? findWrapped(object, isOfCode) : undefined;
    const read = wrapped && readFields(wrapped.inner, isOfCode, depth - 1);
    return read && !isProblem(read) ? { ...read, others: { ...read.others, ...wrapped?.others } } : read;
  }
  const denied = denials.map(readVerdict).map((each) => (isProblem(each) ? each : !each));
  const valid = findAgreement([...verdicts.map(readVerdict), ...denied], 'verdict');
  if (isProblem(valid)) return valid;
  const score = findAgreement(
    scores.map((each) => readScore(each)),
    'score',
  );
  if (isProblem(score)) return score;
  const listed = valuesNamed(object, NAMES.issues).flatMap(issuesIn);
  return {
    valid,
    score,
    reason: valuesNamed(object, NAMES.reason)
      .map((each) => collectText(each))
      .find(Boolean)
      ?.slice(0, MAX_REASON),
    issues: listed.flatMap(isOfCode ? readIssueOfCode : readIssue).slice(0, MAX_LISTED),
    suggestions: valuesNamed(object, NAMES.suggestions).flat().map(messageIn).filter(isSaid).slice(0, MAX_LISTED),
    confidence: shareOf(valuesNamed(object, NAMES.confidence)[0]),
    severe: severest(listed),
    others: isTorn(object) ? { ...others, within: true } : others,
  };
}

function isTorn(object: JsonObject): boolean {
  const parts = Object.entries(object).flatMap(([key, value]) => (KNOWN.has(lettersOf(key)) ? [value].flat() : []));
  const fields = parts.filter(isJsonObject).flatMap((part) => Object.entries(part));
  const isAsked = (key: string): boolean =>
    OF_ISSUE.missing.has(lettersOf(key)) || OF_ISSUE.blocker.has(lettersOf(key));
  return fields.some(([key, value]) => !isAsked(key) && !isProblem(readVerdict(value)));
}

/** The reason of a rejection, whatever its field is called: if no issue states it, all other fields of the reply. */
export function reasonIn({ reason, others = {} }: JudgeFields): string | undefined {
  const more = collectText(others);
  return [reason, more].filter(Boolean).join('; ').slice(0, MAX_REASON) || undefined;
}

function findAgreement<Value>(readings: (Value | JudgeProblem)[], what: string): Value | JudgeProblem | undefined {
  const problem = new Set(readings).size > 1 ? { problem: `it has more than one ${what}` } : undefined;
  return readings.find(isProblem) ?? problem ?? readings[0];
}

function issuesIn(value: Json): Json[] {
  if (!isJsonObject(value) || Object.keys(value).some((key) => KNOWN_OF_ISSUE.has(lettersOf(key))))
    return [value].flat();
  return Object.entries(value).map(([key, each]) => `${key}: ${collectText(each)}`);
}

/** Reads an issue that is a text or an object under any of the usual names. */
export function readIssue(value: Json): JudgeIssue[] {
  if (!isJsonObject(value)) {
    const message = collectText(value).slice(0, MAX_MESSAGE);
    return isSaid(message) ? [omitUndefined({ message, severity: severityOf(message) })] : [];
  }
  const message = messageIn(value);
  if (!isSaid(message)) return [];
  const [place] = valuesNamed(value, OF_ISSUE.path).flatMap((each) =>
    typeof each === 'object' ? [] : [collectText(each)],
  );
  const path = place?.startsWith('/') ? place : undefined;
  const isMissing = valuesNamed(value, OF_ISSUE.missing).some((said) => readVerdict(said) === true);
  const issue: JudgeIssue = {
    message: (place && !path ? `${place}: ${message}` : message).slice(0, MAX_MESSAGE),
    path,
    criterion: firstText(value, OF_ISSUE.criterion)?.slice(0, MAX_MESSAGE),
    suggestion: firstText(value, OF_ISSUE.suggestion)?.slice(0, MAX_MESSAGE),
    severity: severityOf(value),
    missingInformation: isMissing || undefined,
    blocker: blockerCalled(firstText(value, OF_ISSUE.blocker)),
  };
  return [omitUndefined(issue)];
}

function blockerCalled(word: string | undefined): Blocker | undefined {
  return BLOCKERS.find((each) => each === word?.toLowerCase());
}

function messageIn(issue: Json): string {
  if (!isJsonObject(issue)) return collectText(issue);
  const texts = Object.entries(issue).filter(
    ([key, value]) => typeof value === 'string' && !KNOWN_OF_ISSUE.has(lettersOf(key)),
  );
  return (
    firstText(issue, OF_ISSUE.message) ??
    texts
      .map(([, text]) => collectText(text))
      .filter(Boolean)
      .join(': ')
  );
}

/** Reads an issue that code wrote: its path and its type are what it says they are, where a model's may be anything. */
export function readIssueOfCode(value: Json): JudgeIssue[] {
  if (!isJsonObject(value)) return readIssue(value);
  const { path, type, ...rest } = value;
  const isPath = typeof path === 'string' && path.length <= MAX_MESSAGE;
  const isType = typeof type === 'string' && type !== '' && type.length <= MAX_TYPE;
  return readIssue(isPath ? rest : value).map((issue) =>
    omitUndefined({ ...issue, path: isPath ? path : issue.path, type: isType ? type : undefined }),
  );
}

function severityOf(value: Json): Severity | undefined {
  const said = severityWord(value);
  if (said === undefined) return undefined;
  const share = scoreInText(said);
  if (!share?.scale) return severityCalled(said);
  const weight = share.number / share.scale;
  return weight > 0.7 ? 'critical' : weight > 0.4 ? 'major' : 'minor';
}

function severityCalled(word: string | undefined): Severity | undefined {
  const said = (word ?? '').toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return SEVERITIES.find(([, names]) => names.has(said))?.[0];
}

function severityWord(value: Json): string | undefined {
  if (isJsonObject(value)) {
    const own = firstText(value, OF_ISSUE.severity)?.toLowerCase();
    return own ?? severityWord(firstText(value, OF_ISSUE.message) ?? null);
  }
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, MAX_MESSAGE).replace(/[*_`]/g, '');
  const [, leading] =
    /^\W{0,3}([a-z]+|p\d)(?: (?:issue|fault|error|problem))?\s?(?:[:\])]|\s[-–—]\s)/i.exec(text) ?? [];
  const [, trailing] = /severity\W{1,3}([a-z]+)/i.exec(text) ?? [];
  return [leading, trailing].map((word) => word?.toLowerCase()).find((word) => severityCalled(word));
}

const MIDDLING = new Set(['medium', 'moderate']);
const HINT = /\b(?:critical|severe|serious|fatal|unacceptable|major)\b/i;
const NO_HINT = /\b(?:no|not|without|nothing|isn['’]t)\b/i;

export function severest(listed: readonly Json[]): 'named' | 'hinted' | undefined {
  const isSevere = (severity: Severity | undefined): boolean => severity === 'critical' || severity === 'major';
  const isGrave = (value: Json): boolean => isSevere(severityOf(value));
  const hasWeight = (value: Json): boolean =>
    isJsonObject(value) &&
    valuesNamed(value, OF_ISSUE.weight).some((each) => each === true || isSevere(severityCalled(collectText(each))));
  if (listed.some((value) => isGrave(value) && !MIDDLING.has(severityWord(value) ?? ''))) return 'named';
  const hints = listed.some((value) => {
    if (isGrave(value) || hasWeight(value)) return true;
    if (severityOf(value) === 'minor') return false;
    const text = messageIn(value).slice(0, MAX_MESSAGE);
    return HINT.test(text) && !NO_HINT.test(text);
  });
  return hints ? 'hinted' : undefined;
}

/** The depth below which values are neither a judgement nor a reason. */
export const MAX_DEPTH = 8;

export function lettersOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '');
}

/** The values under any of some names, however the names are written; null counts as no value. */
export function valuesNamed(object: JsonObject, names: ReadonlySet<string>): Json[] {
  return Object.entries(object)
    .filter(([key, value]) => value !== null && names.has(lettersOf(key)))
    .map(([, value]) => value);
}

export function firstText(object: JsonObject, names: ReadonlySet<string>): string | undefined {
  return valuesNamed(object, names)
    .map((each) => collectText(each))
    .find(Boolean);
}

/** The words in a value of any shape; numbers and booleans inside of it state no reason. */
export function collectText(value: Json, depth = MAX_DEPTH): string {
  if (value === null || depth === 0) return '';
  if (typeof value !== 'object') return String(value).trim();
  const said = Object.entries(value)
    .filter(([, each]) => typeof each === 'string' || typeof each === 'object')
    .map(([key, each]) => [key, collectText(each as Json, depth - 1)] as const)
    .filter(([, text]) => text !== '');
  return said.map(([key, text]) => (Array.isArray(value) ? text : `${key}: ${text}`)).join('; ');
}

/** Reads a share from 0 to 1, also as `80%`; returns undefined for anything else. */
export function shareOf(value: Json | undefined): number | undefined {
  const read = typeof value === 'string' ? scoreInText(value) : undefined;
  const number = read ? read.number / (read.scale ?? 1) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}
