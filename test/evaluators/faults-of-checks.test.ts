import { z } from 'zod';
import { defineAction } from '../../src/worker';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

let calls = 0;
const given: unknown[] = [];
const check = { description: 'Judges.', needs: [] } as const;
const actions = [
  defineAction({ name: 'write', description: 'Writes.', input: z.unknown(), run: () => 'a right text' }),
  defineAction({
    ...check,
    name: 'short',
    input: z.object({ max: z.number(), output: z.string().optional() }),
    run: ({ output, max }) => output!.length <= max,
  }),
  defineAction({
    ...check,
    name: 'sees',
    input: z.looseObject({}),
    run: (parameters) => {
      given.push(parameters);
      return true;
    },
  }),
  defineAction({
    ...check,
    name: 'throws',
    input: z.unknown(),
    run: () => {
      calls += 1;
      return (undefined as unknown as { length: number }).length > 0;
    },
  }),
  defineAction({
    ...check,
    name: 'throws_here',
    input: z.unknown(),
    local: true,
    run: () => {
      calls += 1;
      throw new TypeError('this is broken');
    },
  }),
];

const crashing = `process.stderr.write('Trace\\n'.repeat(9) + 'TypeError: no such field'); process.exit(3)`;

describe('an evaluator whose own code fails', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({
      actions,
      commands: { crashes: { command: process.execPath, args: ['-e', crashing] } },
    });
  });
  afterAll(() => world.close());

  const judgedBy = (evaluator: Evaluator) => world.client.run({ generator: { action: 'write' }, evaluator });

  test.each<[string, Evaluator, RegExp]>([
    [
      'an action',
      { type: 'function', action: 'throws' },
      /action "throws" failed at evaluators\/faults-of-checks\.test\.ts:\d+: Cannot read/,
    ],
    ['a local action', { type: 'function', action: 'throws_here' }, /failed at .*:\d+: this is broken/],
    [
      'code',
      { type: 'custom', language: 'javascript', run: 'let a\nreturn output.a.b.c' },
      /JavaScript, line 2: TypeError/,
    ],
    ['a program', { type: 'external', command: 'crashes' }, /ended with 3: Trace · .*TypeError: no such field/],
  ])(
    '%s: could not judge, says where, is asked once, and the text is not revised',
    async (_what, evaluator, reason) => {
      calls = 0;
      const result = await judgedBy(evaluator);
      expect(result).toMatchObject({ convergenceReason: 'blocked', iterationsUsed: 1, finalOutput: 'a right text' });
      expect(result.finalEvaluation).toMatchObject({ outcome: 'inconclusive', issues: [] });
      expect(result.finalEvaluation!.reason).toMatch(reason);
      expect(calls).toBeLessThan(2);
    },
  );

  test('an action that takes `output` gets it beside parameters that do not name it', async () => {
    const result = await judgedBy({ type: 'function', action: 'short', with: { max: 100 } });
    expect(result).toMatchObject({ success: true, finalOutput: 'a right text' });
  });

  test('an action that does not say so gets what the spec says', async () => {
    given.length = 0;
    await judgedBy({ type: 'function', action: 'sees', with: { max: 1 } });
    await judgedBy({ type: 'function', action: 'sees', with: { output: 'mine' } });
    await judgedBy({ type: 'function', action: 'sees' });
    expect(given).toEqual([{ max: 1 }, { output: 'mine' }, { output: 'a right text' }]);
  });
});
