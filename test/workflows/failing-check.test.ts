import { z } from 'zod';
import { type Action, defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const lists = defineAction({
  name: 'lists',
  description: 'Gives a list that a template cannot go through twice over.',
  input: z.unknown(),
  run: () => Array.from({ length: 2_000 }, (_, index) => index),
});

const SECRET = 'a-password-of-the-worker';

/** As one that was put together by hand can be. */
const broken: Action = Object.defineProperty({ ...lists, name: 'broken' }, 'needs', {
  get: () => {
    throw new TypeError(`cannot read postgres://worker:${SECRET}@database/needs`);
  },
});

describe('what is done on the spot, and fails', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [lists, broken] });
  });
  afterAll(() => world.close());

  test('a check of the spec that goes wrong fails the run at once, as StepFailed of `prepare`, without secrets', async () => {
    const run = world.client.run({
      generator: { action: 'broken' },
      evaluator: { type: 'schema', schema: { type: 'array' } },
    });
    const failure = await run.then(
      () => Promise.reject(new Error('the run succeeded')),
      (error: Error) => error,
    );
    expect(failure).toMatchObject({
      type: 'StepFailed',
      message: expect.stringMatching(/could not be checked: cannot read postgres/),
      details: [{ step: 'prepare' }],
    });
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  }, 25_000);

  test('one that throws could not judge: the loop is blocked, and does not try for ever', async () => {
    const result = await world.client.run({
      // Harmless until there is an output, so that only the evaluation fails.
      task: '{% for a in state.reflection_output %}{% for b in state.reflection_output %}{{ b }}{% endfor %}{% endfor %}',
      generator: { action: 'lists' },
      evaluator: { type: 'schema', schema: { type: 'array' } },
    });
    expect(result).toMatchObject({
      success: false,
      convergenceReason: 'blocked',
      finalEvaluation: {
        outcome: 'inconclusive',
        overallScore: null,
        reason: expect.stringMatching(/could not judge/),
      },
    });
  }, 25_000);
});
