import { parseCorrectionFile, parseEvaluationFile, SpecFileError } from '../../../../src/apps/yaml';
import { unflattenCorrection, unflattenEvaluation } from '../../../../src/spec-files/flat-requests';

function mistakes(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.message.split('\n').slice(1);
  }
  throw new Error('the file was accepted');
}

const evaluation = (text: string) => parseEvaluationFile(text, 'check.yaml');
const correction = (text: string) => parseCorrectionFile(text, 'fix.yaml');

describe('a YAML file is an evaluation', () => {
  test('the flat keys: evaluator_type is schema by default', () => {
    const { request, name } = evaluation(`
name: person
schema: { type: object, required: [first_name], properties: { first_name: { type: string } } }
data: { first_name: Ada, last_name: null }
state: { some_key: 1 }
`);
    expect(name).toBe('person');
    expect(request).toEqual({
      evaluator: {
        type: 'schema',
        schema: { type: 'object', required: ['first_name'], properties: { first_name: { type: 'string' } } },
      },
      data: { first_name: 'Ada', last_name: null },
      state: { some_key: 1 },
    });
  });

  test('what concerns the request is no field of the evaluator', () => {
    const { request } = evaluation(`
pattern: ok
evaluator_type: regex
data: ok
task: Say ok.
material: [source]
timeouts: { model_call: 10m }
`);
    expect(request).toEqual({
      evaluator: { type: 'regex', pattern: 'ok' },
      data: 'ok',
      task: 'Say ok.',
      material: ['source'],
      timeouts: { modelCall: '10m' },
    });
  });

  test('a judge with prompt, model and examples; camelCase means the same', () => {
    const flat = evaluation(`
evaluator_type: llm
prompt: Is it kind?
model: large
examples: [{ input: { a_b: 1 }, output: { valid: true } }]
data: text
`).request;
    expect(flat).toEqual({
      evaluator: {
        type: 'llm',
        prompt: 'Is it kind?',
        model: 'large',
        examples: [{ input: { a_b: 1 }, output: { valid: true } }],
      },
      data: 'text',
    });
    expect(evaluation('evaluatorType: llm\nprompt: hm?\ndata: 1').request.evaluator).toEqual({
      type: 'llm',
      prompt: 'hm?',
    });
  });

  test('`evaluator`, one or several, as in a loop', () => {
    const one = '{ type: schema, schema: true }';
    expect(evaluation(`evaluator: [${one}, { type: llm }]\ndata: 1\ntask: t`).request).toEqual({
      evaluator: [{ type: 'schema', schema: true }, { type: 'llm' }],
      data: 1,
      task: 't',
    });
  });

  test('custom code keeps its language, and the default language is left to the evaluator', () => {
    const { value } = unflattenEvaluation({ evaluatorType: 'custom', run: 'x', language: 'lua', data: 1 });
    expect(value).toEqual({ evaluator: { type: 'custom', run: 'x', language: 'lua' }, data: 1 });
  });

  test('what the command line says comes first, key by key in the state', () => {
    const { request } = parseEvaluationFile('schema: true\ndata: 1\nstate: { a: 1, b: 2 }', 'check.yaml', {
      data: null,
      state: { b: 3 },
    });
    expect(request).toMatchObject({ data: null, state: { a: 1, b: 3 } });
  });

  test.each([
    ['prompt: hm?\ndata: 1', ['check.yaml:1:1  schema: is required', 'check.yaml:1:1  prompt: unknown field']],
    ['evaluator_type: magic\ndata: 1', [/^check.yaml:1:1 {2}evaluator_type: must be schema or .*, and is "magic"$/]],
    ['schema: true', ['check.yaml:1:1  data: is required, where the state has no `reflection_output`']],
    ['data: 1\nevaluator: { type: schema }', ['check.yaml:2:1  evaluator.schema: is required']],
    ['name: [1]\ndata: 1\nschema: true', ['check.yaml:1:1  name: must be a text']],
    ['data: 1\nschema: true\nstate: 7', ['check.yaml:3:1  state: must be a JSON object']],
    ['data: 1\ngenerator: {}\n', ['check.yaml:2:1  generator: this file holds a loop: run it with `reflect run`']],
    ['nodes: []', ['check.yaml:1:1  nodes: this file holds a pipeline: run it with `reflect run`']],
    ['- 1', ['check.yaml:1:1  must be a map of keys and values']],
  ])('a mistake is told with its line: %j', (text, expected) => {
    const told = mistakes(() => evaluation(text));
    expect(told.toSorted((one, other) => one.localeCompare(other))).toEqual(
      expected
        .toSorted((one, other) => String(one).localeCompare(String(other)))
        .map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
  });

  test('what only a worker finds is found in the file, too', () => {
    const { locate } = evaluation('data: 1\nschema:\n  type: objekt\n');
    expect(locate({ path: '/evaluator/schema/type', message: 'no such type' })).toEqual([
      { path: 'schema.type', message: 'no such type', line: 3, column: 3 },
    ]);
  });
});

describe('a YAML file is a correction', () => {
  const rest = 'data: { a_b: 1 }\nerrors: [too short, { message: no verb, path: /a_b, more_of_it: 1 }]\n';
  const given = { data: { a_b: 1 }, errors: ['too short', { message: 'no verb', path: '/a_b', more_of_it: 1 }] };

  test.each([
    [
      'prompt: Fix it\nmodel: large\nmax_tokens: 9\n',
      { action: 'llm.call', prompt: 'Fix it', model: 'large', maxTokens: 9 },
    ],
    ['corrector_action: my_fixer\nwith: { keep_this: 1 }\n', { action: 'my_fixer', with: { keep_this: 1 } }],
    ['', { action: 'llm.call' }],
    ['corrector: { action: llm.call, max_tokens: 9 }\n', { action: 'llm.call', maxTokens: 9 }],
  ])('%j', (text, corrector) => {
    expect(correction(`${text}${rest}`).request).toEqual({ corrector, ...given });
  });

  test('inline code', () => {
    const { value } = unflattenCorrection({ run: 'x', language: 'lua', data: 1, errors: [] });
    expect(value).toEqual({ corrector: { run: 'x', language: 'lua' }, data: 1, errors: [] });
  });

  test.each([
    ['corrector_action: [1]\ndata: 1\nerrors: []', [/^fix.yaml:1:1 {2}corrector_action: /]],
    ['prompt: p\ntemperature: 9\ndata: 1\nerrors: []', [/^fix.yaml:2:1 {2}temperature: /]],
    [
      'prompt: p\ndata: 1\nerrors:\n  - { path: /a }',
      [/^fix.yaml:4:5 {2}errors\[0\]: must be a text, or an object with/],
    ],
    ['prompt: p', [/^fix.yaml:1:1 {2}data: is required/, /^fix.yaml:1:1 {2}errors: is required/]],
    [
      'corrector: { action: llm.call, mode: hint }\ndata: 1\nerrors: []',
      [/^fix.yaml:1:32 {2}corrector.mode: a hint is for/],
    ],
  ])('a mistake is told with its line: %j', (text, expected) => {
    expect(mistakes(() => correction(text))).toEqual(expected.map((line) => expect.stringMatching(line)));
  });
});
