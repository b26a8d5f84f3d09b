import { closeSandbox, codeIn, codeProblems } from '../../../testing/models/checks/code';
import { inventedNumbers, ruleProblems, textRules } from '../../../testing/models/checks/rules';

afterAll(closeSandbox);

const rules = (given: object) => textRules.parse(given);

test.each([
  ['words', { words: { max: 3 } }, 'one two three', 'one two three four'],
  ['words with numbers and apostrophes', { words: { min: 3, max: 3 } }, 'it’s 1,800.50 euros', 'its 1 800 euros'],
  ['sentences', { sentences: { min: 2, max: 2 } }, 'One. Two at 8.30!', 'One at 8.30.'],
  ['lines', { lines: { min: 2 } }, 'one\n\ntwo', 'one\n\n'],
  ['each line', { eachLine: '^- ' }, '- one\n- two', '- one\ntwo'],
  ['the form', { form: '^\\S+$' }, 'one', 'one two'],
  ['forbidden words', { forbidden: ['is'] }, 'this', 'That Is so'],
  ['required patterns', { required: ['\\b12\\b'] }, 'at 12:30', 'at 112'],
])('%s are counted', (_name, given, right, wrong) => {
  expect(ruleProblems(right, rules(given))).toEqual({ problems: [], rules: 1 });
  expect(ruleProblems(wrong, rules(given)).problems).toHaveLength(1);
});

test('a number is invented when the source has it neither in digits nor in words', () => {
  const source = 'Three of 1,846 people came at 08:30 and paid 3.60.';
  expect(inventedNumbers('3 of 1846 came at 8:30 and paid 3.60.', source)).toEqual([]);
  expect(inventedNumbers('4 of 1,864 paid 360.', source)).toEqual(['4', '1864', '360']);
  expect(inventedNumbers('4', source, ['4'])).toEqual([]);
});

test('code is taken out of its fence, and is told each call that goes wrong', async () => {
  expect(codeIn('Here:\n```js\nlet a;\n```\nDone.')).toBe('let a;\n');
  expect(codeIn('let a;')).toBe('let a;');
  const tests = [
    { args: [1], result: 2 },
    { args: [2], result: 3 },
  ];
  expect(await codeProblems('function next(n) { return n + 1; }', 'next', tests)).toEqual([]);
  expect(await codeProblems('const next = (n) => 2;', 'next', tests)).toEqual([
    'next(2) returns 2; it should return 3.',
  ]);
  expect(await codeProblems('function next(n) { if (n > 1) throw new Error("no"); }', 'next', tests)).toEqual([
    'next(1) returns nothing; it should return 2.',
    'next(2) throws Error: no; it should return 3.',
  ]);
  const [broken] = await codeProblems('function next(n) { return', 'next', tests);
  expect(broken).toMatch(/^The code fails: JavaScript.*SyntaxError/);
  expect(await codeProblems('return [{ value: 2 }, { value: 2 }]', 'next', tests)).toHaveLength(1);
});
