import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { Progress } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { pageOf } from '../../testing/support/page-of';

/** Never good enough; says what reviewers said. */
const writes = defineAction({
  name: 'writes',
  description: 'Writes what does not pass, and what it heard.',
  input: z.unknown(),
  run: (_input, { iteration, state }) => ({ iteration, heard: (state['reflection_guidance'] ?? null) as Json }),
});

const spec: ReflectionSpec = {
  generator: { action: 'writes' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 3,
  review: { when: 'every_iteration' },
};

describe('the way of a reviewer', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [writes] });
  });
  afterAll(() => world.close());

  const handle = (id: string) => world.client.temporal.workflow.getHandle(id);
  const waiting = (id: string, iteration: number) =>
    eventually(
      () => world.client.progress(id),
      (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
    );
  async function waits(more: Partial<ReflectionSpec> = {}, iteration = 1): Promise<string> {
    const { workflowId } = await world.client.start({ ...spec, ...more });
    await waiting(workflowId, iteration);
    return workflowId;
  }

  test.each([
    ['before the limit', {}, 1],
    ['at the limit', { maxIterations: 2, review: { when: 'on_exhausted' } }, 2],
  ] as const)(
    'whatever the page offers, copied from it into a signal, is taken: %s',
    async (_where, more, iteration) => {
      const ids: string[] = [];
      const first = await waits(more, iteration);
      const offers = [...(await pageOf(handle(first))).matchAll(/^- `(\w+)` `(\{.*?\})` /gm)];
      expect(offers.map(([, name]) => name)).toEqual([
        'accept',
        'guide',
        'override',
        'extend',
        'decide',
        'reflect',
        'abort',
      ]);
      ids.push(first);
      while (ids.length < offers.length) ids.push((await world.client.start({ ...spec, ...more })).workflowId);
      await Promise.all(ids.map((id) => waiting(id, iteration)));
      await Promise.all(
        offers.map(async ([, name, payload], index) => {
          const id = ids[index]!;
          await handle(id).signal(name!, JSON.parse(payload!));
          const page = await eventually(
            () => pageOf(handle(id)),
            (text) => text.includes(`\`${name}\` by you (signal)`),
          );
          expect(page).toContain(`\`${name}\` by you (signal) received`);
        }),
      );
      await Promise.all(ids.map((id) => world.client.abort(id).catch(() => undefined)));
    },
  );

  test('the answer to what lets a loop go on does not say that it waits', async () => {
    const id = await waits();
    const tell = (name: string, payload: object) =>
      handle(id).executeUpdate<Progress, [object]>(name, { args: [payload] });
    expect((await tell('extend', { iterations: 1 })).waitingFor?.what).toContain('version 1 (it would go on)');
    expect((await tell('decide', { iteration: 1, decision: 'continue' })).waitingFor).toBeUndefined();
    expect((await waiting(id, 2)).waitingFor!.commands!.map(({ name }) => name)).toContain('decide');
    expect((await tell('guide', { text: 'Name the source.' })).waitingFor).toBeUndefined();
    await waiting(id, 3);
    await tell('abort', {});
  });

  test('who guides twice is heard with both', async () => {
    const id = await waits();
    await handle(id).signal('guide', { text: 'Name the source.' });
    await handle(id).signal('guide', { text: 'Be brief.' });
    const heard = async () => JSON.stringify((await world.client.history(id)).map(({ output }) => output));
    await waiting(id, 2);
    // The second may have come when the revision was under way: then the one after it is told.
    if (!(await heard()).includes('Be brief.')) {
      await world.client.decide(id, { iteration: 2, decision: 'continue' });
      await waiting(id, 3);
    }
    expect(await heard()).toMatch(/Name the source\..*Be brief\./);
    await world.client.abort(id);
    expect((await world.client.result(id)).history.people.map(({ applied }) => applied)).not.toContain(false);
  });

  test('an override that is accepted at once, by its iteration, is what the run hands back', async () => {
    const id = await waits();
    const mine = { mine: true };
    expect(await world.client.override(id, { output: mine, by: 'reviewer' })).toMatchObject({ iteration: 1 });
    await waiting(id, 2);
    await world.client.accept(id, { iteration: 2 });
    const result = await world.client.result(id);
    expect(result).toMatchObject({ success: true, convergenceReason: 'user_accepted', finalOutput: mine });
    expect(result.history.people).toMatchObject([
      { name: 'override', by: 'reviewer', applied: true },
      { name: 'accept', applied: true },
    ]);
  });

  test('abort of a run that waits hands back what there is, under raise, too', async () => {
    const id = await waits({ onFailure: 'raise' });
    await handle(id).signal('abort', { by: 'you' });
    expect(await world.client.result(id)).toMatchObject({
      convergenceReason: 'aborted',
      finalOutput: { iteration: 1 },
    });
  });
});
