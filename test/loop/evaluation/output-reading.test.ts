import * as fc from 'fast-check';
import type { Json } from '../../../src/lib/json/json';
import { jsonInText, readOutput } from '../../../src/loop/evaluation/output-reading';
import { expectWithin } from '../../../testing/support/processor-time';

const found = (text: string): Json[] => [...jsonInText(text)].map(({ value }) => value);

describe('jsonInText', () => {
  test.each<[string, string, Json[]]>([
    ['the whole text', ' {"a": [1]} ', [{ a: [1] }]],
    ['a scalar', '42', [42]],
    ['a json fence', 'Sure!\n```json\n{"a": 1}\n```\nDone.', [{ a: 1 }]],
    ['a fence without a language', '```\n[1, 2]\n```', [[1, 2]]],
    ['a fence on one line', 'so ```{"a": 1}``` it is', [{ a: 1 }]],
    ['prose before and after', 'The result is {"a": {"b": 2}}, as you asked.', [{ a: { b: 2 } }]],
    ['several pieces in order', 'first {"a": 1} then [2]', [{ a: 1 }, [2]]],
    ['brackets and escaped quotes inside strings', 'x {"a": "}] \\" {"} y', [{ a: '}] " {' }]],
    ['code fences inside a string', '{"code": "```py\\nx = {}\\n```"} ok', [{ code: '```py\nx = {}\n```' }]],
    ['JSON after an unmatched bracket', 'use { or [ to open. {"a": 1}', [{ a: 1 }]],
    ['JSON after a stray quote in the line before', 'write {" to begin\n{"a": 1}', [{ a: 1 }]],
    ['JSON after many stray quotes', `${`{" \n${'x'.repeat(1_000)}\n`.repeat(50)}{"a": 1}`, [{ a: 1 }]],
    ['JSON inside brackets that are not JSON', '{"note" {"a": 1}}', [{ a: 1 }]],
    ['nothing in prose', 'I am sorry, I cannot do that.', []],
    ['nothing in a fence of another language', '```python\nx = {1: 2}\n```', []],
    ['nothing in text that was cut off', '{"a": [1, 2', []],
    ['nothing that nests too deeply to be handled', '['.repeat(5_000) + ']'.repeat(5_000), []],
  ])('finds %s', (_case, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test('says where the JSON stands', () => {
    const text = 'Here: {"a": 1}!';
    const [first] = [...jsonInText(text)];
    expect(text.slice(first!.start, first!.end)).toBe('{"a": 1}');
  });

  test('puts a fence before prose, and does not report it twice', () => {
    expect(found('like {"b": 2} but\n```json\n{"a": 1}\n```')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test('reads any JSON that is wrapped in prose', () => {
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
        const [first] = found(`Here you are: ${JSON.stringify(value)} — anything else?`);
        expect(first).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each([
    ['{'.repeat(1_000_000)],
    ['{"'.repeat(500_000)],
    ['{"a":'.repeat(200_000)],
    ['['.repeat(1_000_000)],
    [`${'['.repeat(500_000)}x${']'.repeat(500_000)}`],
    ['```\n1\n```{} '.repeat(80_000)],
    [`{${' '.repeat(300)}`.repeat(3_000)],
  ])('reads a hostile text in linear time (%#)', async (text) => {
    await expectWithin(3_000, () => [...jsonInText(text)]);
  });
});

describe('readOutput', () => {
  test('reads the same value again from the output and the reading', () => {
    const output = 'So: {"age": "42", "list": [{"ok": "true"}]}.';
    const reading = {
      text: { start: 4, end: output.length - 1 },
      coerced: [
        { path: '/age', value: 42 },
        { path: '/list/0/ok', value: true },
      ],
    };
    expect(readOutput(output, reading)).toEqual({ age: 42, list: [{ ok: true }] });
  });

  test('never changes the output that it reads', () => {
    const output = { a: { b: '1' }, c: { d: '2' } };
    const read = readOutput(output, { coerced: [{ path: '/a/b', value: 1 }] });
    expect(read).toEqual({ a: { b: 1 }, c: { d: '2' } });
    expect(output).toEqual({ a: { b: '1' }, c: { d: '2' } });
    expect((read as typeof output).c).toBe(output.c);
  });

  test('replaces the output as a whole, and keys with slashes and tildes', () => {
    expect(readOutput('7', { coerced: [{ path: '', value: 7 }] })).toBe(7);
    expect(readOutput({ 'a/b~c': '1' }, { coerced: [{ path: '/a~1b~0c', value: 1 }] })).toEqual({ 'a/b~c': 1 });
  });

  test('treats __proto__ as an ordinary key and never as a prototype', () => {
    const output = JSON.parse('{"__proto__": {"x": "1"}, "y": {}}') as Json;
    const read = readOutput(output, { coerced: [{ path: '/__proto__/x', value: 1 }] });
    expect(JSON.stringify(read)).toBe('{"__proto__":{"x":1},"y":{}}');
    expect(readOutput({ y: {} }, { coerced: [{ path: '/__proto__/polluted', value: 1 }] })).toEqual({ y: {} });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('leaves an output alone that the reading does not fit', () => {
    expect(readOutput({ a: 1 }, { text: { start: 0, end: 3 } })).toEqual({ a: 1 });
    expect(readOutput('no json', { text: { start: 0, end: 3 } })).toBe('no json');
    expect(readOutput('text', undefined)).toBe('text');
  });

  test('sets fifty thousand coerced values without copying the list each time', async () => {
    const output = Array.from({ length: 50_000 }, () => '1');
    const coerced = output.map((_, index) => ({ path: `/${index}`, value: 1 }));
    expect(await expectWithin(1_000, () => readOutput(output, { coerced }))).toEqual(output.map(() => 1));
  });
});
