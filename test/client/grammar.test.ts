import { randomUUID } from 'node:crypto';
import type { ReflectionClient } from '../../src';
import type { FoundRun } from '../../src/calls/run-end';
import type { RunsOfKind } from '../../src/calls/runs-of-kind';
import { DifferentSpecError, InvalidSpecError, WrongKindError } from '../../src/loop/errors/errors';
import { startWriterWorld } from '../../testing/support/writer-world';

let world: Awaited<ReturnType<typeof startWriterWorld>>;
let client: ReflectionClient;
beforeAll(async () => {
  world = await startWriterWorld((text) => ({ text }));
  ({ client } = world);
});
afterAll(() => world.close());

const write = (text: string) => ({ action: 'write', with: { text } });
const evaluator = { type: 'regex' as const, pattern: 'text' };

/** The kinds of run that end by themselves: their runs, what starts one, and what its result shows of the text. */
const KINDS: Record<
  string,
  [runs: () => RunsOfKind<never, object, unknown>, spec: (text: string) => unknown, part: string]
> = {
  evaluations: [() => client.evaluations as never, (text) => ({ evaluator, data: { text } }), 'satisfactory'],
  corrections: [
    () => client.corrections as never,
    (text) => ({ corrector: write(text), data: 'a', errors: ['b'] }),
    'output',
  ],
  plans: [
    () => client.plans as never,
    (text) => ({
      goal: 'A text.',
      plan: { id: 'one', tasks: [{ id: 'a', description: 'Write.', step: write(text) }] },
      enableReflection: false,
    }),
    'success',
  ],
  pipelines: [
    () => client.pipelines as never,
    (text) => ({ nodes: [{ name: 'write', uses: 'write', with: { text }, output: 'draft' }] }),
    'state',
  ],
};

describe.each(Object.entries(KINDS))('%s', (_name, [runsOf, specOf, part]) => {
  const start = (id: string) => specOf(id) as never;

  test('start, result, run, runOnce and get', async () => {
    const id = randomUUID();
    const runs = runsOf();
    const { result, ...reference } = await runs.start(start(id), { workflowId: id });
    const ended = await result();
    expect(ended).toHaveProperty(part);
    expect(await runs.result(reference)).toEqual(ended);
    expect(await runs.result(id)).toEqual(ended);
    expect(await runs.get(id)).toEqual({ ...reference, status: 'completed', result: ended });
    expect(await runs.runOnce(id, start('other'))).toEqual(ended);
    expect(Object.keys(await runs.run(start('again'))).toSorted()).toEqual(Object.keys(ended).toSorted());
  });

  test('startOnce gives an equal spec its run, and refuses another one', async () => {
    const id = randomUUID();
    const runs = runsOf();
    const first = await runs.startOnce(id, start('one'));
    const second = await runs.startOnce(id, start('one'));
    expect(second.runId).toBe(first.runId);
    expect(await second.result()).toEqual(await first.result());
    await expect(runs.startOnce(id, start('two'))).rejects.toThrow(DifferentSpecError);
  });

  test('a spec of a wrong form and a run of another kind are refused', async () => {
    const runs = runsOf();
    await expect(runs.start({ colour: 'red' } as never)).rejects.toThrow(InvalidSpecError);
    const { workflowId } = await client.start({ generator: write('text'), evaluator });
    await expect(runs.get(workflowId)).rejects.toThrow(WrongKindError);
  });
});

test('plans and pipelines answer with their progress', async () => {
  const plan = await client.plans.start(KINDS['plans']![1]('text') as never);
  expect(await client.plans.progress(plan.workflowId)).toHaveProperty('tasks');
  const { workflowId } = await client.pipelines.start(KINDS['pipelines']![1]('text') as never);
  expect(await client.pipelines.progress(workflowId)).toHaveProperty('state');
  expect(await client.pipelines.progress(workflowId, { state: false })).not.toHaveProperty('state');
});

test('an evaluation that runs is found without a progress', async () => {
  const { workflowId, runId } = await client.evaluations.start({ evaluator, data: 'text' }, { taskQueue: 'nobody' });
  const found: FoundRun<unknown, undefined> = await client.evaluations.get(workflowId);
  expect(found).toEqual({ workflowId, runId, status: 'running', progress: undefined });
  await client.temporal.workflow.getHandle(workflowId).terminate();
});

test('agents are started, told, and finished', async () => {
  const config = { reflection: { method: 'template' as const } };
  const { workflowId, result } = await client.agents.start({ agents: [{ id: 'a', type: 'owner' }], config });
  const { reflected } = await client.agents.trigger(workflowId, { kind: 'crisis', year: 1 });
  expect(reflected).toMatchObject([{ agentId: 'a' }]);
  expect(await client.agents.progress(workflowId)).toHaveProperty('year', 1);
  expect(await client.agents.get(workflowId)).toMatchObject({ status: 'running', progress: { year: 1 } });
  expect(await client.agents.reflections(workflowId)).toHaveLength(1);
  const report = await client.agents.finish(workflowId);
  expect(await result()).toEqual(report);
});

test('a batch is started with a function that waits for its result', async () => {
  const loop = { generator: { action: 'write', with: { text: '{{ state.id }}' } }, evaluator };
  const batch = await client.batches.start([{ id: 'one' }, { id: 'two' }], loop, { name: randomUUID() });
  const ended = await batch.result();
  expect(ended).toMatchObject({ passed: 2 });
  const again = await client.batches.attach(batch.workflowId);
  expect(again).toMatchObject({ runId: batch.runId, attached: true });
  expect(await again.result()).toEqual(ended);
  expect(await client.batches.get(batch.workflowId)).toMatchObject({ status: 'completed', result: ended });
});
