import { Context } from '@temporalio/activity';
import { computeExpiry } from '../../lib/memory/insight';
import type { Memory } from '../../lib/memory';
import { redact } from '../../lib/redact';
import { milliseconds } from '../../lib/contract/values';
import type { ActivityDependencies } from '../dependencies';
import { assertAgentServed, memoryMissingFailure, describeNoMemory } from './served-agents';
import { withHeartbeat } from '../execution/heartbeat';
import { askFor } from './memory-patience';
import type { MemoryActivities } from './protocol';
import { omitUndefined } from '../../lib/base/defined';
import { permanentFailure } from '../failures';
import { messageOf } from '../../lib/base/message-of';
import { workflowId } from '../execution/current-run';

const ERROR_CHARACTERS = 500;

const PATIENCE_MS = 10_000;

/** Tenants are namespaces: who may not see the runs of another may not see what they learned either. */
function tenantOfRun(): string {
  return Context.current().info.workflowNamespace ?? 'default';
}

/** Spreads the three attempts of a run over the time for which a memory is asked. */
function retryMs(forMs: number): number {
  return forMs / 2;
}

async function askMemory<T>(
  memory: Memory | string,
  forMs: number,
  work: (memory: Memory, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (typeof memory === 'string') throw memoryMissingFailure(memory, retryMs(forMs));
  return withHeartbeat(async (cancelled) => {
    try {
      return await askFor((signal) => work(memory, signal), forMs);
    } catch (error) {
      if (cancelled.aborted) throw error;
      const said = redact(messageOf(error), { length: ERROR_CHARACTERS });
      throw permanentFailure('MemoryUnavailable', `the memory does not answer: ${said}`);
    }
  });
}

export function memoryActivities({
  insights: served,
  memoryProblem,
  allowedAgents,
}: Pick<ActivityDependencies, 'insights' | 'memoryProblem' | 'allowedAgents'>): MemoryActivities {
  const memory = served ?? describeNoMemory(memoryProblem);
  return {
    async recallInsights({ agent, query, limit, forMs = PATIENCE_MS }) {
      assertAgentServed(allowedAgents, agent, retryMs(forMs));
      const found = await askMemory(memory, forMs, (given, signal) =>
        given.recall({ tenant: tenantOfRun(), agent, query, limit, signal }),
      );
      return found.map(({ text }) => text);
    },
    async keepInsights({ insights, run, expiresAfter, forMs = PATIENCE_MS, ...common }) {
      assertAgentServed(allowedAgents, common.agent, retryMs(forMs));
      const expiresAt =
        expiresAfter === undefined ? undefined : computeExpiry(common.createdAt, milliseconds(expiresAfter));
      const given = insights.map(({ text, importance, iteration, kind }) => ({
        ...common,
        ...omitUndefined({ expiresAt }),
        text,
        importance,
        provenance: { workflowId: workflowId(), run, iteration, kind },
      }));
      const stored = await askMemory(memory, forMs, (kept, signal) => kept.store(tenantOfRun(), given, { signal }));
      return stored.filter(({ isNew }) => isNew).length;
    },
  };
}
