/** What is recalled and kept, and in whose name. */
export interface MemorySpec {
  /** Whose memory. Runs that name the same one learn from each other. */
  agent: string;
  /** Insights that are recalled at most. Default 5. */
  recall?: number;
  /** Whether what was learned is kept. Default true. */
  store?: boolean;
}

/** With every default. */
export type MemorySettings = Required<MemorySpec>;

/** The settings of a spec's memory. */
export function memorySettings({ agent, recall = 5, store = true }: MemorySpec): MemorySettings {
  return { agent, recall, store };
}
