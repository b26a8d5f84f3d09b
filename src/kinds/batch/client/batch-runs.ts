import { requireValid, RunKind } from '../../../calls/run-kind';
import type { BatchSpec } from '../contract/batch';
import type { BatchProgress, BatchResult } from '../contract/batch-results';
import { renderBatchLine } from '../page/batch-page';
import { parseBatch } from '../parse/batch';

export const batchRuns = new RunKind<BatchSpec, BatchResult, BatchProgress>({
  type: 'reflectionBatch',
  prefix: 'batch',
  listedAs: 'other',
  methods: { start: 'batches.start', result: 'batches.result', progress: 'batches.progress' },
  parse: (given) => requireValid(parseBatch(given)).spec,
  summary: renderBatchLine,
});
