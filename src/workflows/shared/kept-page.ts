import { TemporalFailure } from '@temporalio/common';
import { isCancellation, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { jsonBytes } from '../../domain/base/json/json-bytes';
import { failureLine, hasRoomForPage, KEPT_PAGE_FIELD, keptPage } from '../../domain/page/kept-page';
import { noteSent } from './scheduling';

/**
 * Keeps what the page of a run says in the run's memo, where the server shows it without a worker. One event in history, and one
 * billable action, each time: only at the end of a run and where it waits for a person. See docs/decisions/a-page-that-lasts.md.
 */
export function keepPage(lines: readonly string[]): void {
  if (!hasRoomForPage(workflowInfo().memo)) return;
  upsertMemo({ [KEPT_PAGE_FIELD]: lines });
  noteSent(jsonBytes(lines));
}

/**
 * Says how a run ends that throws, for its kept page; undefined for what is no failure of Temporal's: the worker tries that task
 * again, and nothing that it did stays.
 */
export function failureText(error: unknown): string | undefined {
  if (isCancellation(error)) return 'the run was cancelled';
  return error instanceof TemporalFailure ? error.message : undefined;
}

/** Keeps the page of a run that ends with an error. @param page in Markdown */
export function keepFailedPage(error: unknown, page: string): void {
  const text = failureText(error);
  if (text !== undefined) keepPage(keptPage(`${failureLine(text)}\n\n${page}`));
}
