import type { Notify } from '../../../loop/base/notify';
import type { Ruled } from '../../../loop/base/rules';
import type { ListedRun } from '../../../lib/names/search-attributes';
import type { JsonObject } from '../../../lib/json/json';
import type { ReflectionSpec } from '../../../loop/contract/spec';
import type { BatchCounts, BatchLine } from '../contract/batch-results';

/** An item of a batch, for which one loop runs. */
export interface BatchItem {
  /** The index in the input, from 0. */
  index: number;
  /** Unique in the batch; ends the id of the loop's run. */
  id: string;
  /** Keys that are added to the state of the loop. */
  state: JsonObject;
}

/** The argument of `reflectionBatchPage`: some items of a batch. A page that continues as new gets what is left. */
export interface BatchPage {
  /** Workflow id of the batch. */
  batch: string;
  /** Number of the page, from 0. */
  page: number;
  loop: ReflectionSpec;
  /** The items to run. */
  items: BatchItem[];
  /** The results of the page's other items. */
  done: BatchLine[];
  /** The attempt, from 1; each retry of a batch adds one, so that its runs have ids of their own. */
  attempt: number;
}

/** The result of `prepareBatch`. */
export interface BatchPreparation extends ListedRun {
  /** Names in the loop that the worker knows, as `LookedUp` notes them. Default: none. */
  known?: string[];
  /** The time for which steps of the loop are retried, in milliseconds. */
  retryForMs: number;
  maximumOutputBytes?: number;
  storedFromBytes?: number;
  /** How the batch notifies of the waits of its items; false: it does not. Left out by older releases. */
  notify?: Notify | false;
}

/** The message of a batch to a page. */
export interface Grant extends Ruled {
  /** The number of the grant, from 1 for each page, so that a report can say which grant it knows. */
  number: number;
  /** Number of loops that the page may run at the same time; 0: it starts none. */
  slots: number;
  /** The number of ended items after which the page reports. */
  reportEvery: number;
  /** The preparation that its loops are started with. */
  preparation: Omit<BatchPreparation, keyof ListedRun>;
}

/** The message of a page to its batch. All numbers are totals, so a report replaces the one before. */
export interface PageReport {
  page: number;
  /** Number of the latest grant that the page had when it sent this. */
  grant: number;
  /** Items that are not started. */
  waiting: number;
  running: number;
  counts: BatchCounts;
}

/** The digest distinguishes pages of other items that were uploaded under the same id. */
export function pageId(batch: string, digest: string, page: number): string {
  return `${batch}/page-${digest}-${page + 1}`;
}

export function itemRunId({ batch, attempt }: Pick<BatchPage, 'batch' | 'attempt'>, id: string): string {
  return `${batch}/${id}${attempt > 1 ? `~${attempt}` : ''}`;
}
