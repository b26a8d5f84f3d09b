import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { nameTypes } from '../../../src/lib/contract/definitions';
import { parseCorrection, parseEvaluation } from '../../../src/kinds/standalone/parse/standalone';
import { parsePipeline } from '../../../src/kinds/pipeline/parse/pipeline';
import { parseAgentReflection } from '../../../src/kinds/agents/parse/agents';
import { shapeCompiler } from '../../../testing/support/shape-compiler';

const ajv = shapeCompiler({ strictTypes: false, allowUnionTypes: true });
addFormats(ajv);
const schemas = nameTypes(jsonSchemas());
const compiled: Record<string, ValidateFunction> = Object.fromEntries(
  ['pipeline.json', 'evaluation-request.json', 'correction-request.json', 'agent-spec.json'].map((file) => [
    file,
    ajv.compile(schemas[file]!),
  ]),
);

const evaluator = { type: 'schema', schema: { type: 'object' } };
const generator = { action: 'llm.call', prompt: 'Write.' };
const spec = { generator, evaluator };
const run = { name: 'code', run: 'return 1' };
const one = (node: unknown, more: object = {}) => ({ nodes: [node], ...more });
const loop = (given: object) => one({ name: 'a', uses: 'reflection.loop', with: given });
const check = (given: unknown) => one({ name: 'a', action: 'reflection.evaluate', with: given });
const fix = (given: unknown) => one({ name: 'a', action: 'reflection.correct', with: given });

const pipelines: [string, unknown][] = [
  ['inline code', one(run)],
  ['inline code of a language', one({ ...run, language: 'lua', output: 'x', description: 'd' })],
  ['an unknown language', one({ ...run, language: 'cobol' })],
  ['code and an action', one({ ...run, uses: 'mine' })],
  ['parameters for code', one({ ...run, with: {} })],
  ['no nodes', { nodes: [] }],
  ['no list of nodes', {}],
  ['a node that is a text', one('write')],
  ['a node that does nothing', one({ name: 'a' })],
  ['a node without a name', one({ uses: 'mine' })],
  ['a name with a slash', one({ ...run, name: 'a/b' })],
  ['an action', one({ name: 'a', action: 'mine', with: [1, null] })],
  ['an action without parameters', one({ name: 'a', uses: 'mine' })],
  ['uses and action', one({ name: 'a', uses: 'mine', action: 'mine' })],
  ['an empty action', one({ name: 'a', uses: '' })],
  ['another action of ours', one({ name: 'a', uses: 'reflection.dream', with: {} })],
  ['a list for another action of ours', one({ name: 'a', uses: 'reflection.dream', with: [] })],
  ['an unknown key of a node', one({ name: 'a', uses: 'mine', colour: 1 })],
  ['a model call', one({ name: 'a', uses: 'llm.call', with: { prompt: 'x' }, output: 'y' })],
  ['a model call without parameters', one({ name: 'a', uses: 'llm.call', output: 'y' })],
  ['a model call without an output', one({ name: 'a', uses: 'llm.call', with: { prompt: 'x' } })],
  ['a model call that is too warm', one({ name: 'a', uses: 'llm.call', with: { temperature: 3 }, output: 'y' })],
  ['a loop', loop(spec)],
  ['a loop without a spec', one({ name: 'a', uses: 'reflection.loop' })],
  ['a loop without an evaluator', loop({ generator })],
  ['a loop with a template for a number', loop({ ...spec, maxIterations: '{{ state.n }}' })],
  ['a loop with a template inside', loop({ ...spec, budget: { tokens: '{{ state.n }}' } })],
  ['a loop with a template for votes', loop({ ...spec, judge: { votes: '{{ state.n }}' } })],
  ['a loop with a template inside of how judges relax', loop({ ...spec, judge: { relaxation: { step: '{{ 1 }}' } } })],
  ['a loop with a template for how judges judge', loop({ ...spec, judge: '{{ state.judge }}' })],
  ['a second judge with an expression', loop({ ...spec, judge: { second: { type: 'llm', model: '{{ state.m }}' } } })],
  ['a second judge that is an expression', loop({ ...spec, judge: { second: '{{ state.second }}' } })],
  ['a hook with code in braces', loop({ ...spec, hooks: { onRevision: { run: '{{ x }}' } } })],
  ['hooks that are an expression', loop({ ...spec, hooks: '{{ state.hooks }}' })],
  ['a loop with a text for a number', loop({ ...spec, maxIterations: 'three' })],
  ['a loop with templates that it renders', loop({ ...spec, task: '{{ state.topic }}' })],
  ['a loop with a template for a generator', loop({ ...spec, generator: '{{ state.generator }}' })],
  ['a loop with an expression for a schema', loop({ ...spec, evaluator: { type: 'schema', schema: '{{ state.x }}' } })],
  [
    'a loop with more than one for a schema',
    loop({ ...spec, evaluator: { type: 'schema', schema: 'a {{ state.x }}' } }),
  ],
  [
    'a loop with an expression for a number',
    loop({ ...spec, generator: { ...generator, maxTokens: '{{ state.n }}' } }),
  ],
  ['a loop with a text for a number of a step', loop({ ...spec, generator: { ...generator, maxTokens: 'many' } })],
  ['an expression for tools', loop({ ...spec, generator: { ...generator, tools: '{{ state.tools }}' } })],
  ['expressions for criteria', check({ evaluator: { type: 'criteria', criteria: '{{ state.criteria }}' } })],
  [
    'an expression of a criterion',
    check({ evaluator: { type: 'criteria', criteria: [{ name: 'a', weight: '{{ 2 }}' }] } }),
  ],
  [
    'an expression for who judges',
    check({ evaluator: { type: 'criteria', criteria: [{ name: 'a', evaluator: '{{ 2 }}' }] } }),
  ],
  ['an expression for a corrector', fix({ corrector: '{{ state.corrector }}' })],
  [
    'an expression for messages',
    one({ name: 'a', uses: 'llm.call', with: { messages: '{{ state.chat }}' }, output: 'y' }),
  ],
  ['an evaluation', check({ evaluator, data: 1, task: 't' })],
  ['an evaluation of nothing', check({})],
  ['an evaluation that is a text', check('x')],
  ['an evaluation with a state', check({ evaluator, state: {} })],
  ['a correction', fix({ corrector: generator, errors: ['x'] })],
  ['a correction with a mode', fix({ corrector: { ...generator, mode: 'hint' } })],
  ['settings', one(run, { settings: { llm: { model: 'm', maxTokens: 5 }, timeouts: { step: '5s' } } })],
  ['wrong settings', one(run, { settings: { llm: { maxTokens: 0 } } })],
  ['unknown settings', one(run, { settings: { colour: 1 } })],
  ['a state', one(run, { state: { any_key: 1 }, name: 'n', description: 'd' })],
  ['a state that is a list', one(run, { state: [] })],
  [
    'the line of the nodes',
    one(run, {
      edges: [
        { from: '__start__', to: 'code' },
        { from: 'code', to: '__end__' },
      ],
    }),
  ],
  ['an edge without an end', one(run, { edges: [{ from: '__start__' }] })],
  ['an unknown key', one(run, { colour: 1 })],
  ['a list', [run]],
  ['null', null],
];

const evaluations: [string, unknown][] = [
  ['data', { evaluator, data: null }],
  ['several evaluators', { evaluator: [evaluator, { type: 'llm' }], data: 1, task: 't' }],
  ['data in the state', { evaluator, state: { reflection_output: 1 } }],
  ['no data', { evaluator }],
  ['no data in the state', { evaluator, state: { other: 1 } }],
  ['no evaluator', { data: 1 }],
  ['an unknown evaluator', { evaluator: { type: 'magic' }, data: 1 }],
  ['a state that is a text', { evaluator, data: 1, state: 'x' }],
  ['an unknown key', { evaluator, data: 1, colour: 1 }],
  ['a text', 'x'],
];

const corrector = generator;
const corrections: [string, unknown][] = [
  ['texts', { corrector, data: 1, errors: ['x'] }],
  ['errors in full', { corrector, data: 1, errors: [{ message: 'x', path: '/a', line: 7, severity: 'major' }] }],
  ['everything in the state', { corrector, state: { reflection_output: 1, reflection_errors: [] } }],
  ['an action', { corrector: { action: 'mine', with: 1, mode: 'replace' }, data: 1, errors: [] }],
  ['a hint', { corrector: { ...corrector, mode: 'hint' }, data: 1, errors: [] }],
  ['no errors', { corrector, data: 1 }],
  ['no data', { corrector, errors: [] }],
  ['an error without a message', { corrector, data: 1, errors: [{ path: '/a' }] }],
  ['a severity that there is not', { corrector, data: 1, errors: [{ message: 'x', severity: 'deadly' }] }],
  ['wrong errors in the state', { corrector, data: 1, state: { reflection_errors: [1] } }],
  ['no corrector', { data: 1, errors: [] }],
  ['an unknown key', { corrector, data: 1, errors: [], colour: 1 }],
];

const agents = [{ id: 'a1', type: 'farmer' }];
const populations: [string, unknown][] = [
  ['agents', { agents }],
  [
    'all of it',
    { agents: [{ ...agents[0], attributes: { age: 1 } }], seed: 1, memory: { topK: 3 }, budget: { usd: 1 } },
  ],
  ['a configuration', { agents, config: { reflection: {} } }],
  ['no agents', { agents: [] }],
  ['an agent without a type', { agents: [{ id: 'a' }] }],
  ['an id that begins with a dot', { agents: [{ id: '.a', type: 'x' }] }],
  ['half a seed', { agents, seed: 0.5 }],
  ['an unknown key', { agents, colour: 1 }],
  ['an unknown key of the configuration', { agents, config: { reflection: { colour: 1 } } }],
];

const tables = [
  ['pipeline.json', pipelines, parsePipeline],
  ['evaluation-request.json', evaluations, parseEvaluation],
  ['correction-request.json', corrections, parseCorrection],
  ['agent-spec.json', populations, parseAgentReflection],
] as const;

describe.each(tables)('%s', (file, rows, parse) => {
  test.each(rows)('agrees with the parser: %s', (_name, value) => {
    expect(compiled[file]!(value)).toBe(!('problems' in parse(value)));
  });

  test('the table has what is taken, and what is refused', () => {
    const taken = rows.filter(([, value]) => !('problems' in parse(value))).length;
    expect([taken > 2, rows.length - taken > 4]).toEqual([true, true]);
  });
});

test('what a JSON Schema cannot say of a pipeline is left to the parser', () => {
  for (const value of [{ nodes: [run, run] }, one(run, { edges: [{ from: 'code', to: 'code' }] })]) {
    expect(compiled['pipeline.json']!(value)).toBe(true);
    expect(parsePipeline(value)).toHaveProperty('problems');
  }
});
