import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { jsonBytes } from '../../src/lib/json/json-bytes';
import type { Json } from '../../src/lib/json/json';
import { KEPT_PAGE_FIELD } from '../../src/loop/page/kept-page';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { dataConverterFrom } from '../../src/lib/storage';
import { defineAction, type ReflectionWorkerOptions } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const gives = defineAction({
  name: 'gives',
  description: 'Gives the outputs that its parameters list, or fails.',
  input: z.object({ list: z.array(z.unknown()), error: z.string().optional() }),
  run: ({ list, error }, { iteration }) => {
    if (error !== undefined) throw new Error(error);
    return (list[iteration - 1] ?? list.at(-1)) as Json;
  },
});
const hangs = defineAction({
  name: 'hangs',
  description: 'Never answers.',
  input: z.unknown(),
  run: (_input, { signal }) =>
    new Promise<Json>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
});

const spec = (list: Json[], more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  name: 'ages',
  generator: { action: 'gives', with: { list } },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['age'] } },
  maxIterations: 2,
  ...more,
});
const step = (list: Json[], more: object = {}) => ({ action: 'gives', with: { list, ...more } as Json });

describe('a page that lasts', () => {
  let world: LoopWorld;

  const begin = (options: ReflectionWorkerOptions = {}) =>
    startWorld({ actions: [gives, hangs], memory: false, ...options });
  beforeAll(async () => {
    world = await begin();
  });
  afterAll(() => world?.close());

  const handle = (id: string) => world.client.temporal.workflow.getHandle(id);

  /** What the server says of a run; nobody works for it any more. */
  async function kept(id: string): Promise<string> {
    const { memo = {} } = await handle(id).describe();
    expect(jsonBytes(memo)).toBeLessThan(2_048);
    return (memo[KEPT_PAGE_FIELD] as string[]).join('\n');
  }

  async function eventsOf(id: string): Promise<string[]> {
    const { events } = await handle(id).fetchHistory();
    return events!.map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes'))!);
  }

  const waits = (id: string) =>
    eventually(
      () => world.client.progress(id),
      ({ phase }) => phase === 'waiting',
    );

  const modified = async (id: string) =>
    (await eventsOf(id)).filter((name) => name.startsWith('workflowPropertiesModified')).length;

  test('a loop that ends leaves its table in its result, without an event', async () => {
    const run = await world.client.start(spec([{ name: 'Robin' }, { age: 3 }]));
    const result = await world.client.result(run.workflowId);
    expect(Object.keys(result)[0]).toBe('page');
    expect(jsonBytes(result.page!)).toBeLessThan(2_048);
    const page = result.page!.join('\n');
    expect(page).toMatch(/^Ended: quality_met after 2 versions · best: #2 with 1\.00\n\nages · ≤2 · ≥0\.80\n/);
    expect(page).toMatch(/\n1 {4}fail 0\.00 .*age: is missing\n2 ★ {2}pass 1\.00 \(\+1\.00\)/);
    expect(await modified(run.workflowId)).toBe(0);
  });

  test('in one event where the result is not shown: of a large one, and of a child', async () => {
    const large = await world.client.start(spec([{ age: 3, text: 'x'.repeat(70_000) }]));
    expect(await world.client.result(large.workflowId)).not.toHaveProperty('page');
    expect(await kept(large.workflowId)).toMatch(/^Ended: quality_met after 1 version/);
    expect(await modified(large.workflowId)).toBe(1);
    const plan = await world.client.plans.start({
      goal: 'Write it',
      enableLlmReflection: false,
      plan: { id: 'p', tasks: [{ id: 'write', description: 'Write', step: { loop: spec([{ age: 3 }]) } }] },
    });
    await plan.result();
    const started = (await handle(plan.workflowId).fetchHistory()).events!.find(
      ({ childWorkflowExecutionStartedEventAttributes: child }) => child,
    );
    const child = started!.childWorkflowExecutionStartedEventAttributes!.workflowExecution!.workflowId!;
    expect(await kept(child)).toMatch(/^Ended: quality_met after 1 version/);
  });

  test('a loop that waits leaves the text to accept, says so when it goes on, and how it ended', async () => {
    const review = { when: 'every_iteration' } as const;
    const { workflowId: id } = await world.client.start(
      spec([{ age: 'three' }, { age: 3, name: 'Robin' }], { review }),
    );
    await waits(id);
    const first = await eventually(
      () => kept(id),
      (page) => page !== '',
    );
    expect(first).toMatch(/^Waiting for a review of version 1 .*\n\n.*\n\nIt waits for you until 20/);
    expect(first).toContain('The text of version 1:\n{\n  "age": "three"\n}');
    await world.client.decide(id, { iteration: 1, decision: 'continue' });
    await eventually(
      () => world.client.progress(id),
      ({ phase, iteration }) => phase === 'waiting' && iteration === 2,
    );
    expect(await kept(id)).toContain('Changes since version 1:\nage: "three" → 3\n+ name: "Robin"');
    await world.client.accept(id, { by: 'Ada' });
    await world.client.result(id);
    const last = await kept(id);
    expect(last).toMatch(/^Ended: user_accepted/);
    expect(last).toContain('accept by Ada');
    expect(last).not.toContain('The text of');
    // Two waits, one of them left, and the end.
    expect(await modified(id)).toBe(4);
  });

  test('the timer of a wait says in the timeline what it waits for', async () => {
    const { workflowId: id } = await world.client.start(spec([{ age: 3 }], { review: { when: 'on_satisfactory' } }));
    await waits(id);
    const { events } = await handle(id).fetchHistory();
    const timer = events!.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
    expect(Buffer.from(timer!.userMetadata!.summary!.data!).toString()).toBe('"review of version 1"');
    await world.client.abort(id);
  });

  test('a run that fails leaves its table, with why; one that is cancelled, too', async () => {
    const raised = await world.client.start(spec([{}], { onFailure: 'raise' }));
    await expect(world.client.result(raised.workflowId)).rejects.toThrow('No version was good enough');
    expect(await kept(raised.workflowId)).toMatch(
      /^Failed: No version was good enough: max_iterations after 2 versions\.[^]*\n1 ★ +fail 0\.00/,
    );
    const draft = await world.client.start({ ...spec([]), generator: step([], { error: 'no ideas' }) });
    await expect(world.client.result(draft.workflowId)).rejects.toThrow('no ideas');
    expect(await kept(draft.workflowId)).toMatch(/^Failed: .*no ideas/);
    const stuck = await world.client.start({ ...spec([]), generator: { action: 'hangs' } });
    await eventually(
      () => world.client.progress(stuck.workflowId),
      ({ phase }) => phase === 'generating',
    );
    await handle(stuck.workflowId).cancel();
    await expect(world.client.result(stuck.workflowId)).rejects.toThrow();
    expect(await kept(stuck.workflowId)).toMatch(/^Failed: the run was cancelled\n/);
    expect((await handle(stuck.workflowId).describe()).status.name).toBe('CANCELLED');
  });

  test('runs of all other kinds leave theirs', async () => {
    const plan = await world.client.plans.start({
      goal: 'Publish it',
      enableLlmReflection: false,
      maxReplanningAttempts: 0,
      plan: { id: 'p', tasks: [{ id: 'collect', description: 'Collect the figures', step: step(['x']) }] },
    });
    await plan.result();
    expect(await kept(plan.workflowId)).toMatch(/^Succeeded · 1 of 1 task done[^]*- ✅ collect: Collect the figures/);

    const nodes = [
      { name: 'first', ...step([{ a: 1 }]) },
      { name: 'last', ...step([], { error: 'no *stars*' }) },
    ];
    const pipeline = await world.client.pipelines.start({ nodes });
    await expect(world.client.pipelines.result(pipeline.workflowId)).rejects.toThrow('no *stars*');
    expect(await kept(pipeline.workflowId)).toMatch(
      /^Failed: .*no \*stars\*\n\nFailed at node 2 of 2, last[^]*- ✅ 1, first: gives[^]*- ❌ 2, last: gives/,
    );
    const good = await world.client.pipelines.start({ nodes: nodes.slice(0, 1) });
    await world.client.pipelines.result(good.workflowId);
    expect(await kept(good.workflowId)).toMatch(/^Ended: 1 node done/);

    const population = await world.client.agents.start({
      agents: [{ id: 'town', type: 'government' }],
      config: { reflection: { method: 'template' } },
    });
    await handle(population.workflowId).signal('finish');
    await handle(population.workflowId).result();
    expect(await kept(population.workflowId)).toMatch(/^Ended · 1 agent · 0 reflections upon 0 events/);
  });

  test('a memo of an owner stays, and a very large one gets no page', async () => {
    const fails = spec([{}], { onFailure: 'raise' });
    const small = await world.client.start(fails, { memo: { team: 'blue' } });
    await expect(world.client.result(small.workflowId)).rejects.toThrow();
    expect((await handle(small.workflowId).describe()).memo).toEqual({
      team: 'blue',
      [KEPT_PAGE_FIELD]: expect.arrayContaining([expect.stringContaining('Failed: No version')]),
    });
    const large = await world.client.start(fails, { memo: { team: 'x'.repeat(600_000) } });
    await expect(world.client.result(large.workflowId)).rejects.toThrow();
    expect(Object.keys((await handle(large.workflowId).describe()).memo!)).toEqual(['team']);
  });

  test('what is kept goes through the codec: a server that has no key shows nothing of it', async () => {
    const REFLECT_CODEC_KEYS = `k1:${randomBytes(32).toString('base64')}`;
    const encrypted = await begin({ dataConverter: dataConverterFrom({ REFLECT_CODEC_KEYS }) });
    try {
      const { workflowId: id } = await encrypted.client.start(spec([{}], { onFailure: 'raise' }));
      await expect(encrypted.client.result(id)).rejects.toThrow();
      const { memo, raw } = await encrypted.client.temporal.workflow.getHandle(id).describe();
      expect(memo![KEPT_PAGE_FIELD]).toContainEqual(expect.stringContaining('Failed: No version was good enough'));
      const payload = raw.workflowExecutionInfo!.memo!.fields![KEPT_PAGE_FIELD]!;
      expect(Buffer.from(payload.metadata!['encoding']!).toString()).toBe('binary/encrypted');
      expect(Buffer.from(payload.data!).toString()).not.toContain('good enough');
    } finally {
      await encrypted.close();
    }
  });
});
