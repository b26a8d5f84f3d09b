import type { CandidatePlace } from '../../domain/spec/evaluator-parts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/base/json/json';
import type { Judgement } from '../../domain/state/evaluation';
import { decided } from '../judgement';
import { readIssue, shareOf } from './judge-fields';
import { DEFAULT_CONFIDENCE } from './judge-reply';
import { type ReplyContext, readReply, type ReplyForm } from '../replies/candidates';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import { objectsWith } from '../replies/quoted-names';
import { isProblem, type JudgeProblem } from '../replies/problem';
import type { ReplyLine } from '../replies/reply-lines';

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
const SLIGHT = /\b(?:slight|slightly|small|narrow)\b/i;
const MAX_REASON = 1_000;
const MAX_FAULTS = 50;

/** Reads which of two outputs a judge prefers, from the candidate's side: 1 is a clear win, 0.5 a tie, 0 a clear loss. */
export function readComparison(
  reply: string,
  candidate: CandidatePlace,
  otherName: string,
  evaluator: string,
  asked: ReplyContext = {},
): Judgement | JudgeProblem {
  const read = readReply(reply, PREFERENCE, asked);
  if (isProblem(read)) return read;
  const { reason = reply.trim().slice(0, MAX_REASON), confidence = DEFAULT_CONFIDENCE } = read;
  const score = scoreOf(read, candidate);
  if (score >= 0.5) return decided(true, { score, confidence, reason });
  const faults = [read.faults[candidate]].flat().flatMap(readIssue).slice(0, MAX_FAULTS);
  const messages = faults.length > 0 ? faults : [{ message: reason || `is worse than ${otherName}` }];
  const issues = messages.map((issue) => ({ severity: 'major' as const, ...issue, evaluator }));
  return decided(false, { score, issues, confidence, reason });
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
  const { better: said = null, margin = null, reason, confidence } = object;
  if (said === null) {
    const inner = objectsWith(object, 'better');
    return inner.length === 1 ? readPreference(inner[0]!) : undefined;
  }
  const { faults_first: first = [], faults_second: second = [] } = object;
  return preferenceFor(said, margin, {
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, MAX_REASON) : undefined,
    faults: { first, second },
    confidence: shareOf(confidence),
  });
}

function preferenceFor(
  said: Json,
  margin: Json,
  more: Pick<Preference, 'reason' | 'faults' | 'confidence'>,
): Preference | JudgeProblem {
  const better = placeOf(said);
  if (!better) return { problem: 'it does not say clearly which one is better' };
  return { better, clear: typeof margin !== 'string' || !SLIGHT.test(margin), ...more };
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
  const reason = sections.get('reason')?.join(' ').slice(0, MAX_REASON) || undefined;
  return preferenceFor(said, fields.get('margin') ?? null, { reason, faults: { first: [], second: [] } });
}
