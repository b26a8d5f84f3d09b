import { addUsage, NO_USAGE } from '../base/tokens';
import type { BatchCounts, BatchLine } from './batch';

export const NO_COUNTS: BatchCounts = { passed: 0, notPassed: 0, failed: 0, tokenUsage: NO_USAGE };

export function addCounts(first: BatchCounts, second: BatchCounts): BatchCounts {
  return {
    passed: first.passed + second.passed,
    notPassed: first.notPassed + second.notPassed,
    failed: first.failed + second.failed,
    tokenUsage: addUsage(first.tokenUsage, second.tokenUsage),
  };
}

/** Counts a line in. */
export function countLine(counts: BatchCounts, { status, tokenUsage }: BatchLine): BatchCounts {
  return {
    passed: counts.passed + (status === 'passed' ? 1 : 0),
    notPassed: counts.notPassed + (status === 'not_passed' ? 1 : 0),
    failed: counts.failed + (status === 'failed' ? 1 : 0),
    tokenUsage: addUsage(counts.tokenUsage, tokenUsage),
  };
}

/** Number of items that ended. */
export function endedItems({ passed, notPassed, failed }: BatchCounts): number {
  return passed + notPassed + failed;
}

/** Share of the items with a loop that ended that passed; null if none ended. Items whose run failed count as not passed. */
export function passRate(counts: BatchCounts): number | null {
  const ended = endedItems(counts);
  return ended === 0 ? null : counts.passed / ended;
}
