import { TemporalFailure } from '@temporalio/common';
import { isCancellation, setCurrentDetails, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { boundedText, FAILURE_CHARACTERS } from '../../loop/evaluation/bounded';
import { jsonBytes } from '../../lib/json/json-bytes';
import {
  renderFailureLine,
  hasRoomForPage,
  KEPT_PAGE_FIELD,
  renderKeptPage,
  renderRetryLine,
} from '../../loop/page/kept-page';
import { noteSent } from './scheduling';

interface Page {
  text: string;
  /** Why checks are made again, by what they are called. */
  retries: Map<string, string>;
  /** Whether the workflow is one of ours; undefined in a user's own workflow, whose details are its own. */
  isOurs?: boolean;
}

/** The name of a property of the run's own global object: modules are shared by all runs of a worker, see docs/decisions/shared-workflow-code.md. */
const KEY = '__durableReflectionPage';

function pageOfRun(): Page {
  const own = globalThis as { [KEY]?: Page };
  return (own[KEY] ??= { text: '', retries: new Map() });
}

function show({ text, retries }: Page): void {
  setCurrentDetails(
    [...Array.from(retries.values(), renderRetryLine), text].filter((part) => part !== '').join('\n\n'),
  );
}

export function markOwnPage(): void {
  pageOfRun().isOurs = true;
}

export function showPage(text: string): void {
  const ours = pageOfRun();
  ours.text = text;
  show(ours);
}

/** Notes on the page why a check is made again; undefined once it is not made again any more. */
export function noteRetry(what: string, why?: string): void {
  const ours = pageOfRun();
  if (why === undefined ? !ours.retries.delete(what) : ours.retries.get(what) === why) return;
  if (why !== undefined) ours.retries.set(what, why);
  if (ours.isOurs) show(ours);
}

export function withRetry<Progress extends object>(progress: Progress): Progress & { retrying?: string } {
  const [retrying] = pageOfRun().retries.values();
  return retrying === undefined ? progress : { ...progress, retrying: boundedText(retrying, FAILURE_CHARACTERS) };
}

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
 * Says how a run ends that throws, for its kept page; undefined for an error that is not a failure of Temporal's: the worker
 * tries that task again, and nothing that it did stays.
 */
export function failureText(error: unknown): string | undefined {
  if (isCancellation(error)) return 'the run was cancelled';
  return error instanceof TemporalFailure ? error.message : undefined;
}

export function keepFailedPage(error: unknown, page: string): void {
  const text = failureText(error);
  if (text !== undefined) keepPage(renderKeptPage(`${renderFailureLine(text)}\n\n${page}`));
}
