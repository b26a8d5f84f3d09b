import { createActionRegistry } from '../../src/actions/registry';
import { prepareSpec } from '../../src/activities/prepare/prepare';
import type { Json, JsonObject } from '../../src/lib/json/json';
import type { Evaluator } from '../../src/loop/contract/evaluators';
import { evaluatorKind } from '../../src/evaluators';
import { createModels } from '../../src/lib/models';
import { renderTemplate } from '../../src/lib/templates/render';
import { parseSpecFile } from '../../src/apps/yaml';
import { judgeInput } from '../evaluators/scripted-judge';
import { readyThreads } from './ready-threads';
import { freshSchema, within } from './within';

const KB_50 = 50_000;
const context = {
  models: createModels([], {}),
  actions: createActionRegistry([]),
  signal: new AbortController().signal,
};

let fresher = 0;
/** The same pattern in other words, which no cache knows. */
const fresh = (pattern: string): string => `${pattern}${'(?:)'.repeat(++fresher)}`;

const judge = (evaluator: Evaluator, output: Json) =>
  evaluatorKind(evaluator).evaluate(evaluator, judgeInput({ output }), context);
const prepare = (evaluator: unknown) =>
  prepareSpec(
    { generator: { action: 'llm.call', prompt: 'x' }, evaluator },
    { ...context, searchAttributes: () => Promise.resolve(true) },
  );

const nested = (levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject => {
  let schema: JsonObject = {};
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
};

beforeAll(readyThreads);

describe('50 kB of evil text against evil patterns', () => {
  const EVIL: [string, string][] = [
    ['^(a+)+$', `${'a'.repeat(KB_50)}!`],
    ['^(a|a)*$', `${'a'.repeat(KB_50)}!`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(KB_50)],
    ['(x+x+)+y', 'x'.repeat(KB_50)],
    ['(.*)*(.*)*(.*)*#', 'b'.repeat(KB_50)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(KB_50 / 5)}!`],
    ['(a?){60}a{60}$', `${'a'.repeat(KB_50)}!`],
  ];
  test.each(EVIL)('as an evaluator, /%s/ decides', async (pattern, output) => {
    expect(await within(() => judge({ type: 'regex', pattern: fresh(pattern) }, output))).toMatchObject({
      outcome: 'fail',
      score: 0,
    });
  });

  test.each(EVIL)('inside of a schema, /%s/ decides', async (pattern, output) => {
    const schema = () => ({ type: 'string', pattern: fresh(pattern) });
    expect(await within(() => judge({ type: 'schema', schema: schema() }, output))).toMatchObject({
      outcome: 'fail',
      score: 0,
    });
  });

  const alternating = `${'a'.repeat(299)}b`.repeat(KB_50 / 300);
  const random = Array.from({ length: KB_50 }, (_, index) => 'ab'[((index * 2_654_435_761) >>> 13) & 1]).join('');
  test.each<[string, string, 'pass' | 'fail']>([
    ['(a?){300}a{300}', 'a'.repeat(KB_50), 'pass'],
    ['(a?){300}a{300}$', `${'a'.repeat(KB_50)}!`, 'fail'],
    ['(a?){300}a{300}', alternating, 'fail'],
    ['(a?){300}a{300}', random, 'fail'],
    ['a[ab]{500}a[ab]{400}c', random, 'fail'],
    ['(?:\\pL{20}){45}\\d', 'ä'.repeat(KB_50), 'fail'],
  ])(
    '/%s/, of many steps a character, is decided rightly or given up with a reason',
    async (pattern, output, truth) => {
      for (const evaluator of [
        (same: string): Evaluator => ({ type: 'regex', pattern: same }),
        (same: string): Evaluator => ({ type: 'schema', schema: { type: 'string', pattern: same } }),
      ]) {
        const judgement = await within(() => judge(evaluator(fresh(pattern)), output));
        const gaveUp = {
          outcome: 'inconclusive',
          score: null,
          reason: expect.stringMatching(/took longer than/) as string,
        };
        const { outcome } = judgement as { outcome: string };
        expect(judgement).toMatchObject(outcome === 'inconclusive' ? gaveUp : { outcome: truth });
      }
    },
  );

  test.each([
    ['^(?=(a+)+$)', 'a'],
    ['^(a+)+\\1$', 'a'],
    ['(?<!x)(b*)*c', 'b'],
  ])(
    'what only a backtracking engine knows, /%s/, is interrupted and says nothing of the output',
    async (pattern, letter) => {
      const judgement = await within(() =>
        judge({ type: 'schema', schema: freshSchema({ pattern }) }, `${letter.repeat(KB_50)}!`),
      );
      expect(judgement).toMatchObject({
        outcome: 'inconclusive',
        score: null,
        reason: expect.stringMatching(/pattern/),
      });
    },
  );

  test('names of properties are no way around it', async () => {
    const schema = { type: 'object', patternProperties: { '^(a+)+$': false }, propertyNames: { pattern: '^(b|b)*$' } };
    const judgement = await within(() =>
      judge({ type: 'schema', schema: freshSchema(schema) }, { [`${'a'.repeat(KB_50)}!`]: 1 }),
    );
    expect(judgement).toMatchObject({ outcome: 'fail' });
  });
});

describe('specs that are made to break their reader', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 'string' }]),
  );
  test.each<[string, JsonObject, RegExp]>([
    ['3,000 levels', nested(3_000, (inner) => ({ properties: { a: inner } })), /nested more than 500 levels deep/],
    ['450 levels', nested(450, (inner) => ({ not: inner })), /nests deeper than 200/],
    ['20,000 properties', { properties }, /more than 20000 rules/],
    [
      'an enum of 200,000',
      { enum: Array.from({ length: 200_000 }, (_, index) => index) },
      /more than 524288 characters/,
    ],
    ['a reference to a file', { $ref: '../../etc/passwd' }, /REFLECT_SCHEMA_ROOT/],
    ['a reference to an address', { $ref: 'http://169.254.169.254/' }, /addresses are never read/],
    ['a reference to itself alone', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, /leads back here/],
  ])('a schema of %s', async (_name, schema, message) => {
    const failure = await within(() => prepare({ type: 'schema', schema: freshSchema(schema) }));
    if (!(failure instanceof Error)) {
      // Legal, but without end: whoever judges by it must say so.
      const judgement = await within(() => judge({ type: 'schema', schema: freshSchema(schema) }, { a: 1 }));
      expect(judgement).toMatchObject({ outcome: expect.stringMatching(/inconclusive|fail/) });
      return;
    }
    expect(failure).toMatchObject({ type: 'InvalidSpec', nonRetryable: true });
    expect(failure.message).toMatch(message);
  });

  test.each<[string, Evaluator, RegExp]>([
    [
      'steps without end',
      { type: 'regex', pattern: '\\pL{1000}'.repeat(500) },
      /took longer than|multiply to too much/,
    ],
    ['a pattern of 100 kB', { type: 'regex', pattern: 'a?'.repeat(KB_50) }, /<=5000 characters/],
    ['3,000 groups', { type: 'regex', pattern: `${'('.repeat(2_400)}${')'.repeat(2_400)}` }, /nests too deeply/],
    ['repetitions of repetitions', { type: 'regex', pattern: '((a{100}){100}){100}' }, /at most 1000/],
    ['a lookahead', { type: 'regex', pattern: '(?=a)' }, /lookaheads/],
    ['the metadata address', { type: 'external', url: 'http://169.254.169.254/latest' }, /not public/],
    ['a mapped address', { type: 'external', url: 'http://[::ffff:10.0.0.1]/' }, /not public/],
    ['a decimal address', { type: 'external', url: 'http://3232235777/' }, /192\.168\.1\.1 is not public/],
    ['an octal address', { type: 'external', url: 'http://0300.0250.1.1/' }, /192\.168\.1\.1 is not public/],
    ['a shell', { type: 'external', command: 'sh -c id' }, /not registered/],
    ['nobody', { type: 'function', action: 'constructor' }, /not registered/],
  ])('%s', async (_name, evaluator, message) => {
    const failure = (await within(() => prepare(evaluator))) as Error;
    expect(failure).toMatchObject({
      nonRetryable: true,
      type: expect.stringMatching(/^(?:InvalidSpec|UnknownAction)$/),
    });
    expect(failure.message).toMatch(message);
  });

  test('a YAML file of aliases of aliases', async () => {
    const lines = ['generator: {action: llm.call, prompt: x}', 'state:', '  a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      lines.push(`  a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    const failure = await within(() => parseSpecFile(lines.join('\n'), 'bomb.yaml'));
    expect(failure).toMatchObject({ name: 'SpecFileError' });
  });
});

describe('outputs that are made to break their judge', () => {
  test.each<[string, JsonObject, Json]>([
    [
      'lists to compare',
      { uniqueItems: true },
      Array.from({ length: 12_000 }, (_, index) => ({ a: [index, { b: 1 }] })),
    ],
    ['a choice of choices', doubling(28), { x: 1 }],
    ['brackets without end', { type: 'object' }, '[{'.repeat(KB_50 / 2)],
    ['objects without end', { type: 'object', required: ['a'] }, '{"b":1} '.repeat(KB_50 / 8)],
    ['an e-mail address', { format: 'email' }, `${'a.'.repeat(KB_50 / 2)}@`],
    ['a date', { format: 'date-time' }, '1'.repeat(KB_50)],
    ['an address', { format: 'uri' }, `http://${'a'.repeat(KB_50)}%`],
  ])('%s: an honest verdict in time', async (_name, schema, output) => {
    const judgement = await within(() => judge({ type: 'schema', schema: freshSchema(schema) }, output));
    expect(judgement).toMatchObject({ outcome: expect.stringMatching(/^(?:pass|fail|inconclusive)$/) });
    if ((judgement as { outcome: string }).outcome === 'inconclusive') expect(judgement).toMatchObject({ score: null });
  });
});

describe('templates', () => {
  test.each([
    '{{ state.constructor.constructor("return process")() }}',
    '{{ state.__proto__ }}{{ "".constructor }}',
    '{% for a in range(100000000) %}{{ a }}{% endfor %}',
    '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    `{{ "${'x'.repeat(1_000)}" * 100000000 }}`,
    '{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}.{% endfor %}{% endfor %}{% endfor %}',
    `${'{% if true %}'.repeat(3_000)}x`,
  ])('%.60s reaches nothing and ends', async (template) => {
    const result = await within(() => renderTemplate(template, { state: {} }).text);
    const said = result instanceof Error ? result.name : result;
    expect(said).toMatch(/^(?:TemplateFailed|)$/);
  });
});

/** Validating takes time that doubles with every level. */
function doubling(levels: number): JsonObject {
  const $defs: JsonObject = { [`d${levels}`]: { required: ['never'] } };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { $ref: '#/$defs/d0', $defs };
}
