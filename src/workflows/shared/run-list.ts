import { defineSearchAttributeKey, type SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { type ListedRun, SEARCH_ATTRIBUTES } from '../../lib/names/search-attributes';
import type { RunStatus } from '../../loop/state/success';
import { localActivities } from './activity-proxies';
import { now } from './clock';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');

/** For how long it is believed that the namespace has the search attributes. */
const BELIEVED_MS = 10 * 60_000;

/** Whole minutes: the time travels to the next run, and the clock of a replay may differ, see `clock.ts`. */
function thisMinute(): number {
  return Math.floor(now() / 60_000) * 60_000;
}

/** Sets search attributes that the start of the run, or the run before it, has not set to these values. */
function upsert(attributes: SearchAttributeUpdatePair[]): void {
  const { typedSearchAttributes: present } = workflowInfo();
  const changed = attributes.filter(({ key, value }) => present.get(key) !== value);
  if (changed.length > 0) upsertSearchAttributes(changed);
}

/**
 * The search attributes of a run in the run list: one event in history for each change. A server refuses the task of a run
 * that sets an attribute which is no longer there, until it is there again. So after a while a worker is asked again before
 * one is set, by a run that waited, and by a task that was refused and is tried again.
 */
export class RunList {
  readonly #preparation: ListedRun;
  #latest: SearchAttributeUpdatePair[] = [];
  #asking: Promise<void> | undefined;

  constructor(preparation: ListedRun) {
    this.#preparation = preparation;
    preparation.searchAttributesAt ??= thisMinute();
  }

  set(attributes: SearchAttributeUpdatePair[]): void {
    const { searchAttributes, searchAttributesAt = 0 } = this.#preparation;
    if (!searchAttributes) return;
    if (now() - searchAttributesAt <= BELIEVED_MS) {
      upsert(attributes);
      return;
    }
    this.#latest = attributes;
    this.#asking ??= this.#ask();
  }

  /** Sets the status of a run that has no other search attribute. */
  setStatus(status: RunStatus): void {
    this.set([{ key: STATUS, value: status }]);
  }

  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** Waits until the latest attributes are set: a run that ends before that ends without them. */
  async waitUntilSet(): Promise<void> {
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { hasSearchAttributes } = localActivities({ startToCloseTimeout: '10s', retry: { maximumAttempts: 3 } });
    // Without them, only the list of runs shows less.
    const isThere = await hasSearchAttributes({}).catch(() => false);
    this.#preparation.searchAttributes = isThere;
    this.#preparation.searchAttributesAt = thisMinute();
    this.#asking = undefined;
    if (isThere) upsert(this.#latest);
  }
}
