import type { Json, JsonObject } from '../../../src/lib/json/json';
import type { CallRecord } from '../../../src/loop/contract/calls';
import type { CallsEvaluator } from '../../../src/loop/contract/evaluators';
import { digestOf, recordOfCall } from '../../../src/loop/evidence/call-record';

export type Rules = Omit<CallsEvaluator, 'type'>;

/** Makes the record of a call as a run does. */
export function called(
  name: string,
  given: Json = {},
  result: Json = 'ok',
  more: Partial<CallRecord> = {},
): CallRecord {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return { ...recordOfCall({ name, arguments: JSON.stringify(given), result: text, failed: false }), ...more };
}

const failed = { outcome: 'error' } as const;
const reported = { source: 'reported' } as const;
const passed = { type: 'object', required: ['failed'], properties: { failed: { const: 0 } } };
const findWith = (properties: JsonObject) => ({ name: 'find', arguments: { properties } });
const covering = (covers: string) => ({ name: 'tests.run', covers });
export const result = { name: 'tests.run', result: passed };
export const long = 'line\n'.repeat(2_000);

/** Rules, the calls that were made, and the messages of the issues; none for a pass. */
export type Row = [
  what: string,
  rules: Rules,
  calls: CallRecord[] | undefined,
  messages: RegExp[],
  given?: { output?: Json; omitted?: number },
];

export const ROWS: Row[] = [
  ['a call that was made', { must: ['find'] }, [called('find')], []],
  ['no evidence at all', { must: ['find'] }, undefined, [/^find was not called$/]],
  ['another call', { must: ['find'] }, [called('finds')], [/^find was not called$/]],
  [
    'a call that failed',
    { must: ['find'] },
    [called('find', {}, 'no net', failed)],
    [/^find was called, and failed: no net$/],
  ],
  ['a call that failed first', { must: ['find'] }, [called('find', {}, '', failed), called('find')], []],
  [
    'a reported call',
    { must: ['find'] },
    [called('find', {}, 'ok', reported)],
    [/^find was not called as far as is recorded/],
  ],
  [
    'a reported call that may be',
    { must: [{ name: 'find', reported: true }] },
    [called('find', {}, 'ok', reported)],
    [],
  ],
  [
    'a missing call, where older ones are gone',
    { must: ['find'] },
    [],
    [/^find was not called \(2 older calls are not kept any more\)$/],
    { omitted: 2 },
  ],
  ['two missing calls', { must: ['find', 'write'] }, [], [/^find was not called$/, /^write was not called$/]],

  ['arguments that fit', { must: [findWith({ id: { const: 7 } })] }, [called('find', { id: 7 })], []],
  [
    'other arguments',
    { must: [findWith({ id: { const: 7 } })] },
    [called('find', { id: '7' })],
    [/^find was not called with what is required: id: must be 7, got "7"$/],
  ],
  [
    'arguments that are gone',
    { must: [{ name: 'find', arguments: { type: 'object' } }] },
    [{ name: 'find', outcome: 'ok', source: 'recorded' }],
    [/^what find was called with is not kept any more$/],
  ],
  [
    'long arguments, of which a short text is checked',
    { must: [findWith({ all: { const: 'x' } })] },
    [called('find', { all: 'x', text: long })],
    [],
  ],
  [
    'long arguments, of which the long text is checked',
    { must: [findWith({ text: { not: { pattern: '!' } } })] },
    [called('find', { text: `${long}!${long}` })],
    [/^what find was called with is not kept whole/],
  ],
  [
    'hidden arguments, of which the hidden text is checked',
    { must: [findWith({ text: { maxLength: 9 } })] },
    [called('find', { text: '***' }, 'ok', { digests: { '/text': 'of the key' } })],
    [/is not kept whole/],
  ],
  [
    'a text of the arguments that is whole beside a hidden one',
    { must: [findWith({ text: { maxLength: 9 } })] },
    [called('find', { text: 'x' }, 'ok', { digests: { '/text': digestOf('x') } })],
    [],
  ],
  ['a result that fits', { must: [result] }, [called('tests.run', {}, { failed: 0 })], []],
  [
    'a result that does not',
    { must: [result] },
    [called('tests.run', {}, { failed: 2 })],
    [/^tests.run did not return what is required: failed: must be 0, got 2$/],
  ],
  [
    'JSON inside of the text of a result',
    { must: [result] },
    [called('tests.run', {}, 'FAILED. As asked: {"failed": 0}')],
    [/^tests.run did not return what is required: must be object/],
  ],
  [
    'a result in quotation marks',
    { must: [result] },
    [called('tests.run', {}, JSON.stringify('{"failed": 0}'))],
    [/must be object/],
  ],
  ['a text that fits', { must: [{ name: 'find', result: { pattern: '^ok' } }] }, [called('find', {}, 'ok then')], []],
  [
    'a result that is not whole',
    { must: [result] },
    [called('tests.run', {}, long)],
    [/^the result of tests.run has 10000 bytes, and is not kept whole/],
  ],
  [
    'a result that was dropped',
    { must: [result] },
    [called('tests.run', {}, '', { result: undefined, resultBytes: 30 })],
    [/^the result of tests.run is not kept any more/],
  ],
  [
    'an earlier call that fits',
    { must: [result] },
    [called('tests.run', {}, { failed: 0 }), called('tests.run', {}, { failed: 1 })],
    [],
  ],

  ['the output that was tested', { must: [covering('/code')] }, [called('tests.run', { code: '\nx  ' })], []],
  [
    'another output',
    { must: [covering('/code')] },
    [called('tests.run', { code: 'y' })],
    [/^tests.run was called with something else than the output \(at \/code\)$/],
  ],
  [
    'no such argument',
    { must: [covering('/code')] },
    [called('tests.run', { text: 'x' })],
    [/something else than the output/],
  ],
  [
    'a long output that was tested',
    { must: [covering('/files/0/code')] },
    [called('tests.run', { files: [{ code: long }] })],
    [],
    { output: `  ${long}` },
  ],
  [
    'a long output, changed in the middle',
    { must: [covering('/code')] },
    [called('tests.run', { code: long })],
    [/something else/],
    { output: `${long.slice(0, 5_000)}!${long.slice(5_000)}` },
  ],
  [
    'JSON that was tested',
    { must: [covering('/order')] },
    [called('tests.run', { order: { b: [1], a: 2 } })],
    [],
    { output: { a: 2, b: [1] } },
  ],
  [
    'JSON with one more key',
    { must: [covering('/order')] },
    [called('tests.run', { order: { a: 2 } })],
    [/something else/],
    { output: { a: 2, b: 1 } },
  ],
  [
    'JSON that was tested as a text',
    { must: [covering('/order')] },
    [called('tests.run', { order: '{ "a": 2 }' })],
    [],
    { output: { a: 2 } },
  ],
  [
    'a text of JSON that was tested as JSON',
    { must: [covering('')] },
    [called('tests.run', { a: 2 })],
    [],
    { output: '{"a": 2}' },
  ],
  [
    'long JSON that was tested',
    { must: [covering('/order')] },
    [called('tests.run', { order: { text: long } })],
    [],
    { output: { text: long } },
  ],
  [
    'long JSON of another text',
    { must: [covering('/order')] },
    [called('tests.run', { order: { text: long } })],
    [/something else/],
    { output: { text: `${long}!` } },
  ],

  ['nothing after it', { must: ['tests.run'], after: true }, [called('write'), called('tests.run')], []],
  [
    'a change after it',
    { must: ['tests.run'], after: {} },
    [called('tests.run'), called('write')],
    [/^tests.run was called too early: write was called after it$/],
  ],
  [
    'an unknown call after it',
    { must: ['tests.run'], after: true },
    [called('tests.run'), called('shell')],
    [/too early: shell was called after it/],
  ],
  ['a call after it that only reads', { must: ['tests.run'], after: true }, [called('tests.run'), called('find')], []],
  [
    'a change that is not listed after it',
    { must: ['tests.run'], after: { calls: ['files.write'] } },
    [called('tests.run'), called('write')],
    [],
  ],
  [
    'a change that is listed after it',
    { must: ['tests.run'], after: { calls: ['write'] } },
    [called('tests.run'), called('write', {}, '', failed)],
    [/too early: write/],
  ],
  [
    'two that may follow each other',
    { must: ['tests.run', 'lint.run'], after: true },
    [called('tests.run'), called('lint.run')],
    [],
  ],
  [
    'a later run of it that is not right',
    { must: [result], after: true },
    [called('tests.run', {}, { failed: 0 }), called('tests.run', {}, { failed: 1 })],
    [/did not return what is required/],
  ],
  ['a change after it, if that does not matter', { must: ['tests.run'] }, [called('tests.run'), called('write')], []],

  ['no barred call', { mustNot: ['write'] }, [called('find')], []],
  ['no calls', { mustNot: ['write'] }, undefined, []],
  ['a barred call', { mustNot: ['write'] }, [called('write')], [/^write was called, which is not allowed$/]],
  ['a barred call that failed', { mustNot: ['write'] }, [called('write', {}, '', failed)], [/not allowed/]],
  ['a barred call that is reported', { mustNot: ['write'] }, [called('write', {}, '', reported)], [/not allowed/]],
  [
    'a call that is barred in another way',
    { mustNot: [{ name: 'write', arguments: { required: ['all'] } }] },
    [called('write')],
    [],
  ],
  [
    'a call that is barred in this way',
    { mustNot: [{ name: 'write', arguments: { required: ['all'] } }] },
    [called('write', { all: 1 })],
    [/^write was called in a way, which is not allowed$/],
  ],

  [
    'calls in their order',
    { order: ['find', 'write', 'tests.run'] },
    [called('write'), called('find'), called('lint.run'), called('write'), called('tests.run')],
    [],
  ],
  [
    'calls in another order',
    { order: ['find', 'write'] },
    [called('write'), called('find')],
    [/^write was called too early: it must come after find$/],
  ],
  [
    'an order that ends early',
    { order: ['find', 'write'] },
    [called('find'), called('write', {}, '', failed)],
    [/^write was not called after find$/],
  ],
  ['an order of which nothing was called', { order: ['find', 'write'] }, [], [/^find was not called$/]],

  ['as many calls as may be', { atMost: { find: 2 } }, [called('find'), called('find')], []],
  [
    'one too many',
    { atMost: { find: 1 } },
    [called('find', {}, '', failed), called('find', {}, '', reported)],
    [/^find was called 2 times, and may be called 1 time at most$/],
  ],
];
