import type { CandidatePlace } from '../../loop/spec/evaluator-parts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import type { Judgement } from '../../loop/state/evaluation';
import { makeJudgement } from '../judgement';
import { collectText, readIssue, shareOf } from './judge-fields';
import { DEFAULT_CONFIDENCE } from './judge-reply';
import { findWrapped, isProblem, type JudgeProblem, mayBeVerdict, takesBack, words } from '../replies/words';
import { readReply, type ReplyContext, type ReplyForm } from '../replies/candidates';
import { labelOf, type LineBlock, type LineRole } from '../replies/line-blocks';
import type { ReplyLine } from '../replies/reply-lines';

interface Preference {
  better: 'first' | 'second' | 'neither';
  clear: boolean;
  reason?: string;
  faults: Record<CandidatePlace, Json>;
  confidence?: number;
  /** Something beside it may be another preference. */
  isDoubtful?: boolean;
}

const PLACE = /^[\s*_`"'.]*(?:the )?(first|second|neither)[\s*_`"'.!]*$/i;
/** The maximum length of a preference, in characters: a longer text says something else, too. */
const LONGEST_PLACE = 100;
const SLIGHT = /\b(?:slight|slightly|small|narrow)\b/i;
const KNOWN = words('code reason better margin confidence faults_first faults_second');
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
  const form: ReplyForm<Preference> = {
    fromJson: (value) => (isJsonObject(value) ? readPreference(value) : undefined),
    fromLines: preferenceInLines,
    roleOf,
    agree: (one, other) => one.better === other.better && one.clear === other.clear,
    isWhole: () => true,
    isFavourable: (preference) => scoreOf(preference, candidate) >= 0.5,
    isDoubtful: ({ isDoubtful }) => isDoubtful === true,
    nothing: 'it does not say which one is better',
  };
  const read = readReply(reply, form, asked);
  if (isProblem(read)) return read;
  const { reason = reply.trim().slice(0, MAX_REASON), confidence = DEFAULT_CONFIDENCE } = read;
  const score = scoreOf(read, candidate);
  if (score >= 0.5) return makeJudgement(true, { score, confidence, reason });
  const faults = [read.faults[candidate]].flat().flatMap(readIssue).slice(0, MAX_FAULTS);
  const messages = faults.length > 0 ? faults : [{ message: reason || `is worse than ${otherName}` }];
  const issues = messages.map((issue) => ({ severity: 'major' as const, ...issue, evaluator }));
  return makeJudgement(false, { score, issues, confidence, reason });
}

function scoreOf({ better, clear }: Preference, candidate: CandidatePlace): number {
  if (better === 'neither') return 0.5;
  const distance = clear ? 0.5 : 0.25;
  return better === candidate ? 0.5 + distance : 0.5 - distance;
}

function readPreference(object: JsonObject): Preference | JudgeProblem | undefined {
  const { better: said = null, margin = null, reason = null, confidence } = object;
  if (said === null) {
    const wrapped = findWrapped(object);
    const read = wrapped && readPreference(wrapped.inner);
    const isDoubtful = Object.values(wrapped?.others ?? {}).some(mayBeVerdict);
    return !read || isProblem(read) || !isDoubtful ? read : { ...read, isDoubtful };
  }
  const others = Object.entries(object).filter(([key]) => !KNOWN.has(key));
  const isDoubtful = others.some(([, other]) => mayBeVerdict(other));
  const { faults_first: first = [], faults_second: second = [] } = object;
  return preferenceFor(said, margin, {
    reason: (collectText(reason) || collectText(Object.fromEntries(others))).slice(0, MAX_REASON) || undefined,
    faults: { first, second },
    confidence: shareOf(confidence),
    isDoubtful,
  });
}

function preferenceFor(
  said: Json,
  margin: Json,
  more: Omit<Preference, 'better' | 'clear'>,
): Preference | JudgeProblem {
  const better = placeOf(said);
  if (!better) return { problem: 'it does not say clearly which one is better' };
  const isDoubtful = more.isDoubtful === true || takesBack(more.reason ?? '');
  return { better, clear: typeof margin !== 'string' || !SLIGHT.test(margin), ...more, isDoubtful };
}

function placeOf(value: Json): Preference['better'] | undefined {
  const isShort = typeof value === 'string' && value.length <= LONGEST_PLACE;
  const [, place] = isShort ? (PLACE.exec(value) ?? []) : [];
  return place?.toLowerCase() as Preference['better'] | undefined;
}

function roleOf(line: ReplyLine): LineRole | undefined {
  const { name, value } = labelOf(line) ?? { name: '', value: '' };
  if (name === 'better' || name === 'margin') return { kind: 'field', key: name, value };
  return name === 'reason' || name === 'confidence' ? { kind: 'section', name, value, isList: false } : undefined;
}

function preferenceInLines({ fields, sections }: LineBlock): Preference | JudgeProblem | undefined {
  const said = fields.get('better');
  if (said === undefined) return undefined;
  const reason = sections.get('reason')?.join(' ').slice(0, MAX_REASON) || undefined;
  return preferenceFor(said, fields.get('margin') ?? null, { reason, faults: { first: [], second: [] } });
}
