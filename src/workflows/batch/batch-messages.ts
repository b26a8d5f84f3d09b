import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { BatchProgress } from '../../kinds/batch/contract/batch-results';

/** Starts no further item until `resume`; loops that run go on. Returns the progress. */
export const pauseUpdate = defineUpdate<BatchProgress>('pause');
/** Starts items again. Returns the progress. */
export const resumeUpdate = defineUpdate<BatchProgress>('resume');
export const batchProgressQuery = defineQuery<BatchProgress>('progress');

export const MESSAGES = {
  pause: 'Start no further item; loops that run go on.',
  resume: 'Start items again.',
  progress: 'Where the batch stands.',
} as const;
