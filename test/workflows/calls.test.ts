import { z } from 'zod';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const orders = defineAction({
  name: 'orders.find',
  description: 'Finds an order.',
  input: z.object({ id: z.number() }),
  readOnly: true,
  run: ({ id }) => ({ id, date: '2026-11-03' }),
});
const tests = defineAction({
  name: 'tests.run',
  description: 'Runs the tests.',
  input: z.object({ code: z.string() }),
  run: ({ code }) => ({ failed: code.includes('fixme') ? 1 : 0 }),
});
const files = defineAction({
  name: 'files.write',
  description: 'Writes a file.',
  input: z.object({ text: z.string() }),
  run: () => 'written',
});

const call = (name: string, given: object): ScriptEntry => ({ toolCalls: [{ name, arguments: given }] });
const write = (text: string): ScriptEntry => call('files_write', { text });
const runTests = (code: string): ScriptEntry => call('tests_run', { code });
const says = (reply: string): ScriptEntry => ({ reply });
const yes: ScriptEntry = { reply: { answers: { q1: 'yes' } } };

const spec: ReflectionSpec = {
  task: 'Do it.',
  generator: {
    action: 'llm.call',
    model: 'writer',
    tools: ['orders.find', 'tests.run', 'files.write'],
    maxToolRounds: 5,
  },
  evaluator: [],
  maxIterations: 1,
};
const green = { type: 'object', required: ['failed'], properties: { failed: { const: 0 } } };

describe('rules about calls, on a real server', () => {
  let world: WriterAndJudge;

  beforeAll(async () => {
    world = await WriterAndJudge.start({ actions: [orders, tests, files] });
  });
  beforeEach(() => world.forget());
  afterAll(async () => {
    await world.close();
  });

  async function run(
    evaluator: ReflectionSpec['evaluator'],
    entries: ScriptEntry[],
    more: Partial<ReflectionSpec> = {},
  ) {
    const { success, history } = await world.run({ ...spec, evaluator, ...more }, entries);
    const { versions } = history;
    const reflections = versions.flatMap((version) => version.reflections ?? []);
    return { success, reflections, evaluations: versions.map(({ evaluation }) => evaluation) };
  }
  const types = ({ evaluations }: Awaited<ReturnType<typeof run>>): unknown[] =>
    evaluations.map(({ issues }) => issues.map(({ type, message }) => `${type} | ${message}`));

  test('an agent that claims a look-up which it did not make fails, and one that made it passes', async () => {
    const evaluator: ReflectionSpec['evaluator'] = {
      type: 'calls',
      must: [{ name: 'orders.find', arguments: { properties: { id: { const: 7 } } } }],
    };
    const answer = says('I looked order 7 up: 2026-11-03.');
    const claims = await run(evaluator, [answer]);
    expect(claims.success).toBe(false);
    expect(types(claims)).toEqual([['must: orders.find | orders.find was not called']]);
    expect(claims.evaluations[0]!.issues[0]!.identity).toBe('calls · must: orders.find');
    expect((await run(evaluator, [call('orders_find', { id: 8 }), answer])).success).toBe(false);
    expect((await run(evaluator, [call('orders_find', { id: 7 }), answer])).success).toBe(true);
  });

  test('an agent that ran the tests before its last change fails, and one that ran them after it passes', async () => {
    const after = { must: ['tests.run'], after: true };
    const covers = { must: [{ name: 'tests.run', result: green, covers: '/code' }] };
    const early = [runTests('a = 1'), write('a = 2'), says('a = 2\n')];
    const late = [write('a = 2'), runTests('a = 2'), call('orders_find', { id: 1 }), says('a = 2\n')];
    for (const rules of [after, covers]) {
      expect((await run({ type: 'calls', ...rules }, late)).success).toBe(true);
      expect((await run({ type: 'calls', ...rules }, early)).success).toBe(false);
    }
    expect(types(await run({ type: 'calls', ...after, ...covers }, early))).toEqual([
      ['must: tests.run | tests.run was called with something else than the output (at /code)'],
    ]);
    expect(types(await run({ type: 'calls', ...after }, early))).toEqual([
      ['must: tests.run | tests.run was called too early: files.write was called after it'],
    ]);
  });

  test('a criterion with a proof is met by a record of the call, and no judge is asked about it', async () => {
    const proof = { call: 'tests.run', result: green, covers: '/code', after: true };
    const criteria = ['clarity', { name: 'tests', description: 'The tests pass.', weight: 3, proof }];
    const evaluator = { type: 'criteria', model: 'judge', criteria } as const;
    const proven = await run(evaluator, [runTests('a = 1'), says('a = 1'), yes]);
    expect(proven).toMatchObject({ success: true, evaluations: [{ criteriaScores: { clarity: 1, tests: 1 } }] });
    const claim = { criterion: 'tests', claim: 'The tests pass.' };
    const record = expect.stringMatching(/^tests\.run \{.*"a = 1".*\} → /);
    expect(proven.evaluations[0]!.proofs).toEqual([{ ...claim, record }]);
    const unproven = await run(evaluator, [says('a = 1, and the tests pass.'), yes]);
    expect(unproven).toMatchObject({
      success: false,
      evaluations: [
        {
          overallScore: 1 / 4,
          criteriaScores: { clarity: 1, tests: 0 },
          issues: [
            { type: 'unproven', criterion: 'tests', message: 'unproven: tests.run was not called', severity: 'major' },
          ],
        },
      ],
    });
    expect(unproven.evaluations[0]!.proofs).toEqual([claim]);
    const judged = world.prompts('judge');
    expect(judged).toHaveLength(2);
    for (const prompt of judged) expect(prompt).not.toMatch(/tests pass\.\)|q2/);
    expect(types(await run(evaluator, [runTests('fixme'), says('fixme'), yes]))).toEqual([
      ['unproven | unproven: tests.run did not return what is required: failed: must be 0, got 1'],
    ]);
  });

  test('a criterion that is unproven is proven by a revision that makes the call', async () => {
    const criteria = [{ name: 'tests', proof: { call: 'tests.run', covers: '/code' } }];
    const entries = [says('a = 1'), runTests('a = 2'), says('a = 2'), says('a = 3'), runTests('a = 3'), says('a = 3')];
    const drafted = await run({ type: 'criteria', criteria }, entries.slice(0, 3), { maxIterations: 2 });
    expect(drafted).toMatchObject({ success: true, evaluations: [{ overallScore: 0 }, { overallScore: 1 }] });
    // The call of the draft is evidence of its revisions, and does not cover another text.
    const late = await run({ type: 'criteria', criteria }, [runTests('a = 1'), says('a = 2'), says('a = 1')], {
      maxIterations: 2,
    });
    expect(late).toMatchObject({ success: true, evaluations: [{ overallScore: 0 }, { overallScore: 1 }] });
  });

  test('a loop of a pipeline proves a criterion, whose schema may be made of the state', async () => {
    const proof = { call: 'tests.run', result: { type: 'object', properties: { failed: '{{ state.most }}' } } };
    const { maxIterations, generator, task } = spec;
    const evaluator = { type: 'criteria', criteria: [{ name: 'tests', proof }] };
    const nodes = [{ name: 'code', action: 'reflection.loop', with: { task, maxIterations, generator, evaluator } }];
    for (const [code, isMet] of [
      ['fixme', false],
      ['a = 1', true],
    ] as const) {
      world.say([runTests(code), says(code)]);
      const { state } = await world.client.pipelines.run({ state: { most: { maximum: 0 } }, nodes } as never);
      expect(state).toMatchObject({ success: isMet });
    }
  });

  test('work that is not done is not judged by its calls, and other criteria are', async () => {
    const criteria = ['clarity', { name: 'tests', proof: { call: 'tests.run' } }];
    const evaluator = [{ must: ['tests.run'] }, { type: 'criteria', model: 'judge', criteria }];
    const entries: ScriptEntry[] = [
      { reply: 'I will write.', toolCalls: [{ name: 'files_write', arguments: { text: 'a' } }] },
      yes,
      runTests('a'),
      yes,
      says('a'),
      yes,
    ];
    const result = await run(evaluator as ReflectionSpec['evaluator'], entries, {
      triggers: { reflectionInterval: 1 },
    } as Partial<ReflectionSpec>);
    expect(result.success).toBe(true);
    expect(result.reflections).toHaveLength(2);
    for (const { evaluation } of result.reflections)
      expect(evaluation).toMatchObject({ criteriaScores: { clarity: 1 }, issues: [] });
  });

  test.each<[what: string, evaluator: unknown, problems: [path: string, message: RegExp][]]>([
    ['an unknown field', { must: [{ name: 'a', with: {} }] }, [['/evaluator/must/0/with', /./]]],
    ['no JSON Pointer', { must: [{ name: 'a', covers: 'code' }] }, [['/evaluator/must/0/covers', /JSON Pointer/]]],
    ['no rule', { type: 'calls', weight: 2 }, [['/evaluator/must', /give one of them/]]],
    [
      'a schema that is none',
      { must: [{ call: 'tests.run', result: { type: 'number', minimum: 'x' } }] },
      [['/evaluator/must/0/result/minimum', /./]],
    ],
    ['a bad limit', { atMost: { a: -1 } }, [['/evaluator/atMost/a', /./]]],
    [
      'a bad order of changes',
      { must: ['a'], after: { call: 'b' } },
      [['/evaluator/after/call', /did you mean calls/]],
    ],
    [
      'a schema of a proof',
      { criteria: ['clarity', { name: 't', proof: { name: 'tests.run', result: { type: 'no' } } }] },
      [['/evaluator/criteria/1/proof/result/type', /./]],
    ],
    [
      'a proof and an evaluator',
      { criteria: [{ name: 't', evaluator: 'regex', proof: { call: 'a' } }] },
      [['/evaluator/criteria/0/evaluator', /not used with `proof`/]],
    ],
    [
      'a proof without a call',
      { criteria: [{ name: 't', proof: {} }] },
      [['/evaluator/criteria/0/proof', /name the call/]],
    ],
    ['two names of a call', { must: [{ name: 'a', call: 'a' }] }, [['/evaluator/must/0', /name the call/]]],
    [
      'names of calls that no step can make',
      {
        must: ['test.run', { call: 'tests_run', arguments: true }],
        mustNot: ['write'],
        order: ['tests.run', 'deploy'],
        atMost: { 'files.writes': 1 },
        after: { calls: ['files.wite'] },
      },
      [
        [
          '/evaluator/must/0',
          /^names the call "test\.run", which no step can make \(did you mean tests\.run\?\); the steps/,
        ],
        ['/evaluator/must/1', /did you mean tests\.run/],
        ['/evaluator/mustNot/0', /did you mean files\.write/],
        ['/evaluator/order/1', /no step can make; the steps have orders\.find, tests\.run, files\.write/],
        ['/evaluator/after/calls/0', /did you mean files\.write/],
        ['/evaluator/atMost/files.writes', /did you mean files\.write/],
      ],
    ],
    [
      'a proof by a call that no step can make',
      { criteria: ['clarity', { name: 't', proof: { call: 'tests.runs', after: { calls: ['files.rite'] } } }] },
      [
        ['/evaluator/criteria/1/proof', /did you mean tests\.run/],
        ['/evaluator/criteria/1/proof/after/calls/0', /did you mean files\.write/],
      ],
    ],
  ])('a check finds %s', async (_what, evaluator, problems) => {
    const refused = await world.client.run({ ...spec, evaluator } as ReflectionSpec).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      type: 'InvalidSpec',
      problems: problems.map(([path, message]) => ({ path, message: expect.stringMatching(message) as string })),
    });
  });

  test('an evaluation without a loop has no calls to check, and says so before it begins', async () => {
    const evaluator = [
      { type: 'calls', must: ['a'] },
      { type: 'criteria', criteria: [{ name: 't', proof: { call: 'a' } }] },
    ] as never;
    const problems = ['/evaluator/0', '/evaluator/1/criteria/0/proof'].map((path) => ({
      path,
      message: expect.stringMatching(/there is no loop here/) as string,
    }));
    await expect(world.client.evaluations.run({ data: 'x', evaluator })).rejects.toMatchObject({ problems });
    const node = { name: 'check', action: 'reflection.evaluate', with: { data: 'x', evaluator } } as const;
    await expect(world.client.pipelines.run({ nodes: [node] } as never)).rejects.toMatchObject({
      problems: problems.map((each) => ({ ...each, path: `/nodes/0/with${each.path}` })),
    });
  });
});
