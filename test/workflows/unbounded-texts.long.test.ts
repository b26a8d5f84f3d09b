import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { JsonObject } from '../../src/lib/json/json';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const LONG = 1_900_000;
const text = (characters: number): string => 'x'.repeat(characters);

const writes = defineAction({
  name: 'writes',
  description: 'Writes what does not pass.',
  input: z.unknown(),
  needs: [],
  run: () => 'a draft',
});

const FOUND: Record<string, () => JsonObject> = {
  suggestion: () => ({ valid: false, score: 0.1, suggestions: [text(LONG)] }),
  issues: () => ({ valid: false, score: 0.1, issues: Array.from({ length: 50 }, () => ({ message: text(30_000) })) }),
  criteria: () => ({
    valid: false,
    score: 0.1,
    criteriaScores: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${text(15_000)}`, 0.1])),
  }),
  reason: () => ({ valid: false, score: 0.1, reason: text(LONG) }),
};

const finds = defineAction({
  name: 'finds',
  description: 'Judges at length.',
  input: z.object({ what: z.string() }),
  needs: [],
  run: ({ what }) => FOUND[what]!(),
});

const throws = defineAction({
  name: 'throws',
  description: 'Fails at length.',
  input: z.object({ typed: z.boolean() }),
  needs: [],
  run: ({ typed }) => {
    if (typed) throw ApplicationFailure.nonRetryable(text(3_000_000), 'Mine', text(3_000_000));
    throw new Error(text(3_000_000));
  },
});

describe('texts of any length', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [writes, finds, throws] });
  }, 60_000);
  afterAll(() => world.close());

  const base = { generator: { action: 'writes' }, maxIterations: 4, convergence: false } as const;

  test.each(Object.keys(FOUND))(
    'a %s beyond bounds: the run waits, answers queries, and takes abort',
    async (what) => {
      const evaluator = Array.from(
        { length: 5 },
        () => ({ type: 'function', action: 'finds', with: { what } }) as const,
      );
      const { workflowId } = await world.client.start({ ...base, evaluator, review: { when: 'on_exhausted' } });
      await eventually(
        () => world.client.progress(workflowId),
        ({ phase }) => phase === 'waiting',
        40_000,
      );
      expect(await world.client.history(workflowId)).toHaveLength(4);
      await world.client.abort(workflowId);
      const { history, convergenceReason } = await world.client.result(workflowId);
      expect([convergenceReason, history.totalIterations]).toEqual(['aborted', 4]);
      const evaluations = history.versions.map(({ evaluation }) => JSON.stringify(evaluation).length);
      expect(Math.max(...evaluations)).toBeLessThan(100_000);
    },
    90_000,
  );

  /** How a run of what may be no spec fails. */
  async function failure(spec: unknown): Promise<{ type: string; message: string; details: unknown[] }> {
    const { temporal, taskQueue } = world.client;
    const workflowId = `long-${randomUUID()}`;
    const run = temporal.workflow.execute('reflectionLoop', { taskQueue, workflowId, args: [spec] });
    const failed = await run.then(
      () => undefined,
      (error: { cause: { type: string; message: string; details: unknown[] } }) => error.cause,
    );
    if (!failed) throw new Error('it did not fail');
    return failed;
  }

  test.each([
    ['60,000 unknown keys', Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`key${index}`, 1]))],
    ['a key of 1.7 MB', { [text(1_700_000)]: 1 }],
  ])(
    '%s: InvalidSpec tells the first mistakes',
    async (_what, keys) => {
      const { type, message, details } = await failure({ ...base, evaluator: { type: 'llm' }, ...keys });
      expect(type).toBe('InvalidSpec');
      expect(message.length + JSON.stringify(details).length).toBeLessThan(400_000);
    },
    60_000,
  );

  test.each([true, false])(
    'a failure of 3 MB is told within bounds (typed: %s)',
    async (typed) => {
      const { type, message } = await failure({
        ...base,
        generator: { action: 'throws', with: { typed } },
        evaluator: { type: 'regex', pattern: 'x' },
      });
      expect([type, message.length < 20_000]).toEqual([typed ? 'Mine' : 'StepFailed', true]);
      if (typed) expect(message).toContain('more characters');
    },
    60_000,
  );
});
