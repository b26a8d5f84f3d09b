import { readdirSync } from 'node:fs';
import path from 'node:path';
import { mistakesIn, namesInFile, readTable, testsInFile, type Requirements } from '../../testing/requirements/table';
import { namesInTests, testsIn } from '../../testing/requirements/test-names';

describe('the names of tests in a file', () => {
  test.each([
    ['a test', `test('does it', run)`, ['does it']],
    ['a describe and what is in it', 'describe(`the bundle`, () => { it("loads", run); })', ['the bundle', 'loads']],
    ['a title for many rows', `test.each([\n  ['a (b', 2],\n])(\n  'takes %s',\n  run,\n)`, ['takes %s']],
    ['a table in a template', 'test.each`a | b\n${1} | ${2}`("adds $a", run)', ['adds $a']],
    ['a name with a value in it', 'for (const k of ks) test(`kill ${k.name}`, run)', ['kill ${k.name}']],
    ['a quote in a name', `test('it\\'s done', run)`, [`it's done`]],
    ['only', `test.only('does it', run)`, ['does it']],
    ['a test by another name', `const onLinux = isLinux ? test : test.skip;\nonLinux('does it', run)`, ['does it']],
    ['the same name twice', `test('a', run); test('a', run)`, ['a']],
    ['no skipped test', `test.skip('does it', run); xit('does that', run)`, []],
    ['nothing of a skipped describe', `describe.skip('it', () => { test('does it', run); })`, []],
    ['no planned test', `test.todo('does it')`, []],
    ['no other text', `expect('a').toBe('b'); other('does it', run)`, []],
  ])('reads %s', (_case, source, names) => {
    expect(namesInTests(source)).toEqual(names);
  });
});

describe('the tests in a file', () => {
  test('have their names and the blocks around them', () => {
    const source = `
      describe('a', () => { describe.each(rows)('b %s', () => { test('c', run); }); it(title, run); });
      test.each(rows)('d', run);
      /a/.test(title);`;
    expect(testsIn(source)).toEqual([
      { name: 'c', blocks: ['a', 'b %s'] },
      { name: undefined, blocks: ['a'] },
      { name: 'd', blocks: [] },
    ]);
  });

  test.each([
    ['nothing is declared', 'export const a = 1;'],
    ['a block is empty', `describe('a', () => {})`],
    ['all is skipped', `describe('a', () => { test.skip('b', run); })`],
    ['a table has no test', 'test.each([1, 2])'],
  ])('when %s, there is none', (_case, source) => {
    expect(testsIn(source)).toEqual([]);
  });
});

describe('the table of requirements', () => {
  const proven: Requirements = { P1: { requirement: 'It loops', tests: ['test/a.test.ts'] } };
  const unproven: Requirements = { P2: { requirement: 'It ends', tests: [] } };
  const declared: Record<string, { name: string; blocks: string[] }[]> = {
    'test/a.test.ts': [{ name: 'loops', blocks: ['the loop', 'a > b'] }],
    'test/empty.test.ts': [],
  };
  const testsOf = (file: string) => declared[file];
  const withTests = (...tests: string[]): Requirements => ({ P1: { requirement: 'It loops', tests } });

  test.each<[string, Requirements, string[], string[]]>([
    ['all is well', { ...proven, ...unproven }, ['P1'], []],
    ['a block is there', withTests('test/a.test.ts > the loop', 'test/a.test.ts > a > b'), ['P1'], []],
    ['one without a test is claimed', { ...proven, ...unproven }, ['P1', 'P2'], ['P2 has no test']],
    ['an unknown one is claimed', proven, ['P9'], ['P9 is no requirement']],
    ['a file is not there', withTests('test/b.test.ts'), [], ['P1 names test/b.test.ts, which does not exist']],
    ['a file holds no test', withTests('test/empty.test.ts'), [], ['P1 names test/empty.test.ts, which holds no test']],
    [
      'a block is not there',
      withTests('test/a.test.ts > loops'),
      [],
      ['P1 names a describe block that test/a.test.ts does not have, or that holds no test: loops'],
    ],
    ['a file is there twice', withTests('test/a.test.ts', 'test/a.test.ts'), [], ['P1 names an entry twice']],
    ['an id is none', { X1: proven['P1']! }, [], ['X1 is no id of a requirement']],
    ['one says nothing', { P3: { requirement: '', tests: [] } }, [], ['P3 does not say what is required']],
  ])('when %s', (_case, table, claimed, mistakes) => {
    expect(mistakesIn({ table, testsOf, claimed })).toEqual(mistakes);
  });

  test('names tests that exist, at least one for each requirement', () => {
    const table = readTable();
    expect(mistakesIn({ table, testsOf: testsInFile, claimed: Object.keys(table) })).toEqual([]);
  });

  test('and no name of a test begins with an id', () => {
    const files = readdirSync(path.join(__dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `test/${file.split(path.sep).join('/')}`);
    expect(files.length).toBeGreaterThan(200);
    const numbered = files.flatMap((file) =>
      namesInFile(file)!.flatMap((name) => (/^[A-Z]\d{1,2}(?:,? )/.test(name) ? [`${file}: ${name}`] : [])),
    );
    expect(numbered).toEqual([]);
  });
});
