import { z } from 'zod';
import { defineAction } from '../../../src/worker';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const asks = { action: 'llm.call', prompt: 'Write.' } as const;
const judge = { type: 'regex', pattern: '.' } as const;

/** What the check of a spec cannot see: why, an example, and how the run tells it. All else is told before the first paid call. */
const LATER: [why: string, spec: ReflectionSpec, said: RegExp][] = [
  [
    'a value of a template is known once it is rendered',
    { state: { many: 9 }, generator: { action: 'post', with: { count: '{{ state.many }}' } }, evaluator: judge },
    /count: Too big: expected number to be <=3/,
  ],
  [
    'what an expression does with its values shows when it is rendered',
    { state: { word: null }, generator: { action: 'llm.call', prompt: '{{ state.word * 2 }}' }, evaluator: judge },
    /template failed/,
  ],
  [
    'code is read before the run, and not run',
    { generator: { language: 'javascript', run: 'return nobody.there' }, evaluator: judge },
    /nobody.* is not defined/,
  ],
  [
    'the errors of an action are those of its code',
    { generator: { action: 'breaks' }, evaluator: judge },
    /the press is broken/,
  ],
  [
    'an evaluator that fails has an output to fail at',
    { generator: asks, evaluator: { type: 'custom', language: 'lua', run: 'return output.a.b' } },
    /Lua, line 1/,
  ],
  [
    'which workflows exist is known to their workers',
    {
      generator: { workflow: 'NobodyHasThis', taskQueue: 'nobody-polls-this' },
      evaluator: judge,
      timeouts: { retryFor: '2s' },
    },
    /NobodyHasThis/,
  ],
  [
    'whether a service answers is known once it is asked',
    {
      generator: asks,
      evaluator: { type: 'external', url: 'https://nobody.invalid/check' },
      timeouts: { retryFor: '1s' },
    },
    /nobody\.invalid/,
  ],
];

describe('what the check of a spec cannot see', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({ script: [{ reply: 'a text', times: 'always' }] });
    world = await startWorld({
      models: [{ name: 'm', model: 'm', baseUrl: openai.baseUrl }],
      actions: [
        defineAction({
          name: 'post',
          description: 'Posts.',
          input: z.object({ count: z.number().max(3) }),
          run: () => 'x',
        }),
        defineAction({
          name: 'breaks',
          description: 'Breaks.',
          input: z.unknown(),
          run: () => {
            throw new Error('the press is broken');
          },
        }),
      ],
    });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await openai.close();
  });

  test.each(LATER)(
    '%s',
    async (_why, spec, said) => {
      const ended = await world.client.run(spec).then(
        ({ finalEvaluation }) => ({ type: undefined, message: finalEvaluation?.reason ?? '' }),
        (error: Error & { type?: string }) => ({ type: error.type, message: error.message }),
      );
      expect(ended.type).not.toBe('InvalidSpec');
      expect(ended.message).toMatch(said);
    },
    60_000,
  );
});
