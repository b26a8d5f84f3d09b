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

/** Something that was learned. */
export interface NewInsight {
  text: string;
  /** Whose memory it is in. */
  agent: string;
  /** 0..1. */
  importance: number;
  /** Such as `reflection`, `plan`, `loop`. */
  type: string;
  /** The method that made the insight, such as `template`. */
  source: string;
  tags?: string[];
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; from then on it is not recalled any more. Default: never. */
  expiresAt?: string;
  provenance: Provenance;
}

/** An insight as it is kept. */
export interface Insight extends NewInsight {
  id: string;
  tags: string[];
}

/** An insight that was recalled, with what spoke for it. */
export interface RecalledInsight extends Insight {
  /** The weighted sum of the others. */
  score: number;
  /** 0..1 each. */
  recency: number;
  relevance: number;
}

/** How much each counts when memories are recalled (Park et al. 2023, "Generative Agents"). */
export interface RecallWeights {
  recency: number;
  importance: number;
  relevance: number;
}

export const EQUAL_WEIGHTS: RecallWeights = { recency: 1, importance: 1, relevance: 1 };

/** The end of the last year that ISO 8601 writes with four digits, in epoch milliseconds. */
const LATEST = Date.UTC(9999, 11, 31);

/** When something of that time (ISO 8601) expires that is recalled for so many milliseconds. */
export function expiryOf(createdAt: string, afterMs: number): string {
  return new Date(Math.min(Date.parse(createdAt) + afterMs, LATEST)).toISOString();
}
