import { z } from 'zod';
import type { Infer } from '../../../lib/contract/infer';
import { count, json, optional, retrying, share, tokenUsage } from '../../../lib/contract/values';

// Results of batches; they may gain fields.

const itemStatus = z.enum(['passed', 'not_passed', 'failed', 'not_started']);
/** The result of an item. */
export type ItemStatus = z.infer<typeof itemStatus>;

export const batchLine = z.object({
  index: count.describe('Place of the item in the input, from 0.'),
  id: z.string().describe("The item's `id`; without one, its number from 1."),
  status: itemStatus.describe(
    '`passed`: its loop succeeded. `not_passed`: its loop ended without a good enough version. `failed`: its run failed, or nobody could judge its output (`error.type` is `Unjudged`). `not_started`: the batch ended before.',
  ),
  workflowId: optional(z.string(), "Id of the loop's run; absent if it was not started."),
  output: optional(json, 'The final output.'),
  outputOmitted: optional(
    z.literal(true),
    'The output was too large for the page. `client.batches.results` reads it from the run, as long as the server keeps that.',
  ),
  score: optional(z.number().nullable(), 'Overall score of the final version, 0 to 1; null if nobody could judge it.'),
  reason: optional(z.string(), 'Why the loop ended.'),
  iterations: optional(count, 'Number of versions.'),
  tokenUsage: optional(tokenUsage, 'Tokens and cost of the run.'),
  warnings: optional(
    z.array(z.string()),
    'Warnings of its loop, the first few, such as a key that a prompt reads and the item lacks. Left out: none.',
  ),
  error: optional(
    z.object({ type: z.string().describe('Type of the failure.'), message: z.string().describe('What happened.') }),
    'Why the run failed, or why nobody could judge its output.',
  ),
});

/** The result of one item. */
export interface BatchLine extends Infer<typeof batchLine> {}

export const batchCounts = z.object({
  passed: count.describe('Items whose loop succeeded.'),
  notPassed: count.describe('Items whose loop ended without a good enough version.'),
  failed: count.describe('Items whose run failed, and items whose output nobody could judge.'),
  unjudged: optional(
    count,
    'Number of the failed items whose output nobody could judge. They have no part in the pass rate. Absent: none.',
  ),
  warned: optional(count, 'Items with warnings, whatever their status. Left out: none.'),
  tokenUsage: tokenUsage.describe('Tokens and cost of all runs that ended.'),
});

/** Counts of the items so far. */
export interface BatchCounts extends Infer<typeof batchCounts> {}

const phase = z.enum(['preparing', 'running', 'paused', 'finishing', 'done']);
export type BatchPhase = z.infer<typeof phase>;

export const batchProgress = batchCounts.extend({
  phase: phase.describe('What the batch is doing.'),
  items: count.describe('Number of items.'),
  running: count.describe('Items whose loop runs now.'),
  budgetSpent: z.boolean().describe('Whether the budget is spent: no further item is started.'),
  startedAt: z.iso.datetime().describe('When the batch began, ISO 8601.'),
  retrying,
});

/** The answer to the query `progress`. */
export interface BatchProgress extends Infer<typeof batchProgress> {}

export const batchResult = batchCounts.extend({
  items: count.describe('Number of items.'),
  notStarted: count.describe('Items that were not started, because the budget was spent.'),
  passRate: share
    .nullable()
    .describe(
      'Share of the items with a loop that ended that passed, without unjudged ones, 0 to 1; null if there are none.',
    ),
  budgetSpent: z.boolean().describe('Whether the budget was spent.'),
  executionTime: z.number().min(0).describe('Milliseconds from start to end.'),
});

/** The result of `reflectionBatch`. The results of the items are in its pages. */
export interface BatchResult extends Infer<typeof batchResult> {}

export const batchLines = z.object({
  lines: z.array(batchLine).describe('Results of the items of the page, in the order of the input.'),
});

/** The result of a page, and the answer to its query `lines`. */
export interface BatchLines extends Infer<typeof batchLines> {}
