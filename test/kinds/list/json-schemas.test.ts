import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { COMMAND_NAMES, payloadProblem } from '../../../src/loop/base/command-payloads';
import type { Json } from '../../../src/lib/json/json';
import { initialState } from '../../../src/loop/state/loop-state';
import { progressOf } from '../../../src/loop/page/progress';
import { resultOf } from '../../../src/loop/versions/result';
import { stop } from '../../../src/loop/moves/transitions';
import type { JsonSchema } from '../../../src/lib/contract/convert';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { parseSpec } from '../../../src/loop/parse/spec';
import { expandSpec } from '../../../src/loop/spec/short-form';
import { nameTypes } from '../../../src/lib/contract/definitions';
import { evaluatorTypes } from '../../../src/loop/contract/evaluators';
import { parseSpecFile } from '../../../src/apps/yaml';
import { specFileSchema } from '../../../src/spec-files/spec-file-schema';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';
import { shapeCompiler } from '../../../testing/support/shape-compiler';

const EXAMPLES = path.join(__dirname, '..', '..', '..', 'examples');

const ajv = shapeCompiler({ allowUnionTypes: true });
addFormats(ajv);
const wire = jsonSchemas();
const schemas: Record<string, JsonSchema> = {
  ...nameTypes(wire),
  ...nameTypes({ 'spec-file.json': specFileSchema(wire['spec-short.json']!) }),
};
const compiled: Record<string, ValidateFunction> = Object.fromEntries(
  Object.entries(schemas).map(([file, schema]) => [file, ajv.compile(schema)]),
);
const accepts = (file: string, value: unknown): boolean => compiled[file]!(value);

const generator = { action: 'llm.call', prompt: 'Write.' };
const evaluator = { type: 'schema', schema: {} };
const action = { action: 'write', with: { any: [1, null, 'x'] } };

/** Specs, good and broken: the schema and `parseSpec` must agree about each. */
const specs: [string, unknown][] = [
  ['the smallest', { generator, evaluator }],
  ['a review', { generator, evaluator, review: { when: 'on_exhausted', timeout: '2d' } }],
  [
    'a weight of nothing',
    { generator, evaluator: { type: 'criteria', weight: 0, criteria: [{ name: 'a', weight: 0 }] } },
  ],
  ['a weight below nothing', { generator, evaluator: { ...evaluator, weight: -0.5 } }],
  ['a review that is never held', { generator, evaluator, review: { timeout: '2d' } }],
  ['a review that ends too soon', { generator, evaluator, review: { when: 'never', timeout: 'soon' } }],
  ['criteria', { generator, evaluator: { type: 'criteria', criteria: ['clear', { name: 'short', weight: 2 }] } }],
  ['no criteria', { generator, evaluator: { type: 'criteria', criteria: [] } }],
  ['a criterion without a name', { generator, evaluator: { type: 'criteria', criteria: [{ weight: 2 }] } }],
  ['an action', { generator: action, evaluator }],
  ['a hint', { generator, evaluator, corrector: { ...action, mode: 'hint' } }],
  ['several evaluators', { generator, evaluator: [evaluator, { type: 'llm', weight: 2, gate: true }] }],
  ['all limits', { generator, evaluator, maxIterations: 10_000, qualityThreshold: 0, budget: { usd: 0.5, tokens: 1 } }],
  ['hooks', { generator, evaluator, hooks: { onReflection: 'judge', onRevision: { run: 'x', language: 'lua' } } }],
  ['messages', { generator: { action: 'llm.call', messages: [{ role: 'user', content: 'x' }] }, evaluator }],
  ['examples', { generator, evaluator: { type: 'llm', examples: [{ input: 1, output: [null] }] } }],
  ...['2m', '1.5 Hours', '.5s', 500, 0.5, '5', '100 ms'].map((step): [string, unknown] => [
    `the duration ${step}`,
    { generator, evaluator, timeouts: { step } },
  ]),
  ...['', 'soon', '-2m', '0s', '0.00 h', 0, -1, '5.', `${'1'.repeat(100)}s`].map((step): [string, unknown] => [
    `the wrong duration ${step}`,
    { generator, evaluator, timeouts: { step } },
  ]),
  ['no generator', { evaluator }],
  ['no evaluator', { generator }],
  ['no evaluators', { generator, evaluator: [] }],
  ['an unknown key', { generator, evaluator, colour: 'red' }],
  ['an unknown key inside', { generator: { ...generator, colour: 'red' }, evaluator }],
  ['parameters for a model call', { generator: { action: 'llm.call', with: {} }, evaluator }],
  ['a prompt for an action', { generator: { ...action, prompt: 'x' }, evaluator }],
  ['an unknown evaluator', { generator, evaluator: { type: 'magic' } }],
  ['an evaluator without a type', { generator, evaluator: { schema: {} } }],
  ['a field of another evaluator', { generator, evaluator: { ...evaluator, prompt: 'x' } }],
  ['an example without an output', { generator, evaluator: { type: 'llm', examples: [{ input: 1 }] } }],
  ['a mode of a generator', { generator: { ...action, mode: 'hint' }, evaluator }],
  ['an unknown mode', { generator, evaluator, corrector: { ...action, mode: 'undo' } }],
  ['too many iterations', { generator, evaluator, maxIterations: 10_001 }],
  ['half an iteration', { generator, evaluator, maxIterations: 1.5 }],
  ['a threshold above 1', { generator, evaluator, qualityThreshold: 1.1 }],
  ['a state that is a list', { generator, evaluator, state: [] }],
  ['an unknown policy', { generator, evaluator, onFailure: 'give_up' }],
  ['a hook of another language', { generator, evaluator, hooks: { onReflection: { run: 'x', language: 'cobol' } } }],
  ['a hook with parameters', { generator, evaluator, hooks: { onReflection: { run: 'x', with: 1 } } }],
  ['a hook without a name', { generator, evaluator, hooks: { onReflection: '' } }],
  ['a text', 'spec'],
  ['null', null],
];

/** Specs in their short form, good and broken. */
const shortSpecs: [string, unknown][] = [
  ['two lines', { task: 'Write.', evaluator: ['It is kind.', 'At most two sentences.'] }],
  ['a sentence', { generator, evaluator: 'It is kind.' }],
  ['the name of a criterion', { generator, evaluator: 'clarity' }],
  ['a name that no criterion has', { generator, evaluator: ['fluffy'] }],
  ['an empty text', { generator, evaluator: '' }],
  ['too long a sentence', { generator, evaluator: 'very '.repeat(1_000) }],
  ['a script without spaces', { generator, evaluator: '親切です。' }],
  ['sentences beside evaluators', { generator, evaluator: ['It is kind.', evaluator, { pattern: 'x', gate: true }] }],
  [
    'each key that gives a type',
    {
      task: 'Write.',
      evaluator: [
        { schema: {} },
        { pattern: 'x' },
        { action: 'mine' },
        { run: 'x' },
        { url: 'https://example.com' },
        { command: 'mine' },
        { workflow: 'mine' },
        { criteria: ['clear'] },
        { set: 'tone@1' },
        { against: 'prior' },
      ],
    },
  ],
  ['a key of every type', { generator, evaluator: { weight: 2 } }],
  ['no key', { generator, evaluator: [{}] }],
  ['a misspelt key', { generator, evaluator: { patern: 'x' } }],
  ['keys of two types', { generator, evaluator: { pattern: 'x', schema: {} } }],
  ['a field of another type', { generator, evaluator: { pattern: 'x', examples: [] } }],
  ['a task and no evaluator', { task: 'Write.' }],
  ['a task that is a number', { task: 1, evaluator: 'It is kind.' }],
  ['neither task nor generator', { state: {}, evaluator: 'It is kind.' }],
];

describe('JSON Schemas', () => {
  test.each([...specs, ...shortSpecs])('agree with the parser: %s', (_name, value) => {
    const isTaken = 'spec' in parseSpec(value);
    expect(accepts('spec-short.json', value)).toBe(isTaken);
    // The long form is what is left of any spec.
    const { value: long } = expandSpec(value);
    expect(accepts('spec.json', long)).toBe(isTaken);
    if (long !== value) expect(accepts('spec.json', value)).toBe(false);
  });

  test.each(shortSpecs)('of files agree with the parser: %s', (_name, value) => {
    expect(accepts('spec-file.json', value)).toBe('spec' in parseSpec(value));
  });

  test('the table of short forms has those that are taken, and those that are refused', () => {
    const taken = shortSpecs.filter(([, value]) => 'spec' in parseSpec(value)).length;
    expect([taken > 5, shortSpecs.length - taken > 5]).toEqual([true, true]);
  });

  test('the table has specs that are taken, and specs that are refused', () => {
    const taken = specs.filter(([, value]) => 'spec' in parseSpec(value)).length;
    expect([taken > 10, specs.length - taken > 10]).toEqual([true, true]);
  });

  test('know every type of evaluator that there is', () => {
    const text = JSON.stringify(schemas['spec.json']);
    expect(evaluatorTypes().filter((type) => !text.includes(`{"type":"string","const":"${type}"}`))).toEqual([]);
  });

  const isSpec = (file: string) => !/^nodes:/m.test(readFileSync(path.join(EXAMPLES, file), 'utf8'));
  const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml') && isSpec(file));
  test.each(files)('the example %s is as its schema says, and as a spec, too', (file) => {
    const text = readFileSync(path.join(EXAMPLES, file), 'utf8');
    expect(accepts('spec-file.json', parse(text))).toBe(true);
    expect(accepts('spec.json', parseSpecFile(text, file).spec)).toBe(true);
  });

  test.each<[Json, boolean]>([
    [
      {
        generator,
        evaluator,
        max_iterations: 5,
        on_failure: 'raise',
        hooks: { on_reflection: 'x', on_revision: { run: 'x' } },
      },
      true,
    ],
    [{ generator: { ...generator, max_tokens: 5 }, evaluator, maxIterations: 5 }, true],
    [{ generator, evaluator, max_iterations: 0 }, false],
    [{ generator, evaluator, max_iteration: 5 }, false],
    [{ generator, evaluator: { type: 'schema', schema: { max_length: 1 } }, state: { my_key: 1 } }, true],
  ])('files may write %j: %s', (value, expected) => {
    expect(accepts('spec-file.json', value)).toBe(expected);
    const read = () => parseSpecFile(JSON.stringify(value), 'file');
    if (expected) expect(read).not.toThrow();
    else expect(read).toThrow();
  });

  test('results, versions, evaluations and progress are as their schemas say', () => {
    const state = initialState(0);
    state.versions = [aVersion(1, anEvaluation('inconclusive', null)), aVersion(2, anEvaluation('fail', 0.5))];
    state.bestIteration = 2;
    const progress = progressOf(state, DEFAULT_SETTINGS, 'revising');
    stop(state, DEFAULT_SETTINGS, { reason: 'max_iterations' }, '2026-01-01T00:00:00.000Z');
    const result = resultOf(state, DEFAULT_SETTINGS, 5);
    expect(accepts('progress.json', progress)).toBe(true);
    expect(accepts('result.json', result)).toBe(true);
    expect(accepts('version.json', result.history.versions[0])).toBe(true);
    expect(accepts('evaluation.json', result.finalEvaluation)).toBe(true);
    expect(accepts('evaluation.json', { ...result.finalEvaluation, overallScore: 2 })).toBe(false);
    expect(accepts('result.json', { ...result, convergenceReason: 'boredom' })).toBe(false);
    const { history: _history, ...partial } = result;
    expect(accepts('result.json', partial)).toBe(false);
  });

  test('commands are as a running loop takes them', () => {
    const payloads: Json[] = [
      {},
      { id: 'a', by: 'me' },
      { iteration: 2 },
      { iteration: 'two' },
      { colour: 1 },
      [],
      'x',
      { text: 'shorter' },
      { text: ' ' },
      { text: 'x'.repeat(16_001) },
      { output: null },
      { usd: 0.5 },
      { usd: 0 },
      { tokens: 10, iteration: 1 },
      { iterations: 10_001 },
      { decision: 'stop', iteration: 1 },
      { decision: 'stop' },
      { decision: 'maybe', iteration: 1 },
      { by: 'x'.repeat(201), text: 'y' },
      null,
      { by: null, id: null, iteration: null },
      { by: null, text: 'x', reason: null },
      { text: null },
      { iterations: null, tokens: null },
      { iterations: 1, tokens: null },
      { decision: 'stop', iteration: null },
    ];
    for (const name of COMMAND_NAMES) {
      for (const payload of payloads) {
        const expected = payloadProblem(name, payload) === undefined;
        expect([name, payload, accepts(`command-${name}.json`, payload)]).toEqual([name, payload, expected]);
      }
    }
  });
});
