import type { Json } from '../../src/lib/json/json';
import type { RegexEvaluator } from '../../src/loop/contract/evaluators';
import { regexEvaluator } from '../../src/evaluators/regex';
import { judgeInput, withScript } from './scripted-judge';

type Configuration = Omit<RegexEvaluator, 'type'>;

const judge = (config: Configuration, output: Json) =>
  withScript([], (world) => regexEvaluator.evaluate({ type: 'regex', ...config }, judgeInput({ output }), world));
const problemsOf = (config: Configuration) =>
  withScript([], (world) => Promise.resolve(regexEvaluator.problems({ type: 'regex', ...config }, world)));

describe('regex', () => {
  test.each<[Configuration, Json, 'pass' | 'fail']>([
    [{ pattern: '^a.c$' }, 'abc', 'pass'],
    [{ pattern: '^a.c$' }, 'ABC', 'fail'],
    [{ pattern: '^a.c$', flags: 'i' }, 'ABC', 'pass'],
    [{ pattern: '^b$' }, 'a\nb', 'fail'],
    [{ pattern: '^b$', flags: 'm' }, 'a\nb', 'pass'],
    [{ pattern: 'a.b' }, 'a\nb', 'fail'],
    [{ pattern: 'a.b', flags: 'su' }, 'a\nb', 'pass'],
    [{ pattern: '(?P<year>\\d{4})-(?<month>\\d\\d)' }, 'in 2024-05', 'pass'],
    [{ pattern: '\\u{1F600}|\\p{Greek}' }, 'Ω', 'pass'],
    [{ pattern: 'TODO', mustMatch: false }, 'done', 'pass'],
    [{ pattern: 'TODO', mustMatch: false }, 'TODO: all', 'fail'],
    [{ pattern: '"age": 30' }, { age: 30 }, 'pass'],
    [{ pattern: '^null$' }, null, 'pass'],
  ])('%j of %j: %s', async (config, output, outcome) => {
    expect(await judge(config, output)).toMatchObject({ outcome, score: outcome === 'pass' ? 1 : 0 });
  });

  test('an issue says what is missing, or what was found and where; a message of the spec replaces it', async () => {
    expect((await judge({ pattern: '^x', flags: 'i' }, 'y')).issues).toEqual([
      expect.objectContaining({ message: 'the output: must match /^x/i, and does not', type: 'regex', path: '' }),
    ]);
    const found = await judge({ pattern: 'TO-?DO', mustMatch: false }, 'one\ntwo TODO');
    expect(found.issues[0]!.message).toBe('the output: must not match /TO-?DO/, but has "TODO" in line 2');
    const told = await judge({ pattern: 'x', message: 'Name the source.' }, 'y');
    expect(told.issues.map(({ message }) => message)).toEqual(['Name the source.']);
  });

  test.each<[Configuration, string, RegExp]>([
    [{ pattern: 'a(?=b)' }, '/pattern', /lookaheads.*mustMatch: false/],
    [{ pattern: '(?<!a)b' }, '/pattern', /lookbehinds/],
    [{ pattern: '(a)\\1' }, '/pattern', /backreferences.*function evaluator/],
    [{ pattern: '(' }, '/pattern', /missing/],
    [{ pattern: 'a{5000}' }, '/pattern', /at most 1000 times/],
    [{ pattern: 'x'.repeat(5_001) }, '/pattern', /longer than 5000/],
    [{ pattern: 'x', flags: 'ig' }, '/flags', /"g" is no flag/],
  ])('%j is refused at %s, saying what to do', async (config, path, message) => {
    expect(await problemsOf(config)).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });
});
