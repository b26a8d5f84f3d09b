import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { nameTypes } from '../../../src/lib/contract/definitions';
import { fileSchemas, parseCorrectionFile, parseEvaluationFile, parseFile } from '../../../src/apps/yaml';
import { shapeCompiler } from '../../../testing/support/shape-compiler';

const ajv = shapeCompiler({ strictTypes: false, allowUnionTypes: true });
addFormats(ajv);
const compiled: Record<string, ValidateFunction> = Object.fromEntries(
  Object.entries(nameTypes(fileSchemas())).map(([file, schema]) => [file, ajv.compile(schema)]),
);

const evaluator = { type: 'schema', schema: { max_length: 1 } };
const generator = { uses: 'llm.call', prompt: 'Write.', max_tokens: 5 };
const loop = (given: object) => ({ nodes: [{ name: 'a', uses: 'reflection.loop', with: given }] });
const evaluate = (given: object) => ({ nodes: [{ name: 'a', action: 'reflection.evaluate', with: given }] });
const correct = (given: object) => ({ nodes: [{ name: 'a', uses: 'reflection.correct', with: given }] });

const specs: [string, unknown][] = [
  ['uses', { generator, evaluator }],
  ['action', { generator: { action: 'llm.call', prompt: 'x' }, evaluator }],
  ['uses of an action', { generator: { uses: 'mine', with: { any_key: 1 } }, corrector: { uses: 'other' }, evaluator }],
  ['uses and action', { generator: { uses: 'mine', action: 'mine' }, evaluator }],
  ['neither', { generator: { prompt: 'x' }, evaluator }],
  ['an evaluator that uses', { generator, evaluator: { type: 'function', uses: 'mine' } }],
  ['an evaluator with an action', { generator, evaluator: { type: 'function', action: 'mine' } }],
  ['quality_criteria alone', { generator, quality_criteria: ['clear', { name: 'short', evaluator_config: {} }] }],
  ['quality_criteria beside an evaluator', { generator, evaluator, quality_criteria: [{ name: 'clear', weight: 2 }] }],
  ['no quality_criteria', { generator, quality_criteria: [] }],
  ['a wrong criterion', { generator, quality_criteria: [{ weight: 2 }] }],
  ['flat keys', { generator, evaluator, plateau_iterations: 3, revision_strategy: 'hybrid' }],
  ['wrong flat keys', { generator, evaluator, plateau_iterations: 0 }],
  ['two lines', { task: 'Write.', evaluator: ['It is kind.', 'At most two sentences.'] }],
  ['a task and quality_criteria', { task: 'Write.', quality_criteria: ['clear'] }],
  ['a sentence beside quality_criteria', { task: 'Write.', evaluator: 'It is kind.', quality_criteria: ['clear'] }],
  [
    'evaluators without a type',
    { task: 'Write.', evaluator: [{ pattern: 'x', must_match: false }, { set: 'tone@1' }] },
  ],
  ['an evaluator without a type that uses', { generator, evaluator: { uses: 'mine' } }],
  ['a name that no criterion has', { generator, evaluator: 'fluffy' }],
  ['no generator, and no task', { evaluator }],
];

const pipelines: [string, unknown][] = [
  ['a loop', loop({ generator, evaluator, max_iterations: 2, on_failure: 'raise' })],
  ['a loop with criteria and flat keys', loop({ generator, quality_criteria: ['clear'], plateau_iterations: 1 })],
  ['a loop with a template', loop({ generator, evaluator, max_iterations: '{{ state.n }}' })],
  [
    'a loop with expressions',
    loop({
      generator: { ...generator, max_tokens: '{{ state.n }}' },
      evaluator: { type: 'schema', schema: '{{ state.x }}' },
    }),
  ],
  ['a loop with a text for a schema', loop({ generator, evaluator: { type: 'schema', schema: 'x' } })],
  ['an expression for a flat schema', evaluate({ schema: '{{ state.shape }}', data: 1 })],
  ['a loop with an expression for its criteria', loop({ generator, quality_criteria: '{{ state.criteria }}' })],
  ['a loop with a wrong number', loop({ generator, evaluator, max_iterations: 0 })],
  ['a short loop', loop({ task: 'Write.', evaluator: ['It is kind.', { pattern: 'x', must_match: false }] })],
  ['a short loop without a task', loop({ evaluator: ['It is kind.'] })],
  ['a list of nodes', [{ name: 'a', run: 'return 1' }]],
  ['a list of wrong nodes', [{ name: 'a' }]],
  ['a flat evaluation', evaluate({ schema: { a_b: 1 }, data: 1 })],
  ['a flat evaluation of a type', evaluate({ evaluator_type: 'llm', prompt: 'x', data: 1 })],
  ['a flat evaluation of no type', evaluate({ evaluator_type: 'magic' })],
  ['a full evaluation', evaluate({ evaluator: { type: 'llm' } })],
  ['a flat evaluation without its schema', evaluate({ data: 1 })],
  ['a flat correction', correct({ corrector_action: 'mine', with: { a_b: 1 }, data: 1 })],
  ['a flat correction by a model', correct({ prompt: 'x', max_tokens: 5 })],
  ['a flat correction by code', correct({ run: 'return 1', language: 'lua' })],
  ['a full correction', correct({ corrector: { uses: 'mine' } })],
  ['a flat correction with an unknown key', correct({ prompt: 'x', colour: 1 })],
  ['a provider', { nodes: [{ name: 'a', run: 'x' }], settings: { llm: { provider: 'openai', max_tokens: 5 } } }],
  ['another provider', { nodes: [{ name: 'a', run: 'x' }], settings: { llm: { provider: 'mine' } } }],
  ['timeouts', { nodes: [{ name: 'a', run: 'x' }], settings: { timeouts: { model_call: '5s' } } }],
  ['an unknown key', { nodes: [{ name: 'a', run: 'x' }], colour: 1 }],
];

const evaluations: [string, unknown][] = [
  ['full', { name: 'n', evaluator, state: { a_b: 1 } }],
  ['flat', { schema: {}, coerce: false, task: 't' }],
  ['flat, of a type', { evaluator_type: 'regex', pattern: 'x', must_match: true }],
  ['a name that is a number', { name: 1, evaluator }],
  ['nothing', { task: 't' }],
  ['an unknown key', { evaluator, colour: 1 }],
];

const corrections: [string, unknown][] = [
  ['full', { name: 'n', corrector: { uses: 'mine' } }],
  ['flat', { corrector_action: 'mine', with: { a_b: 1 }, state: {} }],
  ['a hint', { corrector: { uses: 'mine', mode: 'hint' } }],
  ['the built-in revision', { task: 't' }],
  ['code', { run: 'return 1', language: 'python' }],
  ['code of an unknown language', { run: 'return 1', language: 'cobol' }],
  ['an unknown key', { prompt: 'x', colour: 1 }],
];

const does = { uses: 'mine', with: { any_key: 1 } };
const withTask = (step: unknown, more: object = {}) => ({
  goal: 'g',
  plan: { tasks: [{ id: 'a', description: 'd', step, ...more }] },
});
const plans: [string, unknown][] = [
  ['a goal', { goal: 'g', planner: does, max_replanning_attempts: 1, enableReflection: false }],
  ['a plan with an id', { goal: 'g', plan: { id: 'p', tasks: [{ id: 'a', description: 'd', step: does }] } }],
  ['a task in snake_case', withTask({ ...generator }, { depends_on: [], expected_ms: 5 })],
  [
    'a loop in the words of files',
    withTask({ loop: { generator, quality_criteria: ['clear'], plateau_iterations: 1 } }),
  ],
  ['a short loop', withTask({ loop: { task: 'Write.', evaluator: ['It is kind.', { pattern: 'x' }] } })],
  ['a short loop with a name that no criterion has', withTask({ loop: { task: 'Write.', evaluator: 'fluffy' } })],
  ['code', withTask({ run: 'return 1', language: 'lua' })],
  ['criteria', { goal: 'g', criteria: { min_success_rate: 1 }, state: { any_key: 1 } }],
  ['a wrong loop', withTask({ loop: { generator } })],
  ['a task that does nothing', withTask({})],
  ['no tasks', { goal: 'g', plan: { tasks: [] } }],
  ['a list for a plan', { goal: 'g', plan: [] }],
  ['an unknown key', { goal: 'g', colour: 1 }],
  ['a goal that is a number', { goal: 1 }],
];

const oneAgent = [{ id: 'ada', type: 'owner', attributes: { any_key: 1 } }];
const populations: [string, unknown][] = [
  ['agents', { agents: oneAgent, memory: { top_k: 3 }, budget: { model_calls: 3 } }],
  ['a configuration', { agents: oneAgent, config: { reflection: { batch_size: 3 } } }],
  [
    'the configuration of the documents',
    { agents: oneAgent, global_config: { reflection: { triggers: { crisis: false } } } },
  ],
  ['both', { agents: oneAgent, config: { reflection: {} }, global_config: { reflection: {} } }],
  ['no agents', { agents: [] }],
  ['an agent without a type', { agents: [{ id: 'a' }] }],
  ['an unknown key', { agents: oneAgent, colour: 1 }],
];

const brought = { data: 1, errors: [] };
const tables: [string, [string, unknown][], (text: string) => unknown][] = [
  ['spec-file.json', specs, (text) => parseFile(text, 'file')],
  ['pipeline-file.json', pipelines, (text) => parseFile(text, 'file')],
  ['plan-file.json', plans, (text) => parseFile(text, 'file')],
  ['agents-file.json', populations, (text) => parseFile(text, 'file')],
  ['evaluation-file.json', evaluations, (text) => parseEvaluationFile(text, 'file', { data: 1 })],
  ['correction-file.json', corrections, (text) => parseCorrectionFile(text, 'file', brought)],
];

describe.each(tables)('%s', (file, rows, parse) => {
  const isTaken = (value: unknown): boolean => {
    try {
      parse(JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };

  test.each(rows)('agrees with what files may say: %s', (_name, value) => {
    expect(compiled[file]!(value)).toBe(isTaken(value));
  });

  test('the table has what is taken, and what is refused', () => {
    const taken = rows.filter(([, value]) => isTaken(value)).length;
    expect([taken > 1, rows.length - taken > 1]).toEqual([true, true]);
  });
});
