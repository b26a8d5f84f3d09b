import { ApplicationFailure } from '@temporalio/common';
import type { AgentMemory } from './agent-memory';
import { type AllowList, allows } from '../domain/allow-list';

/** Why runs may not use the memory of an agent. Which others there are is nothing for who started them. */
export const memoryNotServed = (agent: string): string =>
  `the memory of agent "${agent}" is not served by this worker (\`allow.agents\` or REFLECT_ALLOWED_AGENTS)`;

/**
 * For runs that were checked by a worker that serves it.
 *
 * @throws ApplicationFailure `MemoryMissing`, which no retry helps
 */
export function assertAgentServed(allowed: AllowList | undefined, agent: string): void {
  if (allows(allowed, agent)) return;
  throw ApplicationFailure.create({ type: 'MemoryMissing', message: memoryNotServed(agent), nonRetryable: true });
}

/** The memory of a worker as agents of populations may use it: of others they recall nothing, and keep nothing. */
export function servedMemory(memory: AgentMemory | undefined, allowed: AllowList | undefined): AgentMemory | undefined {
  if (!memory || !allowed) return memory;
  return {
    recall: async (request) => (allows(allowed, request.agent) ? memory.recall(request) : []),
    async store(tenant, insights, options) {
      for (const { agent } of insights) assertAgentServed(allowed, agent);
      return memory.store(tenant, insights, options);
    },
  };
}
