import { z } from 'zod';
import { defineAction } from '../../../src/worker';
import type { SpecProblem } from '../../../src/lib/contract/spec-problem';
import { requestsOf } from '../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../../src/apps/testing/scripted-model/server';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const post = defineAction({
  name: 'post',
  description: 'Posts.',
  input: z.object({ to: z.string(), count: z.number().max(3), text: z.string().optional() }),
  run: () => 'posted',
});

const prompt = 'Write.';
const asks = { action: 'llm.call', prompt } as const;
const judge = { type: 'regex', pattern: '.' } as const;
const lua = { language: 'lua', run: 'return {' } as const;
const python = { run: 'x = 1\nreturn (x' } as const;
const bad = { action: 'post', with: { count: 9 } } as const;
const templated = { action: 'post', with: { to: '{{ state.to }}', conut: 1 } } as const;

const LUA = expect.stringMatching(/^has a mistake: Lua, line 1: SyntaxError/);
const PYTHON = expect.stringMatching(/^has a mistake: Python, line 2: SyntaxError/);
const MISSING = expect.stringMatching(/\(input of the action "post"\)$/);

/** Starts a run of each kind, and tells where the mistakes are. */
const KINDS: [string, (client: LoopWorld['client']) => Promise<unknown>, Record<string, unknown>][] = [
  [
    'a loop',
    (client) =>
      client.run({
        generator: asks,
        corrector: bad,
        evaluator: [judge, { type: 'custom', ...lua }, { type: 'function', ...templated }],
        hooks: { onGeneration: python },
      }),
    {
      '/corrector/with/to': MISSING,
      '/corrector/with/count': MISSING,
      '/evaluator/1/run': LUA,
      '/evaluator/2/with/count': MISSING,
      '/hooks/onGeneration/run': PYTHON,
    },
  ],
  [
    'an evaluation',
    (client) =>
      client.evaluations.run({
        evaluator: [
          { type: 'custom', ...python },
          { type: 'function', ...bad },
        ],
        data: 'x',
      }),
    { '/evaluator/0/run': PYTHON, '/evaluator/1/with/to': MISSING, '/evaluator/1/with/count': MISSING },
  ],
  [
    'a correction',
    (client) => client.corrections.run({ corrector: lua, data: 'x', errors: ['wrong'] }),
    { '/corrector/run': LUA },
  ],
  [
    'a pipeline',
    (client) =>
      client.pipelines.run({
        nodes: [
          { name: 'one', uses: 'llm.call', with: { prompt }, output: 'one' },
          { name: 'two', ...python, output: 'two' },
          { name: 'three', ...bad, output: 'three' },
          {
            name: 'four',
            uses: 'reflection.loop',
            with: { generator: asks, evaluator: { type: 'custom', ...lua } },
            output: 'four',
          },
        ],
      }),
    {
      '/nodes/1/run': PYTHON,
      '/nodes/2/with/to': MISSING,
      '/nodes/2/with/count': MISSING,
      '/nodes/3/with/evaluator/run': LUA,
    },
  ],
  [
    'a plan',
    (client) =>
      client.plans.run({
        goal: 'It is posted.',
        plan: {
          id: 'p',
          tasks: [
            { id: 'a', description: 'Ask.', step: asks },
            { id: 'b', description: 'Code.', step: lua },
            { id: 'c', description: 'Post.', step: bad },
          ],
        },
      }),
    { '/plan/tasks/1/step/run': LUA, '/plan/tasks/2/step/with/to': MISSING, '/plan/tasks/2/step/with/count': MISSING },
  ],
  [
    'a batch',
    async (client) => {
      const { workflowId } = await client.batches.start([{ id: 'one', state: {} }], {
        generator: asks,
        evaluator: { type: 'custom', ...lua },
      });
      return client.batches.result(workflowId);
    },
    { '/loop/evaluator/run': LUA },
  ],
];

describe('mistakes in inline code and in parameters of actions', () => {
  let world: LoopWorld;
  let openai: ScriptedOpenAI;
  beforeAll(async () => {
    openai = await ScriptedOpenAI.start({ script: [{ reply: 'paid for', times: 'always' }] });
    world = await startWorld({ actions: [post], models: [{ name: 'm', model: 'm', baseUrl: openai.baseUrl }] });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await openai.close();
  });

  test.each(KINDS)(
    'of %s are told together, and nothing is paid',
    async (_kind, start, expected) => {
      const failure = (await start(world.client).then(
        () => Promise.reject(new Error('it was accepted')),
        (error: unknown) => error,
      )) as { type: string; problems: SpecProblem[] };
      expect(failure).toMatchObject({ type: 'InvalidSpec' });
      expect(Object.fromEntries(failure.problems.map(({ path, message }) => [path, message]))).toEqual(expected);
      expect(requestsOf(openai.ledger)).toHaveLength(0);
    },
    90_000,
  );

  test('a key that a template misspells is a warning of the first version', async () => {
    const generator = { action: 'llm.call', prompt: 'Write to {{ state.nmae }}.' } as const;
    const result = await world.client.run({ state: { name: 'Ada' }, generator, evaluator: judge });
    expect(result.history.versions[0]!.warnings).toContainEqual(
      expect.stringMatching(/^\/generator\/prompt: prints state\.nmae, .*did you mean name\?/),
    );
  });
});
