import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TriggerAnswer } from '../../src/kinds/agents/contract/agent-results';
import { chainOf } from '../../src/calls/chain';
import { openMemory } from '../../src/lib/memory';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { large } from '../../testing/support/large-outputs';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const MIB = 1_024 * 1_024;
/** Where the server terminates a run. */
const SERVER_ENDS_AT = 50 * MIB;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** How a run and those that followed it ended, and the bytes of their histories. */
async function endsOf({ client }: LoopWorld, method: string, workflowId: string) {
  const runs = await chainOf(client, { method, run: workflowId } as Parameters<typeof chainOf>[1], {});
  const told = [];
  for (const runId of runs) {
    const { status, historySize = 0 } = await client.temporal.workflow.getHandle(workflowId, runId).describe();
    told.push({ status: status.name, bytes: historySize });
  }
  return told;
}

describe('pipelines whose history grows towards what the server takes', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [large] });
  });
  afterAll(() => world.close());

  /** Nodes that each replace the output of the one before. */
  const nodes = (count: number, length: number) =>
    times(count, (index) => ({ name: `n${index}`, action: 'large', with: { length }, output: 'made' }));

  test('one whose state fits into a new run hands over, as often as it takes', async () => {
    const { workflowId } = await world.client.pipelines.start({ nodes: nodes(10, 1_500_000) });
    const { state, nodes: done } = await world.client.pipelines.result(workflowId);
    expect([(state['made'] as string).length, done.length]).toEqual([1_500_000, 10]);
    const ends = await endsOf(world, 'pipelineResult', workflowId);
    expect(ends.length).toBeGreaterThan(2);
    expect(ends.slice(0, -1).map(({ status }) => status)).toEqual(ends.slice(1).map(() => 'CONTINUED_AS_NEW'));
    expect(ends.at(-1)!.status).toBe('COMPLETED');
  }, 120_000);

  test('one whose state fits into none fails with its type and the node, before the server ends it', async () => {
    // It travels with the state to a new run, and both together are too large for that.
    const last = { name: 'last', action: 'large', with: { length: 1, filler: 'f'.repeat(600_000) } };
    const pipeline = { nodes: [...nodes(60, 1_500_000), last] };
    const { workflowId } = await world.client.pipelines.start(pipeline as never);
    const failure: unknown = await world.client.pipelines.result(workflowId).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      type: 'StepFailed',
      message: expect.stringMatching(/^Node "n\d+" failed: the pipeline's history is full: give this node/),
    });
    const [end, ...others] = await endsOf(world, 'pipelineResult', workflowId);
    expect([end!.status, others]).toEqual(['FAILED', []]);
    expect(end!.bytes).toBeGreaterThan(40 * MIB);
    expect(end!.bytes).toBeLessThan(SERVER_ENDS_AT);
    const { phase, nodes: told } = await world.client.pipelines.progress(workflowId);
    const done = told.filter(({ status }) => status === 'done').length;
    expect([phase, done > 8, told[done]!.status]).toEqual(['failed', true, 'failed']);
  }, 120_000);
});

describe('populations whose history grows towards what the server takes', () => {
  let folder: string;
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  let memory: ReturnType<typeof openMemory>;
  let reply = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'full-histories-'));
    memory = openMemory({ folder: join(folder, 'memory') });
    await memory.list({ tenant: 'default', limit: 1 });
    scripted = await ScriptedOpenAI.start({ script: () => ({ reply }) });
    world = await startWorld({ memory, models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }] });
    // Making a database takes seconds, on a busy machine many.
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
    await memory?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const critics = times(9, (index) => `critic ${index}`);
  const started = (agents: object[], reflection: object) =>
    world.client.temporal.workflow.start('agentReflection', {
      taskQueue: world.client.taskQueue,
      workflowId: `agents-${randomUUID()}`,
      args: [{ agents, model: 'm', config: { reflection: { critics, ...reflection } } }],
    });
  const methodsOf = ({ reflected }: TriggerAnswer) => reflected.map(({ method }) => method);

  test('senders that always wait for an answer do not keep one from handing over', async () => {
    reply = 'I move to higher ground.';
    const agents = [{ id: 'a', type: 'household', attributes: { filler: 'x'.repeat(900_000) } }];
    const { workflowId } = await started(agents, { method: 'llm' });
    // Each event brings 9 MB, and while one is dealt with, others wait.
    const sender = async (which: number): Promise<TriggerAnswer[]> => {
      const answers: TriggerAnswer[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        answers.push(await world.client.agents.trigger(workflowId, { kind: 'crisis', year: which * 10 + turn }));
      }
      return answers;
    };
    const answers = (await Promise.all(times(3, sender))).flat();
    expect(answers.flatMap(({ skipped }) => skipped)).toEqual([]);
    expect(answers.flatMap(methodsOf)).toEqual(times(12, () => 'llm'));
    const { counts } = await world.client.agents.finish(workflowId);
    expect(counts.events).toBe(12);
    const ends = await endsOf(world, 'result', workflowId);
    expect(ends.length).toBeGreaterThan(2);
    expect(Math.max(...ends.map(({ bytes }) => bytes))).toBeLessThan(40 * MIB);
  }, 120_000);

  test.each(['llm', 'hybrid'])(
    'by %s: an event that asks for more than a history takes is answered for all agents, and a new run follows',
    async (method) => {
      // Six bytes each as JSON, and nine critics' words are told to who reflects.
      reply = '\u0001'.repeat(4_000);
      const count = 95;
      const agents = times(count, (index) => ({
        id: `a${index}`,
        type: 'household',
        attributes: { filler: 'x'.repeat(10_000) },
      }));
      const handle = await started(agents, { method, batchSize: count });
      const answer = await world.client.agents.trigger(handle.workflowId, {
        kind: 'crisis',
        year: 1,
        context: { description: reply.slice(0, 1_000) },
      });
      expect(answer.reflected.length + answer.skipped.length).toBe(count);
      const byModel = methodsOf(answer).filter((one) => one === 'llm').length;
      expect(byModel).toBeGreaterThan(30);
      expect(byModel).toBeLessThan(count);
      // What comes next finds a run with room.
      reply = 'I move to higher ground.';
      const next = await world.client.agents.trigger(handle.workflowId, {
        kind: 'crisis',
        year: 2,
        context: { agents: ['a0', 'a1'] },
      });
      expect(methodsOf(next)).toEqual(['llm', 'llm']);
      const { counts } = await world.client.agents.finish(handle.workflowId);
      expect(counts.events).toBe(2);
      const ends = await endsOf(world, 'result', handle.workflowId);
      expect(ends.map(({ status }) => status)).toEqual(['CONTINUED_AS_NEW', 'COMPLETED']);
      expect(ends[0]!.bytes).toBeGreaterThan(40 * MIB);
      expect(ends[0]!.bytes).toBeLessThan(SERVER_ENDS_AT);
    },
    240_000,
  );
});
