import type { Memory } from '../../src/worker';

/** What this agent learns cannot be kept. */
export const AWAY = 'away';

/** A memory that is away for one agent, for ever. */
export function awayForOne(memory: Memory): Memory {
  return {
    store: (tenant, insights, options) =>
      insights.some(({ agent }) => agent === AWAY)
        ? Promise.reject(new Error('the memory is away'))
        : memory.store(tenant, insights, options),
    recall: (request) => memory.recall(request),
    list: (request) => memory.list(request),
    forget: (request) => memory.forget(request),
    embed: (request) => memory.embed(request),
    close: () => memory.close(),
  };
}
