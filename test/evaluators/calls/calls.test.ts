import { z } from 'zod';
import { createActionRegistry } from '../../../src/actions/registry';
import { callsEvaluator } from '../../../src/evaluators/calls/calls';
import { createModels } from '../../../src/lib/models';
import type { Json } from '../../../src/lib/json/json';
import type { CallRecord } from '../../../src/loop/contract/calls';
import { defineAction } from '../../../src/worker';
import { checkCall, schemaCheck } from '../../../src/evaluators/calls/call-checks';
import type { RequiredCall } from '../../../src/loop/contract/required-calls';
import { boundCalls } from '../../../src/loop/evidence/bounded-calls';
import { recordOfCall } from '../../../src/loop/evidence/call-record';
import { judgeInput } from '../scripted-judge';
import { called, long, result, ROWS, type Rules } from './call-rows';
import { UNMADE_ROWS } from './unmade-rows';

const action = (name: string, readOnly?: boolean) =>
  defineAction({ name, description: name, input: z.any(), run: () => null, ...(readOnly && { readOnly }) });
const context = {
  models: createModels([]),
  actions: createActionRegistry([action('tests.run'), action('lint.run'), action('find', true), action('write')]),
  signal: new AbortController().signal,
};

function judge(
  rules: Rules,
  calls: CallRecord[] | undefined,
  { output = 'x', omitted = 0 }: { output?: Json; omitted?: number } = {},
) {
  const evidence = { ...(calls && { calls }), ...(omitted > 0 && { callsOmitted: omitted }) };
  const input = judgeInput({ output, ...(calls && { evidence }) });
  return callsEvaluator.evaluate({ type: 'calls', ...rules }, input, context);
}

describe('a rule about calls', () => {
  test.each([...ROWS, ...UNMADE_ROWS].map((row) => [row[0], row] as const))(
    '%s',
    async (_what, [, rules, calls, messages, given]) => {
      const judgement = await judge(rules, calls, given);
      expect(judgement.issues.map(({ message }) => message)).toEqual(
        messages.map((each) => expect.stringMatching(each)),
      );
      expect(judgement.outcome).toBe(messages.length === 0 ? 'pass' : 'fail');
      for (const { suggestion, severity } of judgement.issues)
        expect([severity, suggestion]).toEqual(['major', expect.stringMatching(/\.$/)]);
    },
  );

  test.each<[what: string, rules: Rules, calls: CallRecord[], omitted: number, reason: RegExp]>([
    [
      'that bars a call, where older ones are gone',
      { mustNot: ['write'] },
      [],
      3,
      /^3 older calls are not kept any more, and may be of write\.$/,
    ],
    [
      'that limits calls, where older ones are gone',
      { atMost: { find: 1 } },
      [called('find')],
      1,
      /^1 older call is not kept/,
    ],
    [
      'that bars a result that is not whole',
      { mustNot: [result] },
      [called('tests.run', {}, long)],
      0,
      /has 10000 bytes, and is not kept whole/,
    ],
    [
      'that bars arguments that are gone',
      { mustNot: [{ name: 'find', arguments: true }] },
      [{ name: 'find', outcome: 'ok', source: 'recorded' }],
      0,
      /not kept any more/,
    ],
    [
      'that bars a text in arguments that are not whole',
      { mustNot: [{ name: 'write', arguments: { properties: { text: { pattern: '!' } } } }] },
      [called('write', { text: `${long}!${long}` })],
      0,
      /^what write was called with is not kept whole/,
    ],
    [
      'that bars arguments which are too many to be kept',
      { mustNot: [{ name: 'write', arguments: { required: ['all'] } }] },
      [called('write', { all: 1, list: Array.from({ length: 2_000 }, (_, index) => index) })],
      0,
      /is not kept whole/,
    ],
    [
      'that bars a constant in arguments that are not whole',
      { mustNot: [{ name: 'write', arguments: { properties: { text: { const: `${long}!` } } } }] },
      [called('write', { text: `${long}!` })],
      0,
      /^what write was called with is not kept whole/,
    ],
    [
      'that bars all but a constant in arguments that are hidden',
      { mustNot: [{ name: 'write', arguments: { not: { properties: { key: { enum: ['sk-abcdefghijk'] } } } } }] },
      [called('write', { key: 'sk-abcdefghijk' })],
      0,
      /^what write was called with is not kept whole/,
    ],
    [
      'that bars a key in a result, where it is hidden',
      { mustNot: [{ name: 'find', result: { pattern: 'sk-' } }] },
      [called('find', {}, 'the key is sk-abcdefghijk')],
      0,
      /^the result of find is not kept as it was/,
    ],
  ])('%s is undecided, and not asked again', async (_what, rules, calls, omitted, reason) => {
    expect(await judge(rules, calls, { omitted })).toMatchObject({
      outcome: 'inconclusive',
      score: null,
      broken: true,
      reason: expect.stringMatching(reason) as string,
    });
  });

  test('that is broken decides where another is undecided', async () => {
    expect(await judge({ must: ['find'], mustNot: ['write'] }, [], { omitted: 1 })).toMatchObject({
      outcome: 'fail',
      score: 0,
    });
  });

  test('counts as a share of the score, and its issues keep their names', async () => {
    const rules: Rules = {
      must: ['find', 'write', { name: 'write', arguments: false }],
      mustNot: ['shell'],
      atMost: { find: 0 },
    };
    const judgement = await judge(rules, [called('find'), called('write')]);
    expect(judgement).toMatchObject({ outcome: 'fail', score: 3 / 5, checksPassed: 3 / 5 });
    expect(judgement.issues.map(({ type }) => type)).toEqual(['must: write (2)', 'at_most: find']);
  });
});

test.each<[what: string, rules: Rules, problems: string[]]>([
  ['no rule', {}, ['/must']],
  ['an empty limit', { atMost: {} }, ['/must']],
  ['a call that must and must not be', { must: ['find'], mustNot: ['write', { name: 'find' }] }, ['/mustNot/1']],
  ['a call of the order that must not be', { order: ['find'], mustNot: ['find'] }, ['/mustNot/0']],
  [
    'a call that must not be in a way',
    { must: ['find'], mustNot: [{ name: 'find', arguments: { required: ['all'] } }] },
    [],
  ],
  ['an order of changes without a call', { order: ['find'], after: true }, ['/after']],
  [
    'schemas that are none',
    { must: [{ name: 'a', arguments: { type: 'objct' } }], mustNot: [{ name: 'b', result: { $ref: '#/$defs/x' } }] },
    ['/must/0/arguments/type', '/mustNot/0/result/$ref'],
  ],
])('a check finds %s', async (_what, rules, paths) => {
  const problems = await callsEvaluator.problems({ type: 'calls', ...rules }, context);
  expect(problems.map(({ path }) => path)).toEqual(paths);
});

test.each<[what: string, condition: Partial<RequiredCall>, given: object, result: string]>([
  ['a hidden result', { result: { pattern: 'sk-' } }, {}, 'the key is sk-abcdefghijk'],
  ['a long result', { result: { pattern: '!$' } }, {}, `${long}!`],
  [
    'a hidden argument',
    { arguments: { properties: { key: { const: 'sk-abcdefghijk' } } } },
    { key: 'sk-abcdefghijk' },
    '',
  ],
  ['a long argument', { arguments: { properties: { text: { minLength: 9_000 } } } }, { text: long }, ''],
  ['arguments that are not kept', { arguments: { required: ['all'] } }, { all: 1, list: Array(2_000).fill(7) }, ''],
])('the check where the call was made decides about %s', async (_what, condition, given, said) => {
  const raw = { arguments: JSON.stringify(given), result: said };
  const record = async (conditions: Partial<RequiredCall>): Promise<CallRecord> => {
    const checks = await checkCall([conditions], raw, schemaCheck(undefined, 'calls'));
    return recordOfCall({ name: 'write', ...raw, failed: false }, { startedAt: 0, ms: 0, attempt: 1, checks });
  };
  const no = Object.fromEntries(Object.entries(condition).map(([part, schema]) => [part, { not: schema }]));
  const rule = { name: 'write', ...condition };
  const other = { name: 'write', ...no };
  const calls = [{ ...(await record(condition)) }, { ...(await record(no)) }].map((each, _index, [one, two]) => ({
    ...each,
    checks: { ...one!.checks, ...two!.checks },
  }));
  for (const call of [calls[0]!, boundCalls({ calls: [calls[0]!] }, 700).calls![0]!]) {
    expect(await judge({ mustNot: [rule] }, [call])).toMatchObject({ outcome: 'fail' });
    expect(await judge({ must: [rule] }, [call])).toMatchObject({ outcome: 'pass' });
    expect(await judge({ mustNot: [other] }, [call])).toMatchObject({ outcome: 'pass' });
    expect(await judge({ must: [other] }, [call])).toMatchObject({ outcome: 'fail' });
  }
});
