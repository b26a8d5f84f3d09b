import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** Writes a draft, and then what the reviewer said. */
const rates = defineAction({
  name: 'rates',
  description: 'Gives a draft, and then the words of the reviewer.',
  input: z.unknown(),
  run: (_input, { state }) => state['reflection_guidance'] ?? 'draft',
});
const rating = defineAction({
  name: 'rating',
  description: 'Passes everything, and likes the draft best.',
  input: z.unknown(),
  run: (_input, { state }) => ({ valid: true, score: state['reflection_output'] === 'draft' ? 0.92 : 0.9 }),
});

/** Never answers, until its run gives it up. */
const hangs = defineAction({
  name: 'hangs',
  description: 'Drafts, and then never answers.',
  input: z.unknown(),
  run: (_input, { iteration, signal }) =>
    iteration === 1
      ? { almost: true }
      : new Promise<Json>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
});

const passes = { type: 'schema', schema: {} } as const;
const stuck: ReflectionSpec = { generator: { action: 'hangs' }, evaluator: passes, maxIterations: 5 };

describe('the version under review', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [hangs, rates, rating] });
  });
  afterAll(() => world.close());

  async function start(given: ReflectionSpec): Promise<string> {
    return (await world.client.start(given)).workflowId;
  }

  const handle = (id: string) => world.client.temporal.workflow.getHandle(id);
  const tell = (id: string, name: string, payload: object) => handle(id).executeUpdate(name, { args: [payload] });

  async function waiting(id: string, iteration: number) {
    return eventually(
      () => world.client.progress(id),
      (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
    );
  }

  test('after a guide the version that came of it is under review: accept takes it, although an earlier one is better', async () => {
    const rated = { generator: { action: 'rates' }, evaluator: { type: 'function', action: 'rating' } } as const;
    const id = await start({ ...rated, review: { when: 'on_satisfactory' }, maxIterations: 4 } as ReflectionSpec);
    await waiting(id, 1);
    await tell(id, 'guide', { text: 'Name the source.', by: 'reviewer' });
    const { waitingFor, best } = await waiting(id, 2);
    expect([waitingFor?.version, best?.iteration]).toEqual([2, 1]);
    await tell(id, 'accept', { by: 'reviewer' });
    expect(await world.client.result(id)).toMatchObject({ finalOutput: 'Name the source.', success: true });
  });

  test('what another person decided stands: the second decision is refused with who decided what', async () => {
    const id = await start({ ...stuck, review: { when: 'every_iteration' } });
    await waiting(id, 1);
    await tell(id, 'guide', { text: 'Name the source.', by: 'Ada' });
    await expect(world.client.accept(id, { by: 'Bob' })).rejects.toThrow(
      /the review of version 1 is decided: Ada sent "guide" at 20/,
    );
    await handle(id).signal('override', { output: {}, by: 'Bob' });
    expect(await world.client.accept(id, { best: true, by: 'Bob' })).toMatchObject({ accepted: 1 });
    const { history } = await world.client.result(id);
    expect(history.people.map(({ name, applied }) => [name, applied])).toEqual([
      ['guide', false],
      ['override', false],
      ['accept', true],
    ]);
    expect(history.people[1]!.why).toContain('Ada sent "guide"');
  });
});
