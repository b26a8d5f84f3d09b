import { MOST_WAIVED } from '../base/command-payloads';
import { omitUndefined } from '../../lib/base/defined';
import { jsonBytes } from '../../lib/json/json-bytes';
import { cutText } from '../../lib/text/summary-text';
import type { Issue, Outcome } from '../contract/evaluation';
import type { Docket, Finding, Opposition, Repair } from '../state/docket';
import { issueIdentity } from '../state/evaluation';
import { changedWords, isOfRepair, isQuotedFrom, isReworded, plainText } from './quotes';

/** The most findings of a run. */
const MOST_FINDINGS = MOST_WAIVED;
/** Bytes of all findings as JSON: runs pass them on. */
const DOCKET_BYTES = 48 * 1024;
const MESSAGE_CHARACTERS = 400;
const QUOTE_CHARACTERS = 200;
/** The number of repairs that are remembered. */
const MOST_REPAIRS = 5;
/** The number of findings of one version that are looked at a second time; others count as they are. */
export const MOST_LOOKS = 2;

/** The answer of one judge that keeps the docket. */
export interface DocketAnswer {
  evaluator: string;
  outcome: Outcome;
  issues: readonly Issue[];
  /** Ids of the findings that are gone, as the judge says. */
  fixed: readonly string[];
  /** The texts that it judged before and that this one follows or was made from. */
  before: readonly string[];
}

/** The judgement of one output by the judges that keep the docket. */
export interface DocketJudgement {
  iteration: number;
  text: string;
  /** The text that it was made from. */
  base?: string | undefined;
  answers: readonly DocketAnswer[];
  /** Reasons for which the author did not repair findings, by id. */
  declined?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns whether a finding is a reason for another round after an iteration: it is open, and not a small fault that this
 * iteration's judge is the first to report, in text that was judged before.
 */
export function countsAsReason({ state, severity, isLate, firstSeen }: Finding, iteration: number): boolean {
  return state === 'open' && (severity !== 'minor' || !isLate || firstSeen < iteration);
}

/** Returns whether a finding waits for its second look. */
export function isDisputed({ state, upheld, against }: Finding): boolean {
  return state === 'contested' && upheld === undefined && against !== undefined;
}

/** Brings the docket to the judgement of another output: the new docket, and the issues of each answer with the ids of their findings. */
export function advanceDocket(
  docket: Docket = { findings: [], next: 1 },
  given: DocketJudgement,
): { docket: Docket; issues: Issue[][] } {
  const judgement = normalizeTexts(given);
  const fixed = docket.findings.map((finding) => withFix(finding, judgement));
  const repairs = [...(docket.repairs ?? []), ...repairOf(docket.findings, fixed, judgement)].slice(-MOST_REPAIRS);
  let next: Docket = { findings: fixed, next: docket.next, ...(repairs.length > 0 && { repairs }) };
  const issues = judgement.answers.map((answer) => {
    const named = new Map<string, Issue>();
    for (const issue of answer.issues) {
      const { docket: with1, finding } = withIssue(next, issue, answer, judgement);
      next = with1;
      // A judge that reports one fault twice has one finding.
      if (!named.has(finding.id)) named.set(finding.id, issueOf(issue, finding));
    }
    return [...named.values()];
  });
  return { docket: { ...next, findings: boundedFindings(limitLooks(next.findings)) }, issues };
}

function normalizeTexts(judgement: DocketJudgement): DocketJudgement {
  const { text, base, answers } = judgement;
  const plain = new Map<string, string>();
  const normalize = (each: string): string => {
    if (!plain.has(each)) plain.set(each, plainText(each));
    return plain.get(each)!;
  };
  return {
    ...judgement,
    text: normalize(text),
    base: base === undefined ? undefined : normalize(base),
    answers: answers.map((answer) => ({ ...answer, before: answer.before.map(normalize) })),
  };
}

function issueOf(issue: Issue, { id, identity, severity }: Finding): Issue {
  return omitUndefined({ ...issue, identity, severity: issue.severity ?? severity, finding: id });
}

/**
 * Returns the finding that an issue is: by the id that the judge names, or because it says the same in other words. The id of a finding
 * that a person waived or a second look dismissed is not enough: another fault under it would be lost.
 */
function findingOf({ findings }: Docket, issue: Issue, evaluator: string): Finding | undefined {
  const own = findings.filter((finding) => finding.evaluator === evaluator);
  const named = own.find(({ id }) => id === issue.finding);
  const isDismissed = named?.state === 'waived' || named?.state === 'contested';
  return named && !isDismissed ? named : own.find((finding) => isReworded(issue, finding));
}

function withFix(finding: Finding, { answers, text }: DocketJudgement): Finding {
  const answer = answers.find(({ evaluator }) => evaluator === finding.evaluator);
  if (!answer || finding.state !== 'open') return finding;
  if (answer.issues.some((issue) => issue.finding === finding.id || isReworded(issue, finding))) return finding;
  const { outcome, fixed } = answer;
  // Where the judge says nothing, the words that it quoted decide.
  const isGone = finding.quote !== undefined && !isQuotedFrom(finding.quote, text);
  return outcome === 'pass' || fixed.includes(finding.id) || isGone ? { ...finding, state: 'fixed' } : finding;
}

/** Returns the repair that fixed findings, if one change of a place did. */
function repairOf(
  before: readonly Finding[],
  after: readonly Finding[],
  { iteration, base, text }: DocketJudgement,
): Repair[] {
  const fixed = after.filter(({ state }, index) => state === 'fixed' && before[index]!.state === 'open');
  const words = fixed.length === 0 || base === undefined ? undefined : changedWords(base, text);
  return words ? [{ iteration, fixed: fixed.map(({ id }) => id), ...words }] : [];
}

/** Adds an issue to the docket, as the finding that it is or as a new one. */
function withIssue(
  docket: Docket,
  issue: Issue,
  { evaluator, outcome, before }: DocketAnswer,
  { iteration, text, declined = {} }: DocketJudgement,
): { docket: Docket; finding: Finding } {
  const known = findingOf(docket, issue, evaluator);
  const isLate = isQuotedFrom(issue.quote, text) && before.some((each) => isQuotedFrom(issue.quote, each));
  const seen: Finding = omitUndefined({
    ...(known ?? {
      id: `F${docket.next}`,
      evaluator,
      identity: issueIdentity(issue),
      message: cutText(issue.message, MESSAGE_CHARACTERS),
      state: 'open' as const,
      firstSeen: iteration,
      isLate: isLate ? (true as const) : undefined,
    }),
    quote: issue.quote === undefined ? known?.quote : cutText(issue.quote, QUOTE_CHARACTERS),
    severity: issue.severity ?? known?.severity,
    lastSeen: iteration,
  });
  const isNew = known?.state !== 'open';
  const reopened: Finding = seen.state === 'fixed' ? { ...seen, state: 'open' } : seen;
  const against = outcome === 'fail' ? oppositionTo(docket, reopened, issue, isNew, declined[seen.id]) : undefined;
  const finding = against ? contestFinding(docket, reopened, issue, against) : reopened;
  const findings = known
    ? docket.findings.map((each) => (each.id === finding.id ? finding : each))
    : [...docket.findings, finding];
  return { docket: { ...docket, findings, next: docket.next + (known ? 0 : 1) }, finding };
}

/** Returns what speaks against a finding that was not looked at a second time yet; undefined if nothing does. */
function oppositionTo(
  { findings, repairs = [] }: Docket,
  finding: Finding,
  issue: Issue,
  isNew: boolean,
  reason: string | undefined,
): Opposition | undefined {
  if (finding.state !== 'open' || finding.upheld !== undefined) return undefined;
  if (reason !== undefined) return { reason };
  const overruled = findings.find(({ upheld, against }) => upheld && against?.finding === finding.id);
  if (overruled) return { finding: overruled.id };
  const isFixed = (id: string | undefined): boolean =>
    findings.some((each) => each.id === id && each.id !== finding.id && each.state === 'fixed');
  if (isFixed(issue.contradicts)) return { finding: issue.contradicts! };
  // A small fault of new words is worth a repair, and no second look.
  const isGrave = isNew && finding.severity !== 'minor';
  const repair = isGrave ? repairs.findLast((each) => isOfRepair(issue.quote, each)) : undefined;
  const repaired = repair?.fixed.find(isFixed);
  return repaired === undefined ? undefined : { finding: repaired };
}

/** Contests a finding. The position that lost against one that a second look upheld is not looked at again in this run. */
function contestFinding({ findings }: Docket, finding: Finding, issue: Issue, against: Opposition): Finding {
  const upheld = findings.find((each) => each.id === against.finding && each.upheld);
  const loser = upheld && findings.find(({ id }) => id === upheld.against?.finding);
  const isDecided = loser !== undefined && (loser.id === finding.id || isReworded(issue, loser));
  return { ...finding, state: 'contested', against, ...(isDecided && { upheld: false }) };
}

/** Settles what a second look found, for the rest of the run. Without an answer, the finding counts as it is. */
export function decideDispute(docket: Docket, id: string, upheld: boolean | undefined): Docket {
  const findings = docket.findings.map((finding): Finding => {
    if (finding.id !== id) return finding;
    const { against: _against, ...undecided } = finding;
    if (upheld === undefined) return { ...undecided, state: 'open' };
    return { ...finding, state: upheld ? 'open' : 'contested', upheld };
  });
  return { ...docket, findings };
}

/** Leaves the gravest findings in dispute, as many as are looked at in one version; the others count as they are. */
function limitLooks(findings: readonly Finding[]): Finding[] {
  const disputed = findings.filter(isDisputed);
  const grave = [...disputed].sort((one, other) => rank(other) - rank(one)).slice(0, MOST_LOOKS);
  return findings.map((finding) => {
    if (!isDisputed(finding) || grave.includes(finding)) return finding;
    const { against: _against, ...undecided } = finding;
    return { ...undecided, state: 'open' };
  });
}

function rank({ severity }: Finding): number {
  return severity === 'critical' ? 2 : severity === 'minor' ? 0 : 1;
}

/**
 * Notes whether a judgement settles the loop: only judges that keep the docket rejected the output, and nothing that they still
 * report is a reason for another round.
 *
 * @param verdicts of all evaluators that judged
 */
export function settleDocket(
  docket: Docket,
  { iteration, answers }: Pick<DocketJudgement, 'iteration' | 'answers'>,
  verdicts: readonly { name: string; outcome: Outcome }[],
): Docket {
  const failed = verdicts.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);
  const isOurs = failed.length > 0 && failed.every((name) => answers.some(({ evaluator }) => evaluator === name));
  const { settled: _settled, ...rest } = docket;
  return isOurs && !docket.findings.some((finding) => countsAsReason(finding, iteration))
    ? { ...rest, settled: iteration }
    : rest;
}

/** Returns whether the loop has nothing left to do after an iteration: see `settleDocket`. */
export function isSettledAt(docket: Docket | undefined, iteration: number | undefined): boolean {
  return docket?.settled !== undefined && docket.settled === iteration;
}

/** Returns the place of a finding among those that are forgotten: what is fixed first, what is open and grave last. */
function keepRank({ state, severity }: Finding): number {
  if (state === 'fixed') return 0;
  if (state === 'contested') return 1;
  if (state === 'waived') return 3;
  return severity === 'minor' ? 2 : 4;
}

/** Forgets findings until the others have the number and the bytes that a run passes on, by `keepRank`, and the oldest first. */
function boundedFindings(findings: readonly Finding[]): Finding[] {
  const kept = [...findings];
  while (kept.length > MOST_FINDINGS || (kept.length > 0 && jsonBytes(kept) > DOCKET_BYTES)) {
    const least = Math.min(...kept.map(keepRank));
    kept.splice(
      kept.findIndex((finding) => keepRank(finding) === least),
      1,
    );
  }
  return kept;
}
