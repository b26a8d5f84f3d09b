import { idsInTable, idsInTests } from '../../scripts/requirements';

describe('the list of requirements', () => {
  test.each([
    ['one id', `test('P12 does it', run)`, ['P12']],
    ['several ids', `it("P1 P2, T3 does it", run)`, ['P1', 'P2', 'T3']],
    ['a describe', 'describe(`D2 the bundle`, run)', ['D2']],
    ['a name on its own line', `test.each([\n  [1, (2)],\n])(\n  'T4 takes %s',\n  run,\n)`, ['T4']],
    ['the same id twice', `test('P1 a', run); test('P1 b', run)`, ['P1']],
    ['a skipped test', `test.skip('P1 does it', run)`, []],
    ['a planned test', `test.todo('P1 does it')`, []],
    ['an id in the middle of a name', `test('does what P1 says', run)`, []],
    ['an id that only looks like one', `test('P1x does it', run); test('D2-like', run)`, []],
  ])('reads %s', (_case, source, ids) => {
    expect(idsInTests(source)).toEqual(ids);
  });

  test('reads the rows of the table', () => {
    expect(idsInTable('| id | requirement |\n|---|---|\n| P1 | see P2 |\n| D4 | x |\n')).toEqual(['P1', 'D4']);
  });
});
