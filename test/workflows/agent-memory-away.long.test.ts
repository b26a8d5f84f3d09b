import { randomUUID } from 'node:crypto';
import type { AgentReflectionReport, TriggerAnswer } from '../../src/kinds/agents/contract/agent-results';
import { openMemory } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

describe('a population whose memory is away', () => {
  let script: ScriptEntry[] = [];
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  // Nobody listens at this port.
  const memory = openMemory({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' });
  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: () => script.shift() });
    world = await startWorld({ memory, models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
    await memory.close();
  });

  test('reflects without it, in a while, by template and by the model', async () => {
    script = [{ reply: 'I move.' }];
    const reflect = async (method: string) => {
      const handle = await world.client.temporal.workflow.start('agentReflection', {
        taskQueue: world.client.taskQueue,
        workflowId: `agents-${randomUUID()}`,
        args: [{ agents: [{ id: 'ada', type: 'household' }], config: { reflection: { method } } }],
      });
      const event = { kind: 'crisis', year: 1 };
      const { reflected } = await handle.executeUpdate<TriggerAnswer, [object]>('trigger', { args: [event] });
      await handle.signal('finish');
      const { reflections } = (await handle.result()) as AgentReflectionReport;
      return [reflected, reflections.map(({ insightId }) => insightId)];
    };
    const methods = ['template', 'llm'];
    expect(await Promise.all(methods.map(reflect))).toEqual(
      methods.map((method) => [[{ agentId: 'ada', insightId: '1/ada', method }], ['1/ada']]),
    );
    expect(requestsOf(scripted.ledger).length).toBe(1);
  }, 40_000);
});
