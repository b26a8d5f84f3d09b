import type { Json } from '../../../src/domain/base/json/json';
import { ungroundedValues, ungroundedWarning } from '../../../src/domain/evaluation/ungrounded-values';
import { ProcessorTime } from '../../../testing/support/processor-time';

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

  test('a large value and a large input take no long time', () => {
    const time = new ProcessorTime();
    const inputs = ['lorem ipsum 1.234,5 '.repeat(100_000)];
    ungroundedValues(
      Array.from({ length: 10_000 }, (_, index) => `value ${index}`),
      inputs,
      {},
    );
    expect(time.ms).toBeLessThan(2_000);
  });
});
