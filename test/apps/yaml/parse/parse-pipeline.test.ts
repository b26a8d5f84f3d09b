import { type FileOf, parseFile, SpecFileError } from '../../../../src/apps/yaml';

function pipeline(text: string): FileOf<'pipeline'>['spec'] {
  const read = parseFile(text, 'agent.yaml');
  if (read.kind !== 'pipeline') throw new Error(`the file was read as ${read.kind}`);
  return read.spec;
}

function mistakes(text: string): string[] {
  try {
    parseFile(text, 'agent.yaml');
  } catch (error) {
    if (!(error instanceof SpecFileError)) throw error;
    return error.message.split('\n').slice(1);
  }
  throw new Error('the file was accepted');
}

const LOOP = `
  - name: write
    uses: reflection.loop
    with:
      generator: { action: llm.call, prompt: "About {{ state.topic }}", max_tokens: 40 }
      evaluator: { type: schema, schema: { required: [deep_key] } }
      max_iterations: 2
      on_failure: raise
    output: text
`;

describe('a YAML file is a pipeline', () => {
  test.each<[string, object]>([
    ['{ run: "return 1" }', { run: 'return 1', mode: 'hint' }],
    ['{ action: my.fix, with: { a: 1 } }', { action: 'my.fix', with: { a: 1 }, mode: 'hint' }],
    ['{ run: "return 1", mode: replace }', { run: 'return 1', mode: 'replace' }],
    ['{ action: llm.call, prompt: Fix it. }', { action: 'llm.call', prompt: 'Fix it.' }],
    ['{ workflow: fix }', { workflow: 'fix' }],
  ])('what a corrector of a loop gives: %s', (written, wanted) => {
    const { nodes } = pipeline(
      `nodes:${LOOP.replace('max_iterations', `corrector: ${written}\n      max_iterations`)}`,
    );
    expect(nodes[0]).toMatchObject({ with: { corrector: wanted } });
    expect((nodes[0] as unknown as { with: { corrector: object } }).with.corrector).toEqual(wanted);
  });

  test('of nodes in snake_case; `uses` and `action` mean the same, and so does a list alone', () => {
    const whole = pipeline(`
name: two steps
description: for people
settings: { llm: { provider: openai, model: small, max_tokens: 9 }, timeouts: { model_call: 5s } }
state: { some_key: { other_key: 1 } }
nodes:${LOOP}
  - { name: count, action: my.action, with: { snake_key: "{{ state.text }}" } }
edges:
  - { from: __start__, to: write }
  - { from: write, to: count }
  - { from: count, to: __end__ }
`);
    expect(whole).toMatchObject({
      settings: { llm: { model: 'small', maxTokens: 9 }, timeouts: { modelCall: '5s' } },
      state: { some_key: { other_key: 1 } },
      nodes: [
        {
          name: 'write',
          action: 'reflection.loop',
          output: 'text',
          with: {
            generator: { action: 'llm.call', maxTokens: 40 },
            evaluator: { schema: { required: ['deep_key'] } },
            maxIterations: 2,
            onFailure: 'raise',
          },
        },
        { name: 'count', action: 'my.action', with: { snake_key: '{{ state.text }}' } },
      ],
    });
    expect(whole.settings!.llm).toEqual({ model: 'small', maxTokens: 9 });
    expect(pipeline(LOOP)).toEqual({ nodes: [whole.nodes[0]] });
  });

  test('nodes that judge and correct are written flat, as the documents have them', () => {
    const { nodes } = pipeline(`
- name: check
  uses: reflection.evaluate
  with: { data: "{{ state.a_b }}", schema: { required: [c_d] } }
- name: judge
  uses: reflection.evaluate
  with: { evaluator_type: llm, prompt: Fine?, model: big, examples: [{ input: x, output: { pass: true } }] }
- name: fix
  uses: reflection.correct
  with: { errors: "{{ state.validation.errors }}", prompt: "Fix {{ state.a_b }}", max_tokens: 5 }
- name: mend
  uses: reflection.correct
  with: { corrector_action: my.mender }
`);
    expect(nodes.map((node) => ('with' in node ? node.with : undefined))).toEqual([
      { data: '{{ state.a_b }}', evaluator: { type: 'schema', schema: { required: ['c_d'] } } },
      {
        evaluator: { type: 'llm', prompt: 'Fine?', model: 'big', examples: [{ input: 'x', output: { pass: true } }] },
      },
      {
        errors: '{{ state.validation.errors }}',
        corrector: { action: 'llm.call', prompt: 'Fix {{ state.a_b }}', maxTokens: 5 },
      },
      { corrector: { action: 'my.mender' } },
    ]);
  });

  test('`messages`, `prompt` and `uses` of a step are read', () => {
    const { nodes } = pipeline(`
- name: ask
  action: llm.call
  with: { messages: [{ role: system, content: Be brief. }, { role: user, content: "{{ state.q }}" }], temperature: 0 }
  output: answer
- name: loop
  uses: reflection.loop
  with: { generator: { uses: llm.call, prompt: Write. }, evaluator: { type: llm } }
`);
    expect(nodes).toMatchObject([
      { with: { messages: [{ role: 'system' }, { role: 'user', content: '{{ state.q }}' }], temperature: 0 } },
      { with: { generator: { action: 'llm.call', prompt: 'Write.' } } },
    ]);
  });
});

describe('what is wrong with a pipeline file is told with file, line and column', () => {
  test('all of it at once, where it stands, as the file writes it', () => {
    expect(
      mistakes(`nodes:
  - name: a
    uses: reflection.loop
    with:
      generator: { action: llm.call, prompt: x }
      evaluator: { type: schema, schema: true }
      max_iterations: 0
      on_failure: panic
  - name: a
    uses: llm.call
    with: { prompt: hi, top_k: 3 }
  - name: c
    goto: a
  - uses: x
`),
    ).toEqual([
      expect.stringMatching(/^agent\.yaml:7:7 {2}nodes\[0\]\.with\.max_iterations: /),
      expect.stringMatching(/^agent\.yaml:8:7 {2}nodes\[0\]\.with\.on_failure: /),
      'agent.yaml:9:5  nodes[1].output: is required: a model answers with a text, which needs a key of the state',
      'agent.yaml:9:5  nodes[1].name: node 1 is called "a" already',
      'agent.yaml:11:25  nodes[1].with.top_k: unknown field (did you mean top_p?)',
      'agent.yaml:12:5  nodes[2]: does nothing: it needs `uses` (or `action`), `run` or `workflow`',
      'agent.yaml:13:5  nodes[2].goto: is not supported: nodes run in their order',
      'agent.yaml:14:5  nodes[3].name: is required',
    ]);
  });

  test('edges that draw another line than that of the nodes', () => {
    const nodes = 'nodes: [{ name: a, uses: x }, { name: b, uses: x }]\n';
    const edges = (...lines: string[]) =>
      mistakes(`${nodes}edges:\n${lines.map((line) => `  - { ${line} }\n`).join('')}`);
    expect(edges('from: __start__, to: a', 'from: a, to: __end__')).toEqual([
      'agent.yaml:4:5  edges[1]: nodes run in the order in which they stand: the one edge that leaves "a" goes to "b"; branches and loops of edges are not supported',
    ]);
    expect(edges('from: __start__, to: c', 'from: a, to: b, when: ok')).toEqual([
      'agent.yaml:3:24  edges[0].to: there is no node "c"',
      'agent.yaml:4:23  edges[1].when: edges with conditions are not supported: nodes run in their order',
    ]);
    expect(edges('from: __start__, to: a', 'from: a, to: b')).toEqual([
      'agent.yaml:2:1  edges: the edge from "b" to "__end__" is missing',
    ]);
  });

  test('what the dialect has and we have not, with what to do', () => {
    expect(
      mistakes(`variables: { q: str }
settings:
  llm: { provider: ollama, api_key: nothing }
nodes:
  - { name: a, uses: x }
`),
    ).toEqual([
      'agent.yaml:1:1  variables: not supported; values go into `state:`',
      'agent.yaml:3:28  settings.llm.api_key: a key does not belong into a file: set OPENAI_API_KEY where the worker runs',
    ]);
  });

  test('both names of what a node runs, a name that no run can have, too many nodes', () => {
    expect(mistakes('- { name: a, uses: x, action: y }\n')).toEqual([
      'agent.yaml:1:23  [0].action: says the same as [0].uses; keep one',
    ]);
    expect(mistakes('- { name: a/b, uses: x }\n- { name: __end__, uses: x }\n')).toEqual([
      'agent.yaml:1:5  [0].name: must be 1 to 100 characters, without "/"',
      'agent.yaml:2:5  [1].name: "__end__" means the end of every line',
    ]);
    const many = Array.from({ length: 101 }, (_, index) => `- { name: n${index}, uses: x }\n`).join('');
    expect(mistakes(many)).toEqual([expect.stringMatching(/at most 100 nodes/)]);
  });
});

describe('a YAML file is configuration', () => {
  test('with every default filled in', () => {
    expect(parseFile('global_config: { reflection: { triggers: { crisis: false } } }', 'config.yaml')).toMatchObject({
      kind: 'config',
      config: {
        globalConfig: {
          reflection: { interval: 1, method: 'hybrid', triggers: { crisis: false, periodicInterval: 5 } },
        },
      },
    });
    expect(parseFile('agent: { max_replanning_attempts: 0 }', 'config.yaml')).toMatchObject({
      config: { agent: { enableReflection: true, maxReplanningAttempts: 0 } },
    });
  });

  test('with wrong types and unknown keys told where they stand', () => {
    expect(mistakes('global_config:\n  reflection: { batch_size: none, speed: 1 }\n')).toEqual([
      expect.stringMatching(/^agent\.yaml:2:17 {2}global_config\.reflection\.batch_size: /),
      'agent.yaml:2:35  global_config.reflection.speed: unknown field',
    ]);
  });
});
