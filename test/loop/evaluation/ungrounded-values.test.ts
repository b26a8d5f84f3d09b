import type { Json } from '../../../src/lib/json/json';
import { ungroundedValues, ungroundedWarning } from '../../../src/loop/evaluation/ungrounded-values';
import { expectWithin } from '../../../testing/support/processor-time';

const mail = 'Dear all,\nACME  Ltd. ordered 12 pens at € 1.234,50 and 3,5 kg of ink, invoice 2025-17. Total: 1,200';
const pathsOf = (value: Json, schema: Json = {}): string[] =>
  ungroundedValues(value, ['the task', { mail }], schema).map(({ path }) => path);

describe('values that stand in none of the inputs', () => {
  test.each<[string, Json, string[]]>([
    ['a text that is there, in another case and spacing', { name: 'Acme Ltd.' }, []],
    ['a text that is not', { name: 'Bolt' }, ['/name']],
    ['numbers as people write them', [12, 1234.5, 3.5, 2025, 17, 1200], []],
    ['a number that is a part of one', [120, 234], ['/0', '/1']],
    ['a number that is not there', { total: 99 }, ['/total']],
    ['a negative one', { change: -12 }, []],
    ['what says nothing', { empty: '', none: null, yes: true }, []],
    ['the place inside', { lines: [{ name: 'pens' }, { name: 'nibs' }] }, ['/lines/1/name']],
    ['a value alone', 'Bolt', ['']],
  ])('%s', (_case, value, wanted) => {
    expect(pathsOf(value)).toEqual(wanted);
  });

  const letter = [
    'Invoice of 3 March 2025, paid on 04/05/2025. Phone: +49 (30) 123-456-78.',
    'Delivered on 7. März 2024, ordered le 1er février 2024, due on 2025年6月1日.',
    'Total: 1.234,50 €, discount of 15 %, budget 2.5 million USD, weight 12kg, three pumps, 10k views.',
    'Status: In Progress. Contact: José Núñez, “Main-Street 5”.',
  ].join('\n');

  test.each<[string, Json]>([
    ['a date of words', '2025-03-03'],
    ['a date with a time', '2025-03-03T00:00:00Z'],
    ['a date of numbers, either way', ['2025-05-04', '2025-04-05']],
    ['a date in German', '2024-03-07'],
    ['a date in French', '2024-02-01'],
    ['a date in Japanese', '2025-06-01'],
    ['a date in another written form', ['03.03.2025', 'March 3, 2025', '3/3/2025', 'Mar 3, 2025', '20250303']],
    ['a number with a currency', ['1234.50 EUR', '€1,234.50', 'EUR 1234.5', '1 234,50 €']],
    ['a number with a unit', ['12 kg', '12kg', '12 kilograms']],
    ['a share of percent', [0.15, 15, '15%']],
    ['a number with a scale', [2500000, 10000]],
    ['a number in words', 3],
    ['a phone number', ['+493012345678', '49 30 12345678']],
    ['another case and other signs', ['in_progress', 'IN-PROGRESS', 'Jose Nunez', 'main street 5']],
  ])('values that are normalised are no warning: %s', (_case, value) => {
    expect(ungroundedValues(value, [letter], {})).toEqual([]);
  });

  test.each<[string, Json]>([
    ['another day', '2025-03-04'],
    ['another year', '2024-03-03'],
    ['a date with a time of its own', '2025-03-03T17:45:00Z'],
    ['another amount', ['1234.51 EUR', '13 kg']],
    ['another share', 0.16],
    ['another number in words', 9],
    ['another phone number', '+493012345679'],
    ['a word that is nearly there', 'in progrez'],
    ['words in another order', 'progress in'],
  ])('values that are made up are one: %s', (_case, value) => {
    const made = ungroundedValues(value, [letter], {});
    expect(made).toHaveLength(Array.isArray(value) ? value.length : 1);
  });

  test('values that the schema lists are its own', () => {
    const schema = { properties: { state: { enum: ['open', 'paid'] }, kind: { const: 'order' } } };
    expect(pathsOf({ state: 'open', kind: 'order' })).toEqual(['/state']);
    expect(pathsOf({ state: 'open', kind: 'order' }, schema)).toEqual([]);
  });

  test('make a warning that names a few', () => {
    expect(ungroundedWarning([])).toEqual([]);
    const values = ungroundedValues(['a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'x'.repeat(100)], ['none'], {});
    expect(ungroundedWarning(values)).toEqual([
      'values that stand in none of the inputs: /0 "a1", /1 "b2", /2 "c3", /3 "d4", /4 "e5", and 2 more',
    ]);
  });

  test('a large value and a large input take no long time', async () => {
    const inputs = ['lorem ipsum 1.234,5 '.repeat(100_000)];
    const values = Array.from({ length: 10_000 }, (_, index) => `value ${index}`);
    expect(await expectWithin(2_000, () => ungroundedValues(values, inputs, {}))).not.toEqual([]);
  });
});
