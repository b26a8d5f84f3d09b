import type { Json } from '../../../src/lib/json/json';
import { changeWarnings, unaskedChanges } from '../../../src/loop/versions/unasked-changes';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

const order = {
  id: 7,
  customer: 'Acme',
  lines: [
    { name: 'ink', count: 2 },
    { name: 'pen', count: 1 },
  ],
};

describe('what a repair changed without an issue', () => {
  test.each<[string, Json, Json, (string | undefined)[], string[]]>([
    ['only what was asked for', order, { ...order, id: 8 }, ['/id'], []],
    ['another value', order, { ...order, id: 8, customer: 'Bolt' }, ['/id'], ['/customer']],
    ['a value that went', order, { id: 8, lines: order.lines }, ['/id'], ['/customer']],
    ['a value that came', order, { ...order, id: 8, vat: 19 }, ['/id'], ['/vat']],
    ['one that an issue misses', order, { ...order, vat: 19 }, ['/vat'], []],
    ['inside of what an issue is about', order, { ...order, lines: [] }, ['/lines'], []],
    ['around what an issue is about', { a: { b: 1 } }, { a: 'b' }, ['/a/b'], []],
    ['another entry of a list, whose entries move', order, { ...order, lines: [order.lines[1]!] }, ['/lines/0'], []],
    ['an issue about all of it', order, { ...order, customer: 'Bolt' }, [''], []],
    ['an issue without a place', order, { ...order, customer: 'Bolt' }, ['/id', undefined], []],
    ['an issue of code, with a place of its own', order, { ...order, customer: 'Bolt' }, ['/id', 'customer'], []],
    ['texts of JSON', JSON.stringify(order), JSON.stringify({ ...order, customer: 'B' }), ['/id'], ['/customer']],
    ['a text that was read as a number', '{"a": "12", "b": "x"}', { a: 12, b: 'y' }, ['/b'], []],
    ['prose', 'The order of Acme', 'The order of Bolt', ['/id'], []],
    ['a name with a slash', { 'a/b': 1, c: 1 }, { 'a/b': 2, c: 2 }, ['/c'], ['/a~1b']],
  ])('%s', (_case, before, after, paths, wanted) => {
    expect(unaskedChanges(before, after, paths)).toEqual(wanted);
  });

  test.each<[string, Json, Json, boolean]>([
    ['a date', '3 March 2025', '2025-03-03', true],
    ['a date with a time', '2025-03-03', '2025-03-03T00:00:00Z', true],
    ['groups of digits', '1,200', 1200, true],
    ['letter case and white space', 'Acme  Ltd', 'ACME LTD', true],
    ['another date', '3 March 2025', '2025-03-04', false],
    ['a date that may be two', '3/4/2025', '2025-04-03', false],
    ['another number', '1,200', 1201, false],
    ['another word', 'Acme', 'Acme Ltd', false],
    ['a list for a text', 'a', ['a'], false],
    ['null for a text', 'a', null, false],
  ])('is nothing where it says the same in another way, by rules 2: %s', (_case, old, now, isSame) => {
    const changes = (rules?: number) => unaskedChanges({ id: 1, of: old }, { id: 2, of: now }, ['/id'], rules);
    expect(changes(2)).toEqual(isSame ? [] : ['/of']);
    expect(changes()).toEqual(['/of']);
  });

  const base = { ...aVersion(1, anEvaluation('fail', 0)), output: order };
  base.evaluation.issues = [{ message: 'wrong', path: '/id', evaluator: 'schema' }];
  const made = { output: { ...order, customer: 'Bolt' }, origin: 'revision' as const, strategy: 'full_rewrite' };
  test('is a warning for a repair, and for no other way of revising', () => {
    const warned = (more: object) => changeWarnings({ ...made, ...more }, base, [base]);
    expect(warned({})).toEqual(['the revision changed what no issue is about: /customer']);
    expect(warned({ strategy: 'resample' })).toEqual([]);
    expect(warned({ origin: 'override', strategy: undefined })).toEqual([]);
    expect(changeWarnings(made, undefined, [])).toEqual([]);
    expect(changeWarnings(made, { ...base, output: null, omittedBytes: 9 }, [base])).toEqual([]);
  });

  test('names a few of many', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`key${index}`, index]));
    const [warning] = changeWarnings({ ...made, output: { ...order, ...many } }, base, [base]);
    expect(warning).toMatch(/: \/key0, \/key1, \/key2, \/key3, \/key4, and 4 more$/);
  });
});
