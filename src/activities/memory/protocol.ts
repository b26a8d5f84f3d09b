import type { Provenance } from '../../lib/memory/insight';
import type { Duration } from '../../lib/contract/values';

export interface RecallInput {
  agent: string;
  query: string;
  limit: number;
  /** Milliseconds for which the memory is asked, again and again. Default: 10000. */
  forMs?: number;
}

export interface KeepInput {
  agent: string;
  /** Such as `plan` or `loop`. */
  type: string;
  source: string;
  tags: string[];
  /** ISO 8601. */
  createdAt: string;
  /** How long they are recalled. Default: as the worker's memory says, else for ever. */
  expiresAfter?: Duration;
  /** The id of the first run of the chain. */
  run: string;
  /** Milliseconds for which the memory is asked, again and again. Default: 10000. */
  forMs?: number;
  insights: ({ text: string; importance: number } & Pick<Provenance, 'iteration' | 'kind'>)[];
}

/** Both fail as `MemoryUnavailable` when the worker's memory does not answer in time. */
export interface MemoryActivities {
  /** The texts of what matters most now, best first. */
  recallInsights(input: RecallInput): Promise<string[]>;
  /** Writes each at most once; says how many were new. */
  keepInsights(input: KeepInput): Promise<number>;
}
