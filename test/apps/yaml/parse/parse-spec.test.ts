import { parseSpecFile, SpecFileError } from '../../../../src/apps/yaml';
import { expectWithin } from '../../../../testing/support/processor-time';

const MINIMAL = 'generator: { action: llm.call, prompt: hi }\nevaluator: { type: llm }\n';

function mistakes(text: string): { type: string; lines: string[] } {
  try {
    parseSpecFile(text, 'loop.yaml');
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return { type: error.type, lines: error.message.split('\n').slice(1) };
  }
  throw new Error('the file was accepted');
}

describe('a YAML file is a spec', () => {
  test('snake_case and camelCase keys of the spec mean the same', () => {
    const snake = parseSpecFile(
      `
max_iterations: 4
quality_threshold: 0.9
on_failure: return_last
best_version_selection: latest
reflection_model: judge
timeouts: { model_call: 30s, retry_for: 5m }
hooks: { on_generation: tell, on_reflection: { run: 'return stop_at', language: lua } }
generator: { action: llm.call, max_tokens: 50 }
evaluator: [{ type: llm, weight: 2 }]
corrector: { action: llm.call, mode: hint, max_tokens: 60 }
`,
      'loop.yaml',
    ).spec;
    expect(snake).toEqual({
      maxIterations: 4,
      qualityThreshold: 0.9,
      onFailure: 'return_last',
      bestVersionSelection: 'latest',
      reflectionModel: 'judge',
      timeouts: { modelCall: '30s', retryFor: '5m' },
      hooks: { onGeneration: 'tell', onReflection: { run: 'return stop_at', language: 'lua' } },
      generator: { action: 'llm.call', maxTokens: 50 },
      evaluator: [{ type: 'llm', weight: 2 }],
      corrector: { action: 'llm.call', mode: 'hint', maxTokens: 60 },
    });
    expect(parseSpecFile(JSON.stringify(snake), 'loop.json').spec).toEqual(snake);
  });

  test("a user's data is never renamed, however it looks", () => {
    const { spec } = parseSpecFile(
      `
state: { max_iterations: 9, deep_er: { on_failure: [{ max_tokens: 1 }] } }
generator: { action: my_action, with: { max_tokens: 3, on_failure: { a_b: c_d } } }
evaluator:
  - type: schema
    schema: { type: object, properties: { max_iterations: { type: integer } }, required: [max_iterations] }
  - type: llm
    examples: [{ input: { on_failure: x }, output: { score_it: 1 } }]
`,
      'loop.yaml',
    );
    expect(JSON.parse(JSON.stringify(spec))).toEqual(
      JSON.parse(`{
        "state": { "max_iterations": 9, "deep_er": { "on_failure": [{ "max_tokens": 1 }] } },
        "generator": { "action": "my_action", "with": { "max_tokens": 3, "on_failure": { "a_b": "c_d" } } },
        "evaluator": [
          { "type": "schema",
            "schema": { "type": "object", "properties": { "max_iterations": { "type": "integer" } }, "required": ["max_iterations"] } },
          { "type": "llm", "examples": [{ "input": { "on_failure": "x" }, "output": { "score_it": 1 } }] }
        ]
      }`),
    );
  });

  test('anchors and aliases, block texts, comments and plain values are read as YAML 1.2 has them', () => {
    const { spec } = parseSpecFile(
      `
state: { first: &person { name: no, age: 0o17 }, second: *person, day: 2024-05-01, off: off, 1: one }
generator:
  action: llm.call
  prompt: |
    line one # not a comment
    line two
evaluator: { type: llm } # a comment
`,
      'loop.yaml',
    );
    expect(spec.state).toEqual({
      first: { name: 'no', age: 15 },
      second: { name: 'no', age: 15 },
      day: '2024-05-01',
      off: 'off',
      '1': 'one',
    });
    expect(spec.generator).toMatchObject({ prompt: 'line one # not a comment\nline two\n' });
  });

  test('a mistake that only a worker can find is located in the file', () => {
    const { locate } = parseSpecFile(
      'max_iterations: 2\ngenerator: { action: x }\nevaluator:\n  - type: schema\n    schema:\n      type: objekt\n',
      'loop.yaml',
    );
    expect(locate({ path: '/evaluator/0/schema/type', message: 'no such type' })).toEqual([
      { path: 'evaluator[0].schema.type', message: 'no such type', line: 6, column: 7 },
    ]);
    expect(locate({ path: '/maxIterations', message: 'm' })[0]).toMatchObject({ path: 'max_iterations', line: 1 });
    expect(locate({ path: '', message: 'm' })).toEqual([{ path: '', message: 'm', line: 1, column: 1 }]);
  });
});

describe('mistakes of a file are told all at once, with line and column', () => {
  test('InvalidSpec: unknown, missing and wrong fields, as the file writes them', () => {
    expect(
      mistakes(`max_iterations: 0
max_iteration: 3
generator:
  action: llm.call
  temprature: 1
evaluator:
  - type: schema
  - type: llm
    weight: -1
timeouts:
  model_call: soon
`),
    ).toEqual({
      type: 'InvalidSpec',
      lines: [
        expect.stringMatching(/^loop\.yaml:1:1 {2}max_iterations: .*1/),
        'loop.yaml:2:1  max_iteration: unknown field (did you mean max_iterations?)',
        'loop.yaml:5:3  generator.temprature: unknown field (did you mean temperature?)',
        expect.stringMatching(/^loop\.yaml:7:5 {2}evaluator\[0\]\.schema: /),
        expect.stringMatching(/^loop\.yaml:9:5 {2}evaluator\[1\]\.weight: /),
        expect.stringMatching(/^loop\.yaml:11:3 {2}timeouts\.model_call: .*duration/),
      ],
    });
  });

  test('a spec without generator and evaluator says that both are required', () => {
    expect(mistakes('name: x\n').lines).toEqual([
      expect.stringMatching(/^loop\.yaml:1:1 {2}generator: /),
      expect.stringMatching(/^loop\.yaml:1:1 {2}evaluator: /),
    ]);
  });

  test('triggers are settings at the top, and a list may name them', () => {
    const all = 'reflection_interval: 2\nreflect_on_tools: [search]\nquality_drop_threshold: 0.2\n';
    const names = 'reflection_triggers: [completion, step_interval, tool_result, quality_drop, error, manual]\n';
    const settings = { reflectionInterval: 2, reflectOnTools: ['search'], qualityDropThreshold: 0.2 };
    expect(parseSpecFile(`${MINIMAL}${all}reflect_on_error: true\n`, 'loop.yaml').spec.triggers).toEqual({
      ...settings,
      reflectOnError: true,
    });
    expect(parseSpecFile(`${MINIMAL}${all}${names}`, 'loop.yaml').spec.triggers).toEqual({
      ...settings,
      reflectOnError: true,
    });
    expect(parseSpecFile(`${MINIMAL}reflection_triggers: [completion]\n`, 'loop.yaml').spec.triggers).toBeUndefined();
  });

  test.each(['[step_interval]', '[sometimes]', 'completion', '[3]'])(
    'the list %s is refused, with its line',
    (list) => {
      expect(mistakes(`${MINIMAL}reflection_triggers: ${list}\n`).lines).toEqual([
        expect.stringMatching(/^loop\.yaml:3:1 {2}reflection_triggers: .*reflection_interval/),
      ]);
    },
  );

  test('a file of another kind says what it holds', () => {
    expect(mistakes('nodes: [{ name: one, uses: counts }]\n').lines).toEqual([
      'loop.yaml:1:1  the file holds a pipeline (`nodes:`), and no spec (`generator:`)',
    ]);
    expect(mistakes('global_config: {}\n').lines).toEqual([
      'loop.yaml:1:1  the file holds configuration, and no spec (`generator:`)',
    ]);
  });

  test('the same key written in both ways', () => {
    expect(mistakes(`${MINIMAL}max_iterations: 2\nmaxIterations: 3\n`).lines).toEqual([
      'loop.yaml:4:1  maxIterations: says the same as max_iterations; keep one',
    ]);
  });

  test('a setting of what is switched off', () => {
    expect(mistakes(`${MINIMAL}convergence: false\nplateau_iterations: 3\n`).lines).toEqual([
      'loop.yaml:4:1  plateau_iterations: is a setting of convergence, which is false here; keep one',
    ]);
  });

  test('quality_criteria are an evaluator: the only one, or one more', () => {
    const criteria =
      'quality_criteria:\n  - tone\n  - { name: shape, evaluator: schema, evaluator_config: { schema: { title: a_b } } }\n';
    const asked = {
      type: 'criteria',
      criteria: ['tone', { name: 'shape', evaluator: 'schema', evaluatorConfig: { schema: { title: 'a_b' } } }],
    };
    const generator = 'generator: { action: llm.call, prompt: hi }\n';
    expect(parseSpecFile(generator + criteria, 'loop.yaml').spec.evaluator).toEqual(asked);
    expect(parseSpecFile(MINIMAL + criteria, 'loop.yaml').spec.evaluator).toEqual([{ type: 'llm' }, asked]);
  });

  test('a mistake in quality_criteria stands where it was written, and so do those beside it', () => {
    const broken = 'quality_criteria:\n  - tone\n  - { name: shape, threshold: 2 }\n';
    const generator = 'generator: { action: llm.call, prompt: hi }\n';
    expect(mistakes(generator + broken).lines).toEqual([
      expect.stringMatching(/^loop\.yaml:4:\d+ {2}quality_criteria\[1\]\.threshold: /),
    ]);
    expect(mistakes(`${generator}evaluator: { type: llm, weight: -1 }\n${broken}`).lines).toEqual([
      expect.stringMatching(/^loop\.yaml:2:\d+ {2}evaluator\.weight: /),
      expect.stringMatching(/^loop\.yaml:5:\d+ {2}quality_criteria\[1\]\.threshold: /),
    ]);
    expect(mistakes(`${generator}evaluator: [{ type: llm, weight: -1 }]\n${broken}`).lines[0]).toMatch(
      /^loop\.yaml:2:\d+ {2}evaluator\[0\]\.weight: /,
    );
  });

  test('an evaluator in a criterion has the words of this package, and a user its data', () => {
    const { spec } = parseSpecFile(
      `
generator: { action: llm.call, prompt: hi }
judge: { model: big, votes: 3 }
evaluator:
  type: criteria
  task_type: code
  criteria:
    - name: close
      evaluator: comparison
      evaluator_config: { against: reference, reference: { max_tokens: 1 } }
`,
      'loop.yaml',
    );
    expect(spec).toMatchObject({
      judge: { model: 'big', votes: 3 },
      evaluator: {
        taskType: 'code',
        criteria: [{ evaluatorConfig: { against: 'reference', reference: { max_tokens: 1 } } }],
      },
    });
  });

  test('InvalidYaml: a duplicate key, a broken line, a tag, a second document', () => {
    expect(mistakes('name: a\nname: b\n')).toEqual({
      type: 'InvalidYaml',
      lines: ['loop.yaml:2:1  this key stands here twice; keep one'],
    });
    expect(mistakes('generator:\n  action: [a\nevaluator: x\n').lines[0]).toMatch(/^loop\.yaml:[23]:\d+ {2}/);
    expect(mistakes(`${MINIMAL}state: { a: !secret b }\n`).lines[0]).toMatch(/^loop\.yaml:3:\d+ .*!secret/);
    expect(mistakes(`${MINIMAL}---\nname: x\n`).lines).toEqual([
      'loop.yaml:3:1  a file holds one spec: remove the document that starts here',
    ]);
    expect(mistakes(`${MINIMAL}state: { a: {{ state.b }} }\n`).lines).toEqual([
      'loop.yaml:3:14  state.a: a text that starts with {{ must stand in quotes',
    ]);
    expect(mistakes('task: Say: hello\n').lines[0]).toMatch(/a text with a colon in it must stand in quotes$/);
    expect(mistakes('# nothing\n').lines).toEqual(['loop.yaml:1:1  the file is empty']);
    expect(mistakes('just text').type).toBe('InvalidSpec');
  });

  test('values that JSON would change or lose are refused, not changed', () => {
    expect(mistakes(`${MINIMAL}state:\n  order: 12345678901234567890\n  rate: .nan\n  ? [a]\n  : 1\n`)).toEqual({
      type: 'InvalidYaml',
      lines: [
        'loop.yaml:4:10  state.order: 12345678901234567890 would lose digits as a number; put it in quotes',
        'loop.yaml:5:9  state.rate: .nan is not a number that JSON has',
        'loop.yaml:6:5  state: a key must be a text',
      ],
    });
  });

  test('hostile files: alias bombs, an alias inside its anchor, an unknown alias, endless nesting', async () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level++) {
      const alias = `*a${level - 1}`;
      bomb.push(`a${level}: &a${level} [${Array(9).fill(alias).join(', ')}]`);
    }
    expect(await expectWithin(2_000, () => mistakes(`${MINIMAL}state:\n  ${bomb.join('\n  ')}\n`))).toEqual({
      type: 'InvalidYaml',
      lines: [expect.stringMatching(/^loop\.yaml:\d+:\d+ {2}state\.a\d.*aliases repeat too much/)],
    });
    const text = 'x'.repeat(100_000);
    expect(mistakes(`${MINIMAL}state: { a: &a ${text}, b: [*a, *a, *a, *a] }\n`).lines[0]).toMatch(/repeat too much/);
    expect(mistakes(`${MINIMAL}state: &s { me: *s }\n`).lines[0]).toMatch(/^loop\.yaml:3:17 .*inside its own anchor/);
    expect(mistakes(`${MINIMAL}state: *nobody\n`).lines[0]).toMatch(/no anchor &nobody/);
    const layers = ['a0: &a0 1'];
    for (let layer = 1; layer < 20; layer++)
      layers.push(`a${layer}: &a${layer} ${'['.repeat(300)}*a${layer - 1}${']'.repeat(300)}`);
    expect(mistakes(`${MINIMAL}state:\n  ${layers.join('\n  ')}\n`).lines[0]).toMatch(/nested too deeply/);
    expect(mistakes(`state: ${'['.repeat(3_000)}${']'.repeat(3_000)}`).lines[0]).toMatch(/nested too deeply/);
    expect(mistakes(`state: ${'['.repeat(100_000)}`).type).toBe('InvalidYaml');
    expect(mistakes(`state: ${'x'.repeat(2_200_000)}`).lines[0]).toMatch(/larger than 2 MiB/);
  });
});
