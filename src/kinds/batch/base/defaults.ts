export const DEFAULT_CONCURRENCY = 20;

/** The most items of one batch page: the results of its runs are in one history. */
export const MOST_PAGE_ITEMS = 100;

export const MOST_PAGES = 2_000;

export const MOST_CONCURRENT = 500;
