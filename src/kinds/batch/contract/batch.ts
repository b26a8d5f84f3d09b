import { z } from 'zod';
import { DEFAULT_CONCURRENCY, MOST_CONCURRENT, MOST_PAGE_ITEMS, MOST_PAGES } from '../base/defaults';
import type { Infer } from '../../../lib/contract/infer';
import { addJsonSchemaHints } from '../../../lib/contract/json-schema-hints';
import { budget } from '../../../loop/contract/loop-options';
import { loopSpec, type ReflectionSpec } from '../../../loop/contract/spec';
import { jsonObject, nameText, optional } from '../../../lib/contract/values';

const loopPart = z.custom<ReflectionSpec>();
addJsonSchemaHints(loopPart, { forms: () => [loopSpec] });

export const batchBudget = budget.pick({ tokens: true, usd: true });

/** The budget that all runs of a batch share. */
export interface BatchBudget extends Infer<typeof batchBudget> {}

export const batchSpec = z.strictObject({
  name: optional(nameText, 'What the batch is called in lists.'),
  loop: loopPart.describe('The loop that is run for each item. Fields of the item are added to its `state`.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits')
    .describe('Identifies the items and the loop. It is part of the ids of the pages.'),
  pages: z
    .array(z.int().min(1).max(MOST_PAGE_ITEMS))
    .min(1)
    .max(MOST_PAGES)
    .describe('Number of items of each page, in order. The pages are runs of `reflectionBatchPage`, started before.'),
  first: optional(jsonObject, 'State of the first item: the loop is checked with it before anything runs.'),
  concurrency: optional(
    z.int().min(1).max(MOST_CONCURRENT),
    'Number of loops that run at the same time.',
    DEFAULT_CONCURRENCY,
  ),
  budget: optional(batchBudget, 'When it is spent, no further item is started. Default: no limit.'),
});

/** The argument of `reflectionBatch`. */
export interface BatchSpec extends Infer<typeof batchSpec> {}
