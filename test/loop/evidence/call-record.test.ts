import fc from 'fast-check';
import { jsonBytes } from '../../../src/lib/json/json-bytes';
import { callRecord } from '../../../src/loop/contract/calls';
import { digestOf, recordOfCall, WHOLE_BYTES } from '../../../src/loop/evidence/call-record';

const measured = { startedAt: Date.UTC(2026, 10, 26, 12), ms: 1_500, attempt: 2 };
const made = { name: 'orders.find', arguments: '{"id":7}', result: '{"date":"2026-11-03"}', failed: false };

test('a record has what was called, what came back, and when', () => {
  const record = recordOfCall(made, measured);
  expect(record).toEqual({
    name: 'orders.find',
    arguments: { id: 7 },
    result: '{"date":"2026-11-03"}',
    outcome: 'ok',
    source: 'recorded',
    startedAt: '2026-11-26T12:00:00.000Z',
    endedAt: '2026-11-26T12:00:01.500Z',
    attempt: 2,
  });
  expect(callRecord.parse(record)).toEqual(record);
});

test('a step of the spec has neither arguments nor a result: its result is the output', () => {
  expect(recordOfCall({ name: 'write', failed: false })).toEqual({ name: 'write', outcome: 'ok', source: 'recorded' });
});

test.each<[what: string, given: Partial<typeof made>, redacted: object | undefined, altered: string[] | undefined]>([
  ['is whole', {}, undefined, undefined],
  ['has a hidden result', {}, { result: '[redacted]' }, ['result']],
  ['has hidden arguments', {}, { arguments: '{"id":"[redacted]"}' }, ['arguments']],
  ['has a short result', { result: 'x'.repeat(5_000) }, undefined, ['result']],
  ['has short arguments', { arguments: JSON.stringify({ id: 'x'.repeat(5_000) }) }, undefined, ['arguments']],
])('a record that %s says which parts were altered', (_what, given, redacted, altered) => {
  const record = recordOfCall({ ...made, ...given }, { ...measured, ...(redacted && { redacted }) });
  expect(record.altered).toEqual(altered);
  expect(callRecord.parse(record)).toEqual(record);
});

test('arguments that are no JSON are a text', () => {
  expect(recordOfCall({ ...made, arguments: '{"id"' }).arguments).toBe('{"id"');
  expect(recordOfCall({ ...made, arguments: '' }).arguments).toEqual({});
});

test('long results have their beginning, their end and their size', () => {
  const record = recordOfCall({ ...made, result: `begin ${'x'.repeat(20_000)} end` }, { ...measured, bytes: 50_000 });
  expect(jsonBytes(record.result)).toBeLessThanOrEqual(WHOLE_BYTES + 10);
  expect(record.result).toMatch(/^begin x+\n\[left out: \d+ characters\]\nx+ end$/);
  expect(record.resultBytes).toBe(50_000);
});

test('long texts in arguments are shortened, and their digests stay', () => {
  const code = `\n${'let x = 1;\n'.repeat(2_000)}`;
  const { arguments: given, digests } = recordOfCall({ ...made, arguments: JSON.stringify({ 'a/b': { code }, n: 1 }) });
  expect(given).toMatchObject({ n: 1, 'a/b': { code: expect.stringContaining('[left out: ') } });
  expect(digests).toEqual({ '/a~1b/code': digestOf(code) });
  expect(digestOf(code)).toBe(digestOf(code.trim()));
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 'x'.repeat(600)]));
  const record = recordOfCall({ ...made, arguments: JSON.stringify(many) });
  expect(jsonBytes(record)).toBeLessThan(2 * WHOLE_BYTES);
  expect(Object.keys(record.digests!)).toHaveLength(8);
});

test.each([
  ['nested deeply', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['objects nested deeply', '{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000)],
  ['long keys', JSON.stringify({ ['k'.repeat(50_000)]: 'x'.repeat(5_000) })],
  ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [index, index])))],
  ['a prototype', '{"__proto__":{"text":"x"},"constructor":1}'],
])('arguments with %s make a small record, and no error: it would end a workflow task for ever', (_what, text) => {
  const record = recordOfCall({ ...made, arguments: text }, measured);
  expect(jsonBytes(record)).toBeLessThan(10_000);
  expect(callRecord.safeParse(record).success).toBe(true);
});

test('any arguments and results make a record of bounded size', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), fc.string({ maxLength: 20_000 })),
      fc.string({ maxLength: 20_000 }),
      (text, result) => {
        const record = recordOfCall({ ...made, arguments: text, result }, measured);
        expect(jsonBytes(record)).toBeLessThan(14_000);
      },
    ),
  );
});

test('secrets that the worker found are hidden, and so is what looks like a key in a call that failed', () => {
  const redacted = { arguments: '{"key":"[redacted]"}', result: 'the key is [redacted]' };
  const hidden = recordOfCall({ ...made, arguments: '{"key":"hunter2hunter2"}' }, { ...measured, redacted });
  expect(hidden).toMatchObject({ arguments: { key: '[redacted]' }, result: 'the key is [redacted]' });
  // A text with a secret can be compared all the same.
  expect(hidden.digests).toEqual({ '/key': digestOf('hunter2hunter2') });
  const failed = recordOfCall({ ...made, arguments: '{"key":"sk-abcdefghij"}', failed: true });
  expect(failed).toMatchObject({ arguments: { key: '[redacted]' }, outcome: 'error' });
});

test('of a call that no worker of this release measured, keys are hidden text by text, in its result, too', () => {
  const given = { prefix: 'https://', to: ['ada@example.org'] };
  const record = recordOfCall({ ...made, arguments: JSON.stringify(given), result: 'sk-abcdefghij' });
  expect(record).toMatchObject({ arguments: given, result: '[redacted]' });
  expect(record.digests).toBeUndefined();
});
