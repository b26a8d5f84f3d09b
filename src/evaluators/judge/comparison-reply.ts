import type { CandidatePlace } from '../../domain/spec/evaluator-parts';
import type { Json, JsonObject } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';
import { readIssue, shareOf } from './judge-fields';
import { DEFAULT_CONFIDENCE } from './judge-reply';
import { type Asked, readReply, type ReplyForm } from '../replies/candidates';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import { isCalledQuote } from '../replies/quoted-names';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { ReplyLine } from '../replies/reply-lines';
import type { Judgement } from '../../domain/state/evaluation';

interface Preference {
  better: 'first' | 'second' | 'neither';
  clear: boolean;
  reason?: string;
  faults: Record<CandidatePlace, Json>;
  confidence?: number;
}

const PLACE =
  /^\W*(?:the )?(first|second|neither|none|both|tie|tied|equal|equally good|same)(?: (?:one|output|text|is better))?(?=\W*$|\s*[.,;]\s|\s*\(|\s+[-–—]\s)(.*)$/i;
/** What takes a preference back, or names the other one. */
const DOUBT = /[?/|→]|\b(?:or|if|unless|but|however|perhaps|maybe|first|second)\b/i;
const MAX_REASON = 1_000;
const MAX_FAULTS = 50;

/** Reads which of two outputs a judge prefers, from the candidate's side: 1 is a clear win, 0.5 a tie, 0 a clear loss. */
export function readComparison(
  reply: string,
  candidate: CandidatePlace,
  otherName: string,
  evaluator: string,
  asked: Asked = {},
): Judgement | JudgeProblem {
  const read = readReply(reply, PREFERENCE, asked);
  if (isProblem(read)) return read;
  const said = { ...read, reason: read.reason ?? reply.trim().slice(0, MAX_REASON) };
  const score = scoreOf(said, candidate);
  const isPass = score >= 0.5;
  const faults = [said.faults[candidate]].flat().flatMap(readIssue).slice(0, MAX_FAULTS);
  const messages = faults.length > 0 ? faults : [{ message: said.reason || `is worse than ${otherName}` }];
  return {
    outcome: isPass ? 'pass' : 'fail',
    score,
    issues: isPass ? [] : messages.map((issue) => ({ severity: 'major' as const, ...issue, evaluator })),
    suggestions: [],
    confidence: said.confidence ?? DEFAULT_CONFIDENCE,
    reason: said.reason,
  };
}

function scoreOf({ better, clear }: Preference, candidate: CandidatePlace): number {
  if (better === 'neither') return 0.5;
  const distance = clear ? 0.5 : 0.25;
  return better === candidate ? 0.5 + distance : 0.5 - distance;
}

const PREFERENCE: ReplyForm<Preference> = {
  fromJson: (value) => (isJsonObject(value) ? readPreference(value) : undefined),
  fromLines: preferenceInLines,
  roleOf,
  agree: (one, other) => one.better === other.better && one.clear === other.clear,
  isQuoteOf: (reading, shown) => reading.better === shown.better,
  isWhole: () => true,
  isFavourable: () => true,
  nothing: 'it does not say which one is better',
};

function readPreference(object: JsonObject): Preference | JudgeProblem | undefined {
  const { better: said = null, margin = null, reason, faults_first: first = [], faults_second: second = [] } = object;
  if (said === null) {
    const inner = Object.entries(object).flatMap(([name, each]) =>
      !isCalledQuote(name) && isJsonObject(each) && 'better' in each ? [each] : [],
    );
    return inner.length === 1 ? readPreference(inner[0]!) : undefined;
  }
  const better = placeOf(said);
  if (!better) return UNKNOWN_PLACE;
  const confidence = shareOf(object['confidence']);
  return {
    better,
    clear: isClear(margin),
    ...(typeof reason === 'string' && reason.trim() !== '' ? { reason: reason.trim().slice(0, MAX_REASON) } : {}),
    faults: { first, second },
    ...(confidence === undefined ? {} : { confidence }),
  };
}

const UNKNOWN_PLACE: JudgeProblem = { problem: 'it does not say clearly which one is better' };

function isClear(margin: Json): boolean {
  return typeof margin !== 'string' || !/\b(?:slight|slightly|small|narrow)\b/i.test(margin);
}

function placeOf(value: Json): Preference['better'] | undefined {
  const [, word, rest = ''] = typeof value === 'string' ? (PLACE.exec(value.slice(0, 1_000)) ?? []) : [];
  if (word === undefined || DOUBT.test(rest)) return undefined;
  const place = word.toLowerCase();
  return place === 'first' || place === 'second' ? place : 'neither';
}

function roleOf(line: ReplyLine): LineRole | undefined {
  const { name, value } = labelOf(line) ?? { name: '', value: '' };
  if (name === 'better' || name === 'margin') return { kind: 'field', key: name, value };
  return name === 'reason' || name === 'confidence' ? { kind: 'section', name, value } : undefined;
}

function preferenceInLines({ fields, sections }: LineBlock): Preference | JudgeProblem | undefined {
  const said = fields.get('better');
  if (said === undefined) return undefined;
  const better = placeOf(said);
  if (!better) return UNKNOWN_PLACE;
  const reason = sections.get('reason')?.join(' ').slice(0, MAX_REASON);
  return {
    better,
    clear: isClear(fields.get('margin') ?? null),
    ...(reason && { reason }),
    faults: { first: [], second: [] },
  };
}
