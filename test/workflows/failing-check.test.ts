import { z } from 'zod';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../support/loop-world';

const lists = defineAction({
  name: 'lists',
  description: 'Gives a list that a template cannot go through twice over.',
  input: z.unknown(),
  run: () => Array.from({ length: 2_000 }, (_, index) => index),
});

describe('deterministic evaluators that fail', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [lists] });
  });
  afterAll(() => world.close());

  test('P13 one that throws could not judge: the loop is blocked, and does not try for ever', async () => {
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
