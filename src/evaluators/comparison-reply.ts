import type { CandidatePlace } from '../domain/evaluator-parts';
import type { Json, JsonObject } from '../domain/json';
import { isJsonObject } from '../domain/json';
import { jsonInText } from '../domain/output-reading';
import { type JudgeProblem, readIssue, shareOf } from './judge-fields';
import { DEFAULT_CONFIDENCE, MAX_CANDIDATES, withoutThinking } from './judge-reply';
import type { Judgement } from './types';

interface Preference {
  better: 'first' | 'second' | 'neither';
  clear: boolean;
  reason?: string;
  faults: Record<CandidatePlace, Json>;
  confidence?: number;
}

const BETTER = /^better\s{0,5}[:=]\s{0,5}(first|second|neither)\b\W*$/i;
const MARGIN = /^margin\s{0,5}[:=]\s{0,5}(slight|clear)\b\W*$/i;
const MAX_REASON = 1_000;
const MAX_FAULTS = 50;

/** Reads which of two outputs a judge prefers, from the candidate's side: 1 is a clear win, 0.5 a tie, 0 a clear loss. */
export function readComparison(
  reply: string,
  candidate: CandidatePlace,
  otherName: string,
  evaluator: string,
): Judgement | JudgeProblem {
  const found = preferencesIn(withoutThinking(reply));
  const [said] = found;
  if (!said) return { problem: 'it does not say which one is better' };
  if (new Set(found.map(({ better, clear }) => `${better} ${clear}`)).size > 1)
    return { problem: 'it holds several judgements that differ' };
  const score = scoreOf(said, candidate);
  const isPass = score >= 0.5;
  const faults = [said.faults[candidate]].flat().flatMap(readIssue).slice(0, MAX_FAULTS);
  const messages = faults.length > 0 ? faults : [{ message: said.reason ?? `is worse than ${otherName}` }];
  return {
    outcome: isPass ? 'pass' : 'fail',
    score,
    issues: isPass ? [] : messages.map((issue) => ({ severity: 'major' as const, ...issue, evaluator })),
    suggestions: [],
    confidence: said.confidence ?? DEFAULT_CONFIDENCE,
    ...(said.reason === undefined ? {} : { reason: said.reason }),
  };
}

function scoreOf({ better, clear }: Preference, candidate: CandidatePlace): number {
  if (better === 'neither') return 0.5;
  const distance = clear ? 0.5 : 0.25;
  return better === candidate ? 0.5 + distance : 0.5 - distance;
}

function preferencesIn(text: string): Preference[] {
  const found: Preference[] = [];
  let count = 0;
  for (const { value } of jsonInText(text)) {
    if (++count > MAX_CANDIDATES) break;
    const preference = isJsonObject(value) ? readPreference(value) : undefined;
    if (preference) found.push(preference);
  }
  return found.length > 0 ? found : preferenceInLines(text);
}

function readPreference(object: JsonObject): Preference | undefined {
  const better = placeOf(object['better']);
  if (!better) return undefined;
  const { margin, reason, faults_first: first = [], faults_second: second = [] } = object;
  const confidence = shareOf(object['confidence']);
  return {
    better,
    clear: margin !== 'slight',
    ...(typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.trim().slice(0, MAX_REASON) } : {}),
    faults: { first, second },
    ...(confidence === undefined ? {} : { confidence }),
  };
}

function placeOf(value: Json | undefined): Preference['better'] | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
  return word === 'first' || word === 'second' || word === 'neither' ? word : undefined;
}

/** Every line that says which one is better counts: a judge that says two things has said nothing. */
function preferenceInLines(text: string): Preference[] {
  const lines = text.split('\n').map((line) =>
    line
      .slice(0, 200)
      .replace(/[*_`#>]/g, '')
      .trim(),
  );
  const margin = lines.flatMap((line) => MARGIN.exec(line)?.[1]?.toLowerCase() ?? []).at(-1);
  const reason = text.trim().slice(0, MAX_REASON);
  return lines.flatMap((line) => {
    const better = placeOf(BETTER.exec(line)?.[1]);
    return better ? [{ better, clear: margin !== 'slight', reason, faults: { first: [], second: [] } }] : [];
  });
}
