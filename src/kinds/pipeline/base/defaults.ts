/** The most nodes of a pipeline: each leaves its events, and its share of the state, in the one history of the run. */
export const MAXIMUM_NODES = 100;

export const MOST_EDGES = 1_000;
