/** Where an insight comes from: together these are written once, however often it is tried. */
interface Provenance {
  workflowId: string;
  /** The first run of the chain. */
  run: string;
  /** Number of the event. */
  iteration: number;
  /** Tells agents apart. */
  kind: string;
}

export interface NewInsight {
  text: string;
  agent: string;
  importance: number;
  type: string;
  source: string;
  tags: string[];
  /** ISO 8601. */
  createdAt: string;
  provenance: Provenance;
}

/** What agents use of a worker's memory. */
export interface AgentMemory {
  store(tenant: string, insights: readonly NewInsight[], options: { embed: boolean }): Promise<{ id: string }[]>;
  recall(request: {
    tenant: string;
    agent: string;
    query: string;
    limit: number;
    embed: boolean;
  }): Promise<{ text: string; provenance: Pick<Provenance, 'run' | 'iteration'> }[]>;
}
