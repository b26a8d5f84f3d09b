import * as fc from 'fast-check';
import { evaluator as evaluatorForm, EVALUATOR_SHAPES, evaluatorTypes } from '../../../src/loop/contract/evaluators';
import { TYPE_OF_KEY } from '../../../src/loop/base/short-forms';
import { parseSpec } from '../../../src/loop/parse/spec';
import { KNOWN_CRITERIA } from '../../../src/loop/spec/criteria-sets';
import { expandSpec, expandSpecsAt, pathsAsWritten, problemsAsWritten } from '../../../src/loop/spec/short-form';
import { expectWithin } from '../../../testing/support/processor-time';

const generator = { action: 'llm.call', prompt: 'Write.' };
const question = (name: string, sentence: string) => ({
  name,
  threshold: 1,
  evaluatorConfig: { questions: [sentence] },
});
const criteria = (...listed: unknown[]) => ({ type: 'criteria', criteria: listed });

/** Evaluators in their long form. */
function evaluatorsOf(evaluator: unknown): unknown {
  const { value, problems } = expandSpec({ generator, evaluator });
  expect(problems).toEqual([]);
  return (value as { evaluator: unknown }).evaluator;
}

function problemsOf(more: object): Record<string, string> {
  const parsed = parseSpec({ generator, ...more });
  const problems = 'problems' in parsed ? parsed.problems : [];
  expect(new Set(problems.map(({ path }) => path)).size).toBe(problems.length);
  return Object.fromEntries(problems.map(({ path, message }) => [path, message]));
}

describe('evaluators in their short form', () => {
  const NAMED = question('it_names_the_change', 'It names the change.');
  const SHORT = question('at_most_two_sentences', 'At most two sentences.');
  const SCHEMA = { type: 'schema', schema: { type: 'object' } };

  test.each<[what: string, short: unknown, long: unknown]>([
    ['one sentence', 'It names the change.', criteria(NAMED)],
    ['a list of one sentence', ['It names the change.'], [criteria(NAMED)]],
    ['sentences', ['It names the change.', 'At most two sentences.'], [criteria(NAMED, SHORT)]],
    ['the name of a criterion', 'clarity', criteria('clarity')],
    ['names and sentences', ['clarity', 'It names the change.'], [criteria('clarity', NAMED)]],
    [
      'sentences around others',
      [{ schema: { type: 'object' } }, 'It names the change.', { type: 'llm' }, 'At most two sentences.'],
      [SCHEMA, criteria(NAMED, SHORT), { type: 'llm' }],
    ],
    [
      'the same sentence twice, and one whose name is that of a criterion',
      ['It is kind.', 'It is kind!', 'It is kind 2', 'Edge cases?'],
      [
        criteria(
          question('it_is_kind', 'It is kind.'),
          question('it_is_kind_2', 'It is kind!'),
          question('it_is_kind_2_2', 'It is kind 2'),
          question('edge_cases_2', 'Edge cases?'),
        ),
      ],
    ],
    ['a sentence without letters', '! ?', criteria(question('criterion', '! ?'))],
    [
      'a sentence of a script without spaces',
      ['変更を挙げている。'],
      [criteria(question('変更を挙げている', '変更を挙げている。'))],
    ],
    ['accents and case', 'Élégant et CLAIR', criteria(question('élégant_et_clair', 'Élégant et CLAIR'))],
    [
      'a sentence that is longer than a name',
      `${'word '.repeat(30)}end`,
      criteria(question(Array(12).fill('word').join('_'), `${'word '.repeat(30)}end`)),
    ],
    ['a schema', { schema: {}, gate: true }, { type: 'schema', schema: {}, gate: true }],
    ['a pattern', { pattern: 'x', mustMatch: false }, { type: 'regex', pattern: 'x', mustMatch: false }],
    ['an action', { action: 'mine', with: { x: 1 } }, { type: 'function', action: 'mine', with: { x: 1 } }],
    ['code', { run: 'return true', language: 'lua' }, { type: 'custom', run: 'return true', language: 'lua' }],
    ['a service', { url: 'https://example.com' }, { type: 'external', url: 'https://example.com' }],
    ['a command', { command: 'words' }, { type: 'external', command: 'words' }],
    ['a workflow', { workflow: 'check', with: 1 }, { type: 'workflow', workflow: 'check', with: 1 }],
    ['criteria', { criteria: ['clarity'] }, { type: 'criteria', criteria: ['clarity'] }],
    ['a set', { set: 'summary@1' }, { type: 'criteria', set: 'summary@1' }],
    ['a set and criteria', { set: 'a', criteria: ['b'] }, { type: 'criteria', set: 'a', criteria: ['b'] }],
    ['a comparison', { against: 'prior' }, { type: 'comparison', against: 'prior' }],
    ['an undefined type', { type: undefined, pattern: 'x' }, { type: 'regex', pattern: 'x' }],
  ])('%s', (_what, short, long) => {
    expect(evaluatorsOf(short)).toEqual(long);
    expect(evaluatorsOf(long)).toBe(long);
  });

  test('each key that gives a type is a field of that type only', () => {
    const typesWith = (key: string) => evaluatorTypes().filter((type) => key in shapeOf(type));
    const shapeOf = (type: string): object => EVALUATOR_SHAPES[type as keyof typeof EVALUATOR_SHAPES].shape;
    for (const [key, type] of Object.entries(TYPE_OF_KEY)) expect([key, typesWith(key)]).toEqual([key, [type]]);
    expect(new Set(Object.values(TYPE_OF_KEY)).size).toBe(evaluatorTypes().length - 1);
  });

  test.each<[what: string, evaluator: unknown, problems: Record<string, RegExp>]>([
    ['a misspelt criterion', ['It is kind.', 'clartiy'], { '/evaluator/1': /is "clartiy" \(did you mean clarity\?\)/ }],
    ['a criterion in another case', 'Clarity', { '/evaluator': /did you mean clarity/ }],
    ['an unknown word', ['fluffy'], { '/evaluator/0': /is "fluffy"; the names are correctness, .*clarity/ }],
    ['no text', ['', ' '], { '/evaluator/0': /must be a sentence/, '/evaluator/1': /must be a sentence/ }],
    [
      'a misspelt key',
      [{ patern: 'x' }],
      { '/evaluator/0': /^has `patern`, .*did you mean pattern.*`type`, such as `llm`.*`schema`/ },
    ],
    ['a key of every type', { weight: 2 }, { '/evaluator': /^has `weight`, and no key that gives it a type/ }],
    ['no keys', [{}], { '/evaluator/0': /^has no keys/ }],
    [
      'keys of two types',
      { pattern: 'x', schema: {} },
      { '/evaluator': /`pattern` \(regex\) and `schema` \(schema\): keep those of one, or give `type`/ },
    ],
    ['no evaluator at all', [7, null], { '/evaluator/0': /must be an object/, '/evaluator/1': /must be an object/ }],
    [
      'mistakes of evaluators after sentences',
      ['It is kind.', { pattern: 'x', weight: -1 }, 'It is short.', { type: 'llm', colour: 1 }, 'fluffy'],
      {
        '/evaluator/1/weight': /expected number to be >=0/,
        '/evaluator/3/colour': /unknown field/,
        '/evaluator/4': /is "fluffy"/,
      },
    ],
    ['a criterion twice', ['clarity', 'It is kind.', 'clarity'], { '/evaluator/2': /another criterion "clarity"/ }],
    ['too long a sentence', ['It is kind.', 'very '.repeat(1_000)], { '/evaluator/1': /to have <=4000 characters/ }],
    ['too many sentences', Array.from({ length: 51 }, (_, n) => `It is ${n}.`), { '/evaluator': /to have <=50 items/ }],
    ['a type that there is not', [{ type: 'magic', pattern: 'x' }], { '/evaluator/0/type': /is "magic"/ }],
  ])('%s is a problem, by the path that was written', (_what, evaluator, expected) => {
    const problems = problemsOf({ evaluator });
    expect(Object.keys(problems).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [path, message] of Object.entries(expected)) expect(problems[path]).toMatch(message);
  });

  test('thousands of texts are named in time', async () => {
    const evaluator = Array.from({ length: 20_000 }, () => 'It is kind.');
    await expectWithin(2_000, () => {
      expect(expandSpec({ evaluator }).problems).toEqual([]);
    });
  });
});

describe('the long form', () => {
  const text = fc.oneof(fc.constantFrom('It is kind.', 'clarity', 'fluffy', '', 'Is it short?'), fc.string());
  const anyEvaluator = fc.oneof(
    text,
    fc.dictionary(fc.constantFrom(...Object.keys(TYPE_OF_KEY), 'type', 'weight', 'name', 'prompt'), fc.jsonValue()),
    fc.jsonValue(),
  );
  const anySpec = fc.record(
    {
      task: fc.oneof(fc.string(), fc.jsonValue()),
      state: fc.jsonValue(),
      generator: fc.constantFrom<unknown>(generator, { run: 'x' }, null, 'text'),
      evaluator: fc.oneof(anyEvaluator, fc.array(anyEvaluator)),
      maxIterations: fc.integer(),
    },
    { requiredKeys: [] },
  );

  test('is expanded once: again, it is the same object', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const { value, problems } = expandSpec(spec);
        const again = expandSpec(value);
        expect(again.value).toEqual(value);
        if (problems.length === 0) expect(again.value).toBe(value);
        expect(again.problems.map(({ message }) => message)).toEqual(problems.map(({ message }) => message));
      }),
      { numRuns: 500 },
    );
  });

  test('with a generator, and with evaluators that name their types, is returned as it is', () => {
    const longEvaluator = fc.constantFrom(...evaluatorTypes()).chain((type) =>
      fc.record({
        type: fc.constant(type),
        weight: fc.integer(),
        schema: fc.jsonValue().filter((json) => json !== null),
      }),
    );
    const longSpec = fc.record({
      generator: fc.constant(generator),
      evaluator: fc.oneof(longEvaluator, fc.array(longEvaluator)),
      task: fc.string(),
    });
    fc.assert(
      fc.property(longSpec, (spec) => {
        expect(expandSpec(spec)).toEqual({ value: spec, problems: [], moved: [] });
        expect(expandSpec(spec).value).toBe(spec);
      }),
    );
  });

  test('is read without an error, whatever is expanded, and every problem has a place in what was given', () => {
    const isThere = (value: unknown, pointer: string): boolean =>
      pointer
        .split('/')
        .slice(1, -1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], value) !== undefined;
    fc.assert(
      fc.property(anySpec, (spec) => {
        const parsed = parseSpec(spec);
        const problems = 'problems' in parsed ? parsed.problems : [];
        for (const { path } of problems) expect([path, isThere(spec, path)]).toEqual([path, true]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([[null], ['text'], [[]], [7], [undefined]])('%j stays as it is', (value) => {
    expect(expandSpec(value)).toEqual({ value, problems: [], moved: [] });
    expect(expandSpecsAt(value, ['/loop'])).toEqual({ value, problems: [], moved: [] });
  });

  test('of every known criterion is a criterion of the judge', () => {
    expect(KNOWN_CRITERIA.length).toBeGreaterThan(10);
    for (const name of KNOWN_CRITERIA) expect(evaluatorForm.parse(evaluatorsOf(name))).toEqual(criteria(name));
  });
});

describe('a list that is longer than any that is valid', () => {
  const entries = ['It is kind.', 'claritx', { patern: 'x' }, { type: 'llm' }];
  test.each(entries)('is refused as too long, and is not looked at entry by entry: %j', async (entry) => {
    const evaluator = Array<unknown>(100_000).fill(entry);
    const expanded = await expectWithin(200, () => expandSpec({ generator, evaluator }));
    expect(expanded).toMatchObject({ problems: [], moved: [] });
    expect((expanded.value as { evaluator: unknown }).evaluator).toBe(evaluator);
  });

  test('is told by its length', () => {
    const evaluator = Array<string>(151).fill('It is kind.');
    expect(problemsOf({ evaluator })['/evaluator']).toBe('must have at most 100 evaluators');
    expect(problemsOf({ evaluator: evaluator.slice(1) })).toHaveProperty('/evaluator');
    expect(problemsOf({ evaluator: evaluator.slice(0, 50) })).toEqual({});
  });
});

test('paths of many problems are found among many moved parts', async () => {
  const evaluator = Array.from({ length: 50 }, (_, index) => `It is kind ${index}.`);
  const { moved } = expandSpecsAt(
    Array.from({ length: 100 }, () => ({ generator, evaluator })),
    Array.from({ length: 100 }, (_, index) => `/${index}`),
  );
  expect(moved.length).toBeGreaterThan(5_000);
  const problems = Array.from({ length: 100_000 }, () => ({ path: '/99/evaluator/0/criteria/49/x', message: 'm' }));
  const written = await expectWithin(1_000, () => problemsAsWritten(moved, problems));
  expect(written.at(-1)!.path).toBe('/99/evaluator/49');
});

test('a path is that of the nearest part around it', () => {
  const { moved } = expandSpec({ evaluator: ['It is kind.', { type: 'llm' }, 'It is short.', { pattern: 'x' }] });
  const written = pathsAsWritten(moved);
  expect(
    ['/task', '/evaluator', '/evaluator/0', '/evaluator/0/criteria', '/evaluator/0/criteria/1/evaluatorConfig'].map(
      written,
    ),
  ).toEqual(['/task', '/evaluator', '/evaluator/0', '/evaluator', '/evaluator/2']);
  expect(['/evaluator/1/prompt', '/evaluator/2/pattern', '/evaluator/10'].map(written)).toEqual([
    '/evaluator/1/prompt',
    '/evaluator/3/pattern',
    '/evaluator/10',
  ]);
});
