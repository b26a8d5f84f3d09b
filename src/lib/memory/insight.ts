/**
 * The origin of an insight. Tenant, run, iteration and kind together are written once, however often the write is repeated.
 */
export interface Provenance {
  workflowId: string;
  /** The first run of the chain: the same for all runs that continued as new. */
  run: string;
  /** The iteration of a loop, the attempt of a plan, or the number of an agents' event. */
  iteration: number;
  /** The kind of the insight, which distinguishes insights of one iteration. */
  kind: string;
}

/** An insight to be stored. */
export interface NewInsight {
  text: string;
  /** The agent whose memory it is in. */
  agent: string;
  /** 0..1. */
  importance: number;
  /** The type of the insight, such as `reflection`, `plan`, `loop`. */
  type: string;
  /** The method that made the insight, such as `template`. */
  source: string;
  tags?: string[];
  /** ISO 8601. */
  createdAt: string;
  /** The time (ISO 8601) from which it is no longer recalled. Default: never. */
  expiresAt?: string;
  provenance: Provenance;
}

/** A stored insight. */
export interface Insight extends NewInsight {
  id: string;
  tags: string[];
}

/** An insight that was recalled, with the values that it was ranked by. */
export interface RecalledInsight extends Insight {
  /** The weighted sum of the other values. */
  score: number;
  /** 0..1 each. */
  recency: number;
  relevance: number;
}

/** The weights of the values that recalled memories are ranked by (Park et al. 2023, "Generative Agents"). */
export interface RecallWeights {
  recency: number;
  importance: number;
  relevance: number;
}

export const EQUAL_WEIGHTS: RecallWeights = { recency: 1, importance: 1, relevance: 1 };

/** The end of the last year that ISO 8601 writes with four digits, in epoch milliseconds. */
const LATEST = Date.UTC(9999, 11, 31);

export function computeExpiry(createdAt: string, afterMs: number): string {
  return new Date(Math.min(Date.parse(createdAt) + afterMs, LATEST)).toISOString();
}
