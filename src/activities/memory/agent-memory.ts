import type { NewInsight, Provenance } from '../../lib/memory/insight';

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
