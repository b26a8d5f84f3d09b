import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { AllowList } from '../domain/allow-list';
import { expiryOf } from '../domain/memory/expiry';
import type { Memory } from '../memory/index';
import { redact } from '../observability/redact';
import { milliseconds } from '../schemas/values';
import { assertAgentServed } from './served-agents';
import { withHeartbeat } from './heartbeat';
import type { MemoryActivities } from './protocol-memory';

/** Characters of a database's error that are kept. */
const ERROR_LENGTH = 500;

/** Tenants are namespaces: who may not see the runs of another may not see what they learned either. */
export function tenantOfRun(): string {
  return Context.current().info.workflowNamespace ?? 'default';
}

async function asked<T>(
  memory: Memory | undefined,
  work: (memory: Memory, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!memory) {
    const message = 'this worker has no memory: it was made with `memory: false`';
    throw ApplicationFailure.create({ type: 'MemoryMissing', message, nonRetryable: true });
  }
  return withHeartbeat(async (signal) => {
    try {
      return await work(memory, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const said = error instanceof Error ? error.message : String(error);
      throw ApplicationFailure.create({
        type: 'MemoryUnavailable',
        message: `The memory does not answer: ${redact(said, { length: ERROR_LENGTH })}`,
      });
    }
  });
}

/** The activities that use a worker's memory. */
export function memoryActivities(memory: Memory | undefined, allowedAgents?: AllowList): MemoryActivities {
  return {
    async recallInsights({ agent, query, limit }) {
      assertAgentServed(allowedAgents, agent);
      const found = await asked(memory, (given, signal) =>
        given.recall({ tenant: tenantOfRun(), agent, query, limit, signal }),
      );
      return found.map(({ text }) => text);
    },
    async keepInsights({ insights, run, expiresAfter, ...common }) {
      assertAgentServed(allowedAgents, common.agent);
      const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
      const expiresAt =
        expiresAfter === undefined ? {} : { expiresAt: expiryOf(common.createdAt, milliseconds(expiresAfter)) };
      const given = insights.map(({ text, importance, iteration, kind }) => ({
        ...common,
        ...expiresAt,
        text,
        importance,
        provenance: { workflowId, run, iteration, kind },
      }));
      const stored = await asked(memory, (kept, signal) => kept.store(tenantOfRun(), given, { signal }));
      return stored.filter(({ isNew }) => isNew).length;
    },
  };
}
