import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AgentReflectionReport, TriggerAnswer } from '../../../src/kinds/agents/contract/agent-results';
import type { Json } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { defineAction, type Memory, openMemory } from '../../../src/worker';
import { vectorsFor } from '../../lib/memory/embedding-conformance';
import { workerServices } from '../../../src/worker/worker-services';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { startPostgres, type TestPostgres } from '../../../testing/support/postgres';

const seen: unknown[] = [];
const drafts = defineAction({
  name: 'drafts',
  description: 'Gives the draft of an iteration, and looks at what was learned.',
  input: z.object({ list: z.array(z.json()) }),
  run: ({ list }, { iteration, state }) => {
    seen.push(state['reflection_insights']);
    return (list[iteration - 1] ?? list.at(-1)) as Json;
  },
});

const PERSON = { type: 'object', required: ['name', 'age'] };
const good = { name: 'Ada', age: 30 };

/** A memory whose answers get lost on the way: what was written is written, and the activity is tried again. */
class Forgetful implements Memory {
  lost = 0;
  constructor(private readonly memory: Memory) {}
  async store(...given: Parameters<Memory['store']>) {
    const stored = await this.memory.store(...given);
    if (this.lost > 0) {
      this.lost -= 1;
      throw new Error('the answer got lost');
    }
    return stored;
  }
  recall: Memory['recall'] = (request) => this.memory.recall(request);
  list: Memory['list'] = (request) => this.memory.list(request);
  forget: Memory['forget'] = (request) => this.memory.forget(request);
  embed: Memory['embed'] = (request) => this.memory.embed(request);
  close = () => this.memory.close();
}

describe('memory of loops, in PostgreSQL', () => {
  let postgres: TestPostgres;
  let memory: Forgetful;
  let script: ScriptEntry[] = [];
  let scripted: ScriptedOpenAI;
  let vectors: (request: ScriptedRequest) => ScriptEntry = vectorsFor;
  let world: LoopWorld;
  const watched: string[] = [];
  /** Has a model of embeddings, and opened the database anew. */
  let later: LoopWorld;
  let without: LoopWorld;
  beforeAll(async () => {
    postgres = await startPostgres();
    memory = new Forgetful(openMemory({ connectionString: postgres.connectionString }));
    scripted = await ScriptedOpenAI.start({
      script: (request) => ('input' in request.body ? vectors(request) : script.shift()),
    });
    const models = ['m', 'small'].map((name) => ({ name, model: name, baseUrl: scripted.baseUrl }));
    world = await startWorld({ actions: [drafts], memory, models });
    const { connectionString } = postgres;
    later = await startWorld({
      actions: [drafts],
      models,
      memory: { connectionString, embeddingModel: 'small' },
      instrumentations: [
        {
          modelCall({ operation = 'chat', activity }) {
            watched.push(`${operation} ${activity}`);
            return () => undefined;
          },
        },
      ],
    });
    without = await startWorld({ actions: [drafts], memory: false });
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    await later?.close();
    await without?.close();
    await scripted?.close();
    await memory?.close();
    await postgres?.stop();
  });
  beforeEach(() => seen.splice(0));

  const looped = (list: Json[], more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
    task: 'Describe a person',
    generator: { action: 'drafts', with: { list } },
    evaluator: { type: 'schema', schema: PERSON },
    ...more,
  });
  const texts = async (agent: string): Promise<string[]> =>
    (await memory.list({ tenant: 'default', agent, limit: 50 })).map(({ text }) => text);

  test('the issues that a loop fixed are stored once, however often it is written, and recalled by the next loop', async () => {
    const agent = `agent-${randomUUID()}`;
    memory.lost = 3;
    const first = await world.client.run(looped([{ name: 'Ada' }, good], { memory: { agent } }));
    expect(first).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(memory.lost).toBe(0);
    expect(await texts(agent)).toEqual([expect.stringMatching(/^"Describe a person": .*refused.*age/)]);
    await world.client.run(looped([good], { memory: { agent } }));
    expect(seen).toEqual([undefined, undefined, [expect.stringMatching(/age/)]]);
    expect(await texts(agent)).toHaveLength(1);
  });

  test('insights are fenced in the prompt of the generator, and not in that of the judge', async () => {
    const agent = `agent-${randomUUID()}`;
    await world.client.run(looped([{ name: 'Ada' }], { maxIterations: 1, memory: { agent } }));
    expect(await texts(agent)).toEqual([
      expect.stringMatching(/not good enough after 1 version \(max_iterations\).*age/),
    ]);
    script = [{ reply: 'Ada, 30' }, { reply: { pass: true, score: 1, reason: 'fine' } }];
    const spec: ReflectionSpec = {
      task: 'Describe a person',
      model: 'm',
      generator: { action: 'llm.call' },
      evaluator: { type: 'llm', prompt: 'Is this a person? {{ state.reflection_output }}' },
      memory: { agent, store: false },
    };
    expect(await world.client.run(spec)).toMatchObject({ success: true });
    const [writer, judge] = requestsOf(scripted.ledger).map(({ body }) => JSON.stringify(body!.messages));
    expect(writer).toMatch(/Learned in earlier runs; use what fits:\\n<<<INSIGHTS .*not good enough/);
    expect(judge).not.toContain('not good enough');
    expect(await texts(agent)).toHaveLength(1);
  });

  test('given an embedding model, a loop recalls by meaning, and by words while the model is unavailable', async () => {
    const agent = `agent-${randomUUID()}`;
    const embedded = () => requestsOf(scripted.ledger).filter(({ path }) => path === '/v1/embeddings').length;
    const learning = (task: string) =>
      later.client.run(looped([{ name: 'Ada' }, good], { task, memory: { agent, recall: 0, expiresAfter: '1h' } }));
    await learning('Keep the basement dry');
    await learning('Mend the roof');
    expect(embedded()).toBe(2);
    for (const { createdAt, expiresAt } of await memory.list({ tenant: 'default', agent, limit: 5 })) {
      expect(Date.parse(expiresAt!) - Date.parse(createdAt)).toBe(60 * 60 * 1_000);
    }
    const recalling = (task: string) =>
      later.client.run(looped([good], { task, memory: { agent, recall: 1, store: false } }));
    await recalling('Where is it damp?');
    expect(embedded()).toBe(3);
    expect(watched).toEqual(['embeddings keepInsights', 'embeddings keepInsights', 'embeddings recallInsights']);
    vectors = () => ({ status: 500 });
    await recalling('A roof');
    vectors = vectorsFor;
    expect(seen.slice(-2)).toEqual([
      [expect.stringMatching(/^"Keep the basement dry"/)],
      [expect.stringMatching(/^"Mend the roof"/)],
    ]);
  });

  test('insights of agents are recalled by a new run of their population on another worker', async () => {
    const workflowId = `valley-${randomUUID()}`;
    const before = requestsOf(scripted.ledger).length;
    const spec = {
      agents: [{ id: 'ada', type: 'household_owner' }],
      model: 'm',
      config: { reflection: { method: 'llm' } },
    };
    const live = async ({ client }: LoopWorld, event: object): Promise<TriggerAnswer> => {
      const handle = await client.temporal.workflow.start('agentReflection', {
        taskQueue: client.taskQueue,
        workflowId,
        args: [spec],
      });
      const answer = await handle.executeUpdate<TriggerAnswer, [object]>('trigger', { args: [event] });
      await handle.signal('finish');
      expect(((await handle.result()) as AgentReflectionReport).counts.reflections).toBe(1);
      return answer;
    };
    script = [{ reply: 'Raise the house.' }, { reply: 'Move away.' }];
    const [first] = (await live(world, { kind: 'crisis', year: 1 })).reflected;
    const [second] = (await live(later, { kind: 'crisis', year: 2 })).reflected;
    expect(
      (await memory.list({ tenant: 'default', agent: `${workflowId}/ada`, limit: 5 })).map(({ id }) => id),
    ).toEqual([second!.insightId, first!.insightId]);
    // One call a reflection: a model of embeddings is not asked beside it.
    const asked = requestsOf(scripted.ledger).slice(before);
    expect(asked.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
    expect(JSON.stringify(asked[0]!.body!.messages)).not.toContain('Raise the house.');
    expect(JSON.stringify(asked[1]!.body!.messages)).toContain('Raise the house.');
  });

  test('given an embedding model that is not configured, no worker is created', () => {
    const models = [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }];
    const place = { searchAttributes: () => Promise.resolve(false), storage: undefined, heartbeats: () => ({}) };
    expect(() => workerServices({ models, memory: { embeddingModel: 'tiny' } }, place)).toThrow(
      /"tiny" is not configured/,
    );
  });

  test('a loop without memory recalls and keeps nothing, and one that passes at once has nothing to keep', async () => {
    const agent = `agent-${randomUUID()}`;
    await world.client.run(looped([good], { memory: { agent, recall: 0 } }));
    expect(await texts(agent)).toEqual([]);
    const { runId, workflowId } = await world.client.start(looped([{ name: 'Ada' }, good]));
    await world.client.result(workflowId);
    const history = await world.client.temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const names = history.events!.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
    expect(names.filter((name) => name?.endsWith('Insights'))).toEqual([]);
  });

  test('given an unavailable memory, an abort takes effect without waiting for it', async () => {
    memory.lost = Infinity;
    try {
      const spec = looped([{ name: 'Ada' }], {
        maxIterations: 1,
        memory: { agent: `agent-${randomUUID()}` },
        review: { when: 'on_exhausted' },
      });
      const { workflowId } = await world.client.start(spec);
      await eventually(
        () => world.client.progress(workflowId),
        ({ phase }) => phase === 'waiting',
      );
      await world.client.abort(workflowId);
      const result = await world.client.result(workflowId);
      expect(result.convergenceReason).toBe('aborted');
    } finally {
      memory.lost = 0;
    }
  });

  test('while a run stores its insights, an abort ends it at once with its result, and all other commands are refused', async () => {
    memory.lost = Infinity;
    try {
      const spec = looped([{ name: 'Ada' }, good], { memory: { agent: `agent-${randomUUID()}` } });
      const { workflowId } = await world.client.start(spec);
      await eventually(
        () => world.client.progress(workflowId),
        ({ phase }) => phase === 'remembering',
      );
      const stands = /its result stands \(quality_met\): only what it learned is still being kept, and abort ends that/;
      await expect(world.client.accept(workflowId)).rejects.toThrow(stands);
      await expect(world.client.guide(workflowId, { text: 'Shorter.' })).rejects.toThrow(stands);
      const handle = world.client.temporal.workflow.getHandle(workflowId);
      await handle.signal('accept', { by: 'late' });
      const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(currentDetails).toMatch(/^\*\*Keeping what it learned\. It ends with quality_met after 2 versions/);
      expect(currentDetails).toContain('Send the signal `abort` to end without waiting for that.');
      expect(currentDetails).not.toContain('`accept` to end');
      const stood = { phase: 'done', convergenceReason: 'quality_met' };
      expect(await world.client.abort(workflowId, { by: 'operator' })).toMatchObject(stood);
      const result = await world.client.result(workflowId);
      expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', finalOutput: good });
      expect(result.history.people.map(({ name, applied, why }) => [name, applied, why])).toEqual([
        ['accept', false, expect.stringMatching(stands)],
        ['abort', true, undefined],
      ]);
      await expect(world.client.abort(workflowId)).rejects.toThrow('the run has ended');
    } finally {
      memory.lost = 0;
    }
  });

  test('a worker without memory refuses a spec with one, before anything runs', async () => {
    const refused = without.client.run(looped([good], { memory: { agent: 'ada' } }));
    await expect(refused).rejects.toMatchObject({
      problems: [{ path: '/memory', message: expect.stringMatching(/no memory/) }],
    });
    expect(seen).toEqual([]);
  });
});
