import type { BatchReport } from './contract';
import type { BatchLine, BatchProgress, BatchResult } from '../batch/contract/batch-results';
import { countLine, countEndedItems, NO_COUNTS, passRate } from '../batch/state/counts';
import { omitUndefined } from '../../lib/base/defined';
import { isJsonObject, type Json } from '../../lib/json/json';
import { type ChainRecord, type KnownRun, type ReportHead, textIn } from './run-report';

const MOST_LINES = 500;
const SCORE_RANGES = 10;

type Line = BatchReport['lines'][number];

/** The tally of the items of a batch, counted line by line: a batch may have hundreds of thousands. */
export class BatchTally {
  counts = NO_COUNTS;
  readonly reasons: Record<string, number> = {};
  readonly passedAt: Record<string, number> = {};
  readonly scores = Array.from({ length: SCORE_RANGES }, () => 0);
  items = 0;
  readonly #listed: Record<BatchLine['status'], Line[]> = { failed: [], not_passed: [], passed: [], not_started: [] };

  add({ output: _output, outputOmitted: _omitted, ...line }: BatchLine): void {
    const { status, reason, score, iterations } = line;
    this.items += 1;
    this.counts = countLine(this.counts, line);
    if (reason !== undefined) this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
    if (status === 'passed' && iterations !== undefined)
      this.passedAt[iterations] = (this.passedAt[iterations] ?? 0) + 1;
    if (typeof score === 'number') this.scores[Math.min(SCORE_RANGES - 1, Math.floor(score * SCORE_RANGES))]! += 1;
    if (this.#listed[status].length < MOST_LINES) this.#listed[status].push(line);
  }

  /** Lists the items in a report, the failed ones first. */
  get lines(): Line[] {
    const { failed, not_passed: notPassed, passed, not_started: notStarted } = this.#listed;
    return [...failed, ...notPassed, ...passed, ...notStarted].slice(0, MOST_LINES);
  }
}

function loopOf(argument: unknown): unknown {
  return isJsonObject(argument as Json) ? (argument as Record<string, unknown>)['loop'] : undefined;
}

/** The report of a batch. Without a result and an answer from its run, the counts are those of its lines. */
export function makeBatchReport(
  head: ReportHead,
  record: ChainRecord,
  { result, progress, failure }: KnownRun<BatchResult, BatchProgress>,
  tally: BatchTally,
): BatchReport {
  const counts = result ?? progress ?? tally.counts;
  const items = result?.items ?? progress?.items ?? tally.items;
  const isOver = head.endedAt !== undefined;
  const { passed, notPassed, failed, unjudged, warned, tokenUsage } = counts;
  const ended = countEndedItems(counts);
  const running = isOver ? undefined : progress?.running;
  const { lines } = tally;
  return omitUndefined({
    kind: 'batch' as const,
    ...head,
    name: textIn(record.argument, 'name'),
    task: textIn(loopOf(record.argument), 'task'),
    phase: isOver ? undefined : progress?.phase,
    failure,
    items,
    passed,
    notPassed,
    failed,
    unjudged,
    warned,
    notStarted: Math.max(0, items - ended - (running ?? 0)),
    running,
    passRate: passRate(counts),
    budgetSpent: (result ?? progress)?.budgetSpent ?? false,
    reasons: tally.reasons,
    passedAt: tally.passedAt,
    scores: tally.scores,
    lines,
    linesOmitted: Math.max(0, items - lines.length),
    tokenUsage,
    roles: ended === 0 ? [] : [{ role: 'child runs', activities: ended, tokenUsage }],
  });
}
