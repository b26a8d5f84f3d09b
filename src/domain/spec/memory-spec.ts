import type { Duration } from '../base/duration';

/** What is recalled and kept, and in whose name. */
export interface MemorySpec {
  /** Whose memory. Runs that name the same one learn from each other. */
  agent: string;
  /** Insights that are recalled at most. Default 5. */
  recall?: number;
  /** Whether what was learned is kept. Default true. */
  store?: boolean;
  /** How long what is kept is recalled. Default: as the worker's memory says, else for ever. */
  expiresAfter?: Duration;
}

/** With every default. */
export type MemorySettings = Required<Omit<MemorySpec, 'expiresAfter'>> & Pick<MemorySpec, 'expiresAfter'>;

/** The settings of a spec's memory. */
export function memorySettings({ agent, recall = 5, store = true, expiresAfter }: MemorySpec): MemorySettings {
  return { agent, recall, store, ...(expiresAfter === undefined ? {} : { expiresAfter }) };
}
