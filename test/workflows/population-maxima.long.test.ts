import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { AgentReflectionReport } from '../../src/kinds/agents/contract/agent-results';
import type { AgentReflectionSpec } from '../../src/kinds/agents/contract/agents';
import { mostPopulation } from '../../testing/support/populations';
import { startWorld } from '../../testing/support/loop-world';
import { testAddress } from '../../testing/support/temporal-server';

describe('a population at its maxima', () => {
  let connection: Connection;
  let temporal: Client;
  beforeAll(async () => {
    connection = await Connection.connect({ address: testAddress() });
    temporal = new Client({ connection });
  });
  afterAll(() => connection.close());

  /** Sends events to a population that no worker serves yet; its history is long before its first task. */
  async function flooded(spec: AgentReflectionSpec, taskQueue: string) {
    const workflowId = `most-${randomUUID()}`;
    const handle = await temporal.workflow.start('agentReflection', { taskQueue, workflowId, args: [spec] });
    const left = Array.from({ length: 2_100 }, (_, index) => index);
    const sender = async (): Promise<void> => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) {
        const context = { description: '洪'.repeat(140) };
        const agentId = spec.agents[index % spec.agents.length]!.id;
        await handle.signal('trigger', { id: `${index}${'水'.repeat(90)}`, kind: 'crisis', year: 1, agentId, context });
      }
    };
    await Promise.all(Array.from({ length: 50 }, sender));
    await handle.signal('finish');
    return handle;
  }

  test('hands over what it is, and deals with every event that it took', async () => {
    const taskQueue = `most-${randomUUID()}`;
    const handle = await flooded(mostPopulation(), taskQueue);
    const { runId: first } = await handle.describe();
    const world = await startWorld({ taskQueue });
    try {
      const { counts } = (await handle.result()) as AgentReflectionReport;
      expect(counts.events).toBeGreaterThan(200);
      expect(counts.reflections).toBe(counts.events);
      expect((await temporal.workflow.getHandle(handle.workflowId).describe()).runId).not.toBe(first);
    } finally {
      await world.close();
    }
  }, 120_000);
});
