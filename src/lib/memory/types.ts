import type { Insight, NewInsight, RecalledInsight, RecallWeights } from './insight';

export interface StoredInsight {
  id: string;
  /** False: the insight existed already, and stays as it was first written. */
  isNew: boolean;
}

/** Whose memory is used. Insights of one tenant never reach another. */
export interface MemoryOwner {
  tenant: string;
  agent: string;
}

export interface RecallRequest extends MemoryOwner {
  /** The subject that the insights should be about. Default: recency and importance decide. */
  query?: string;
  /** Maximum number of insights. */
  limit: number;
  /** Weights of recency, importance and relevance. Default: those of the memory. */
  weights?: Partial<RecallWeights>;
  /** The time from which recency is measured. Default: now. */
  at?: Date;
  /**
   * False: the embedding model is not called, and relevance compares words. Default: the embedding model, if there is
   * one, is called once.
   */
  embed?: boolean;
  /** Cancels that call. */
  signal?: AbortSignal;
}

/** Options of a write. */
export type StoreOptions = Pick<RecallRequest, 'embed' | 'signal'>;

/** Turns texts into vectors. The more similar the meaning of two texts, the closer their vectors. */
export interface Embedder {
  /** Only vectors of the same model are compared. */
  readonly model: string;
  /** Returns a vector for each text, in their order, with one call. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[])[]>;
}

export interface ListRequest {
  tenant: string;
  /** Default: every agent of the tenant. */
  agent?: string;
  limit: number;
}

/** Which insights to forget: at least one field besides the tenant. */
export interface ForgetRequest {
  tenant: string;
  id?: string;
  agent?: string;
  /** Insights that were learned before this time. */
  before?: Date;
}

/** Insights that outlive the runs that learned them. */
export interface Memory {
  /** Writes insights, each at most once by its tenant, run, iteration and kind. Returns the results in their order. */
  store(tenant: string, insights: readonly NewInsight[], options?: StoreOptions): Promise<StoredInsight[]>;
  /** Returns the most relevant insights, best first. */
  recall(request: RecallRequest): Promise<RecalledInsight[]>;
  /** Returns insights, the latest first. */
  list(request: ListRequest): Promise<Insight[]>;
  /**
   * Returns how many insights were forgotten. A late retry does not bring them back.
   *
   * @throws TypeError if no field but the tenant is given
   */
  forget(request: ForgetRequest): Promise<number>;
  /**
   * Gives vectors to insights of a tenant that have none of the embedder's model (those from before there was one, or
   * of another model), the latest first, up to `limit`. Returns how many got one.
   *
   * @throws TypeError for a memory without an embedder; any error of the embedder
   */
  embed(request: { tenant: string; limit: number; signal?: AbortSignal }): Promise<number>;
  close(): Promise<void>;
}

export interface MemoryOptions {
  weights?: Partial<RecallWeights>;
  /** Milliseconds after which recency counts half. Default: 30 days. */
  recencyHalfLifeMs?: number;
  /** Maximum number of insights of an agent; unimportant and old ones are removed first. Default 10000. */
  maxPerAgent?: number;
  /**
   * Milliseconds after its `createdAt` after which an insight without an expiry of its own is not recalled any more.
   * Default: never.
   */
  expiresAfterMs?: number;
  /** Measures relevance. Default: none; relevance compares words. */
  embedder?: Embedder;
  /** Receives the error if the embedder failed. Insights are then stored without a vector, and recalled by words. */
  onEmbeddingFailure?(error: unknown): void;
}
