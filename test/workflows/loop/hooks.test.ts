import { z } from 'zod';
import { RunFailedError } from '../../../src/loop/errors/errors';
import type { Json } from '../../../src/lib/json/json';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { defineAction } from '../../../src/worker';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const PERSON = { type: 'object', required: ['name', 'age'] };
const bad = { name: 'Ada' };
const good = { name: 'Ada', age: 30 };

/** What hooks were told, kept for the test to look at. */
const told: { event: Record<string, unknown>; task?: string; state: Record<string, unknown> }[] = [];

const answers = defineAction({
  name: 'answers',
  description: 'Gives the answer for the iteration.',
  input: z.object({ list: z.array(z.json()) }),
  run: ({ list }, { iteration }) => list[iteration - 1] as Json,
});
const completes = defineAction({
  name: 'completes',
  description: 'Corrects by adding an age.',
  input: z.unknown(),
  run: () => good,
});
const listens = defineAction({
  name: 'listens',
  description: 'Keeps what it is told, and says what the state says.',
  input: z.looseObject({ hook: z.string(), iteration: z.number() }),
  run: (event, { state, task }) => {
    told.push({ event, state, ...(task === undefined ? {} : { task }) });
    const words = (state['words'] ?? {}) as Record<string, Json>;
    return words[String(event.iteration)] ?? null;
  },
});
const silent = defineAction({
  name: 'silent',
  description: 'Returns nothing at all.',
  input: z.unknown(),
  run: () => undefined as unknown as Json,
});
const breaks = defineAction({
  name: 'breaks',
  description: 'Always fails.',
  input: z.unknown(),
  run: () => {
    throw new Error('the pager is off');
  },
});

describe('hooks of a spec', () => {
  let world: LoopWorld;

  beforeAll(async () => {
    world = await startWorld({ actions: [answers, completes, listens, silent, breaks] });
  });
  afterAll(() => world.close());
  beforeEach(() => told.splice(0));

  const looped = (list: Json[], more: Partial<ReflectionSpec>): ReflectionSpec => ({
    generator: { action: 'answers', with: { list } },
    evaluator: { type: 'schema', schema: PERSON },
    ...more,
  });
  const all = { onGeneration: 'listens', onReflection: 'listens', onRevision: 'listens' };

  test('registered actions are called for generations, evaluations and revisions, in order', async () => {
    const spec = looped([bad], {
      corrector: { action: 'completes' },
      hooks: all,
      task: 'Describe {{ state.who }}',
      state: { who: '{{ nobody }}' },
    });
    const result = await world.client.run(spec);
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(told.map(({ event }) => [event['hook'], event['iteration']])).toEqual([
      ['onGeneration', 1],
      ['onReflection', 1],
      ['onRevision', 2],
      ['onReflection', 2],
    ]);
    expect(told[1]?.event).toMatchObject({ output: bad, evaluation: { outcome: 'fail' }, maxIterations: 3 });
    expect(told[2]?.event).toMatchObject({ output: good, previousOutput: bad });
    expect(told[1]).toMatchObject({ task: 'Describe {{ nobody }}', state: { reflection_output: bad } });
  });

  test('stop ends the run as stopped, without success when nothing passed', async () => {
    const state = { words: { 1: 'stop' } };
    const result = await world.client.run(looped([bad, good], { hooks: { onReflection: 'listens' }, state }));
    expect(result).toMatchObject({ convergenceReason: 'stopped', success: false, finalOutput: bad, iterationsUsed: 1 });
  });

  test('given `continue` after a pass, then `stop`, the run succeeds with the version that passed', async () => {
    const state = { words: { 1: 'continue', 2: 'stop' } };
    const result = await world.client.run(looped([good, bad], { hooks: { onReflection: 'listens' }, state }));
    expect(result).toMatchObject({ convergenceReason: 'stopped', success: true, finalOutput: good, iterationsUsed: 2 });
  });

  test('a hook that fails or returns an invalid value only leaves a warning', async () => {
    const broken = await world.client.run(looped([bad, good], { hooks: { onGeneration: 'breaks' } }));
    expect(broken).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(broken.history.versions.map(({ warnings }) => warnings.join())).toEqual([
      expect.stringMatching(/onGeneration failed and was left out: .*the pager is off/),
      expect.stringMatching(/the pager is off/),
    ]);
    const state = { words: { 1: 'maybe' } };
    const unclear = await world.client.run(looped([bad, good], { hooks: { onReflection: 'listens' }, state }));
    expect(unclear).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(unclear.history.versions[0]?.warnings.join()).toMatch(
      /answered "maybe"; it may answer auto, continue, stop/,
    );
  });

  test('a hook may return nothing', async () => {
    const result = await world.client.run(looped([bad, good], { hooks: { onReflection: 'silent' } }));
    expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
    expect(result.history.versions.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  test('names that the worker does not know are found before anything runs', async () => {
    const hooks = { onGeneration: 'nobody', onReflection: 'listens', onRevision: 'llm.call' };
    const failure = await world.client.run(looped([good], { hooks })).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      problems: [
        { path: '/hooks/onGeneration', message: expect.stringMatching(/"nobody" is not registered/) },
        { path: '/hooks/onRevision', message: expect.stringMatching(/registered action/) },
      ],
    });
    const unknown = world.client.run(looped([good], { hooks: { onGeneration: 'nobody' } }));
    await expect(unknown).rejects.toThrow(RunFailedError);
    expect(told).toEqual([]);
  });
});
