import type { PublishedShapes } from '../../../lib/contract/published';
import { batchSpec } from '../contract/batch';
import { batchLine, batchProgress, batchResult } from '../contract/batch-results';

export const listBatchShapes = (): PublishedShapes => ({
  'batch-spec': ['BatchSpec', 'The argument of reflectionBatch; `client.batches.start` makes it.', batchSpec],
  'batch-result': ['BatchResult', 'The result of reflectionBatch.', batchResult],
  'batch-progress': [
    'BatchProgress',
    'The answer to the query `progress` of reflectionBatch, and to its updates.',
    batchProgress,
  ],
  'batch-line': ['BatchLine', 'The result of an item of a batch.', batchLine],
});
