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
  store(tenant: string, insights: readonly NewInsight[]): Promise<StoredInsight[]>;
  /** The insights that matter most now, best first. */
  recall(request: RecallRequest): Promise<RecalledInsight[]>;
  /** The latest first. */
  list(request: ListRequest): Promise<Insight[]>;
  /** Says how many were forgotten. A late retry does not bring them back. @throws TypeError when nothing is named */
  forget(request: ForgetRequest): Promise<number>;
  close(): Promise<void>;
}

export interface MemoryOptions {
  weights?: Partial<RecallWeights>;
  /** Milliseconds after which recency counts half. Default: 30 days. */
  recencyHalfLifeMs?: number;
  /** Insights of an agent at most; those that are unimportant and old make room. Default 10000. */
  maxPerAgent?: number;
}
