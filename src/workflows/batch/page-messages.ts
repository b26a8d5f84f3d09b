import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { Grant, PageReport } from '../../kinds/batch/state/batch';
import type { BatchLines } from '../../kinds/batch/contract/batch-results';

// Messages between a batch and its pages: no other caller sends them.

export const reportSignal = defineSignal<[PageReport]>('report');
export const grantSignal = defineSignal<[Grant]>('grant');
export const finishPageSignal = defineSignal('finish');
export const linesQuery = defineQuery<BatchLines>('lines');

export const PAGE_MESSAGES = {
  report: 'A page of the batch says where it stands. Only pages send it.',
  waiting: 'An item of the batch waits for a person. Only its loop sends it.',
  grant: 'How many loops the page may run at the same time. Only the batch sends it.',
  finish: 'No further item is started, and the page ends.',
  lines: 'The results of the items of the page so far.',
} as const;
