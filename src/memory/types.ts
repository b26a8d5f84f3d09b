import type { Insight, NewInsight, RecalledInsight, RecallWeights } from '../domain/memory/insight';

export interface StoredInsight {
  id: string;
  /** False: it was there already, and stays as it was first written. */
  isNew: boolean;
}

/** Whose memory is meant. Nothing of one tenant ever reaches another. */
export interface MemoryOwner {
  tenant: string;
  agent: string;
}

export interface RecallRequest extends MemoryOwner {
  /** What it should be about; without it, recency and importance decide. */
  query?: string;
  /** Insights at most. */
  limit: number;
  /** Default: those of the memory. */
  weights?: Partial<RecallWeights>;
  /** The time that recency is measured at. Default: now. */
  at?: Date;
  /** False: a model of embeddings is not asked, and the words decide. Default: where there is one, it is asked, in one call. */
  embed?: boolean;
  /** Ends that call. */
  signal?: AbortSignal;
}

/** What may be said of a write. */
export type StoreOptions = Pick<RecallRequest, 'embed' | 'signal'>;

/** Turns texts into vectors, which are the closer the more alike the texts are in meaning. */
export interface Embedder {
  /** Vectors of one model are compared, and no others. */
  readonly model: string;
  /** One for each text, in their order, by one call. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly (readonly number[])[]>;
}

export interface ListRequest {
  tenant: string;
  /** Default: every agent of the tenant. */
  agent?: string;
  limit: number;
}

/** What is to be forgotten: at least one of these beside the tenant. */
export interface ForgetRequest {
  tenant: string;
  id?: string;
  agent?: string;
  /** What was learned before. */
  before?: Date;
}

/** Insights that outlive the runs that won them. */
export interface Memory {
  /** Writes insights, each at most once by its tenant, run, iteration and kind. Answers in their order. */
  store(tenant: string, insights: readonly NewInsight[], options?: StoreOptions): Promise<StoredInsight[]>;
  /** The insights that matter most now, best first. */
  recall(request: RecallRequest): Promise<RecalledInsight[]>;
  /** The latest first. */
  list(request: ListRequest): Promise<Insight[]>;
  /** Says how many were forgotten. A late retry does not bring them back. @throws TypeError when nothing is named */
  forget(request: ForgetRequest): Promise<number>;
  /**
   * Gives vectors to insights of a tenant that have none of the embedder's model, the latest first, as many as are asked for: to
   * those of before there was one, and of another. Says how many got one.
   *
   * @throws TypeError for a memory without an embedder; whatever the embedder throws
   */
  embed(request: { tenant: string; limit: number; signal?: AbortSignal }): Promise<number>;
  close(): Promise<void>;
}

export interface MemoryOptions {
  weights?: Partial<RecallWeights>;
  /** Milliseconds after which recency counts half. Default: 30 days. */
  recencyHalfLifeMs?: number;
  /** Insights of an agent at most; those that are unimportant and old make room. Default 10000. */
  maxPerAgent?: number;
  /** Milliseconds after its `createdAt` from which an insight is not recalled any more, if it does not say itself. Default: never. */
  expiresAfterMs?: number;
  /** By which relevance is measured. Default: none, and the words decide. */
  embedder?: Embedder;
  /** Told when the embedder failed: what was to be written is there without a vector, what was to be recalled is found by words. */
  onEmbeddingFailure?(error: unknown): void;
}
