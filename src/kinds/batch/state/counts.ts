import { addUsage, NO_USAGE } from '../../../lib/base/tokens';
import type { BatchCounts, BatchLine } from '../contract/batch-results';

/** The type of the error of an item whose output no evaluator could judge. */
export const UNJUDGED = 'Unjudged';

export const NO_COUNTS: BatchCounts = { passed: 0, notPassed: 0, failed: 0, tokenUsage: NO_USAGE };

export function addCounts(first: BatchCounts, second: BatchCounts): BatchCounts {
  return {
    passed: first.passed + second.passed,
    notPassed: first.notPassed + second.notPassed,
    failed: first.failed + second.failed,
    ...countsAboveZero({
      unjudged: (first.unjudged ?? 0) + (second.unjudged ?? 0),
      warned: (first.warned ?? 0) + (second.warned ?? 0),
    }),
    tokenUsage: addUsage(first.tokenUsage, second.tokenUsage),
  };
}

function countsAboveZero({ unjudged, warned }: { unjudged: number; warned: number }): Partial<BatchCounts> {
  return { ...(unjudged > 0 && { unjudged }), ...(warned > 0 && { warned }) };
}

export function countLine(counts: BatchCounts, { status, error, warnings, tokenUsage }: BatchLine): BatchCounts {
  return {
    passed: counts.passed + (status === 'passed' ? 1 : 0),
    notPassed: counts.notPassed + (status === 'not_passed' ? 1 : 0),
    failed: counts.failed + (status === 'failed' ? 1 : 0),
    ...countsAboveZero({
      unjudged: (counts.unjudged ?? 0) + (status === 'failed' && error?.type === UNJUDGED ? 1 : 0),
      warned: (counts.warned ?? 0) + (warnings === undefined ? 0 : 1),
    }),
    tokenUsage: addUsage(counts.tokenUsage, tokenUsage),
  };
}

export function countEndedItems({ passed, notPassed, failed }: BatchCounts): number {
  return passed + notPassed + failed;
}

/** Null if none ended. Items whose run failed count as not passed; items that no evaluator could judge do not count. */
export function passRate(counts: BatchCounts): number | null {
  const counted = countEndedItems(counts) - (counts.unjudged ?? 0);
  return counted === 0 ? null : counts.passed / counted;
}
