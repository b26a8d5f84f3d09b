import { extractOutput } from '../../src/actions/llm-call';
import type { Json } from '../../src/lib/json/json';
import type { ModelCallStep } from '../../src/loop/contract/steps';
import { expectWithin } from '../../testing/support/processor-time';

const F = '```';
const block = (text: string, label = ''): string => `${F}${label}\n${text}\n${F}`;
const sql = 'select 1;';

describe('the part of a reply that is the output', () => {
  test.each<[string, ModelCallStep['extract'], Json, Json]>([
    ['code in a block', 'code', block(sql, 'sql'), sql],
    ['code in a block with words around it', 'code', `Here it is:\n\n${block(sql, 'sql')}\n\nIt selects one.`, sql],
    ['code in tildes', 'code', `~~~sql\n${sql}\n~~~`, sql],
    ['code with Windows line breaks', 'code', `${F}sql\r\n${sql}\r\n${F}\r\n`, sql],
    ['code in a block that does not end', 'code', `${F}sql\n${sql}`, sql],
    ['code without a block', 'code', sql, sql],
    ['code of several lines', 'code', block('a\n\n  b\n'), 'a\n\n  b\n'],
    ['code that shows a fence', 'code', `${F}${F}\n${block('x')}\n${F}${F}`, block('x')],
    ['the same code twice', 'code', `${block(sql)}\n${block(sql)}`, sql],
    ['nothing in a block', 'code', block('').replace('\n\n', '\n'), ''],
    ['JSON', 'json', '{"a": 1}', { a: 1 }],
    ['JSON in prose', 'json', 'It is {"a": 1}.', { a: 1 }],
    ['JSON in a block', 'json', `Here:\n${block('[1, 2]', 'json')}`, [1, 2]],
    ['a text in a fence', 'text', block('Dear Kim,\n\nyes.'), 'Dear Kim,\n\nyes.'],
    ['a text with a fence in it', 'text', `Run this:\n${block('npm test')}`, `Run this:\n${block('npm test')}`],
    ['a text', 'text', 'Dear Kim', 'Dear Kim'],
    ['a reply as it is', undefined, block(sql), block(sql)],
    ['a value', 'code', { a: 1 }, { a: 1 }],
  ])('is taken without a warning: %s', (_name, extract, reply, output) => {
    expect(extractOutput(reply, extract)).toEqual({ output, warnings: [] });
  });

  test.each<[string, ModelCallStep['extract'], string, Json, RegExp]>([
    ['the longest of several blocks', 'code', `${block('x()')}\n${block(sql)}\n${block('y()')}`, sql, /3 code blocks/],
    ['the last of several values', 'json', 'Like {"a": 0}: {"a": 1}', { a: 1 }, /2 JSON values: the last/],
    ['what means JSON', 'json', "{'a': 1,}", { a: 1 }, /read as what it means/],
    ['a reply without JSON', 'json', 'I cannot.', 'I cannot.', /no JSON/],
  ])('is told of where it is a guess: %s', (_name, extract, reply, output, warning) => {
    expect(extractOutput(reply, extract)).toEqual({ output, warnings: [expect.stringMatching(warning)] });
  });

  test('is found in time that grows with the reply', async () => {
    await expectWithin(2_000, () => {
      for (const reply of [`${F}\n`.repeat(60_000), `${F}a\n`.repeat(60_000), `~~~\n${F}\n`.repeat(30_000)])
        extractOutput(reply, 'code');
    });
  });
});
