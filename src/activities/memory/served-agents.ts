import { ApplicationFailure } from '@temporalio/common';
import type { AgentMemory } from './agent-memory';
import { type AllowList, allows } from '../../lib/base/allow-list';

/** Before a worker is asked again that has no memory for agents of populations, or another one. */
export const RETRY_MS = 5_000;

/** Describes why runs may not use the memory of an agent. The starter of a run is not shown which other agents there are. */
export const describeMemoryNotServed = (agent: string): string =>
  `the memory of agent "${agent}" is not served by this worker (\`allow.agents\` or REFLECT_ALLOWED_AGENTS)`;

export const describeNoMemory = (problem = 'it was made with `memory: false`'): string =>
  `this worker has no memory: ${problem}`;

/** The worker that checked the run has the memory, so another may take the next attempt. */
export function memoryMissingFailure(message: string, nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'MemoryMissing',
    message: `${message} (the run was prepared where there is one)`,
    nextRetryDelay,
  });
}

/** The run was checked by a worker that serves the agent. Throws `MemoryMissing`. */
export function assertAgentServed(allowed: AllowList | undefined, agent: string, retryMs: number): void {
  if (!allows(allowed, agent)) throw memoryMissingFailure(describeMemoryNotServed(agent), retryMs);
}

export function servedMemory(memory: AgentMemory | undefined, allowed: AllowList | undefined): AgentMemory | undefined {
  if (!memory || !allowed) return memory;
  return {
    recall: async (request) => (allows(allowed, request.agent) ? memory.recall(request) : []),
    async store(tenant, insights, options) {
      for (const { agent } of insights) assertAgentServed(allowed, agent, RETRY_MS);
      return memory.store(tenant, insights, options);
    },
  };
}
