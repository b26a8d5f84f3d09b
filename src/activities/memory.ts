import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Memory } from '../memory/index';
import { redact } from '../observability/redact';
import { withHeartbeat } from './heartbeat';
import type { MemoryActivities } from './protocol-memory';

/** Characters of a database's error that are kept. */
const ERROR_LENGTH = 500;

/** Tenants are namespaces: who may not see the runs of another may not see what they learned either. */
export function tenantOfRun(): string {
  return Context.current().info.workflowNamespace ?? 'default';
}

async function asked<T>(memory: Memory | undefined, work: (memory: Memory) => Promise<T>): Promise<T> {
  if (!memory) {
    const message = 'this worker has no memory: it was made with `memory: false`';
    throw ApplicationFailure.create({ type: 'MemoryMissing', message, nonRetryable: true });
  }
  return withHeartbeat(async (signal) => {
    try {
      return await work(memory);
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
export function memoryActivities(memory: Memory | undefined): MemoryActivities {
  return {
    async recallInsights({ agent, query, limit }) {
      const found = await asked(memory, (given) => given.recall({ tenant: tenantOfRun(), agent, query, limit }));
      return found.map(({ text }) => text);
    },
    async keepInsights({ insights, run, ...common }) {
      const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
      const stored = await asked(memory, (given) =>
        given.store(
          tenantOfRun(),
          insights.map(({ text, importance, iteration, kind }) => ({
            ...common,
            text,
            importance,
            provenance: { workflowId, run, iteration, kind },
          })),
        ),
      );
      return stored.filter(({ isNew }) => isNew).length;
    },
  };
}
