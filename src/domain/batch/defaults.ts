/** Runs of a batch at once. */
export const DEFAULT_CONCURRENCY = 20;

/** Items of one page of a batch: the results of its runs stand in one history. */
export const MOST_PAGE_ITEMS = 100;

/** Pages of a batch. */
export const MOST_PAGES = 2_000;

/** Runs of a batch at once. */
export const MOST_CONCURRENT = 500;
