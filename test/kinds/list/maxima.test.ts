import * as general from '../../../src/lib/base/maxima';
import * as loops from '../../../src/loop/base/maxima';
import { MOST_EDGES } from '../../../src/kinds/pipeline/base/defaults';
import {
  COMMAND_NAMES,
  GUIDE_CHARACTERS,
  payloadProblem,
  REASON_CHARACTERS,
  WHO_CHARACTERS,
} from '../../../src/loop/base/command-payloads';
import { isJsonObject } from '../../../src/lib/json/json';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { parseAgentReflection } from '../../../src/kinds/agents/parse/agents';
import { parseConfig } from '../../../src/kinds/list/config';
import { parseCorrection, parseEvaluation } from '../../../src/kinds/standalone/parse/standalone';
import { parsePipeline } from '../../../src/kinds/pipeline/parse/pipeline';
import { parsePlanSpec } from '../../../src/kinds/plan/parse/plan';
import { parseSpec } from '../../../src/loop/parse/spec';

const maxima = { ...general, ...loops };
const schemas = jsonSchemas();
const generator = { action: 'llm.call', prompt: 'Write.' };
const evaluator = { type: 'schema', schema: {} };
const list = <T>(length: number, value: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => value(index));
const criterion = (index: number) => ({
  name: `c${index}`,
  evaluator: 'comparison',
  evaluatorConfig: { against: 'prior' },
});

/** Each at its maximum and one beyond it, with the path at which that is told. */
const counts: [string, number, (count: number) => unknown, string][] = [
  ['evaluators', maxima.MOST_EVALUATORS, (count) => ({ evaluator: list(count, () => evaluator) }), '/evaluator'],
  // Each of the 50 criteria of the first is asked in both orders.
  [
    'calls of one evaluation',
    maxima.MOST_PARTS,
    (count) => ({
      evaluator: [
        ...list(5, () => ({ type: 'criteria', criteria: list(50, criterion) })),
        ...list(count - 500, () => evaluator),
      ],
    }),
    '/evaluator',
  ],
  [
    'examples',
    maxima.MOST_EXAMPLES,
    (count) => ({ evaluator: { type: 'llm', examples: list(count, () => ({ input: 1, output: 1 })) } }),
    '/evaluator/examples',
  ],
  [
    'messages',
    maxima.MOST_MESSAGES,
    (count) => ({ generator: { action: 'llm.call', messages: list(count, () => ({ role: 'user', content: 'x' })) } }),
    '/generator/messages',
  ],
  [
    'tools',
    maxima.MOST_TOOLS,
    (count) => ({ generator: { ...generator, tools: list(count, (index) => `t${index}`) } }),
    '/generator/tools',
  ],
  [
    'tools that trigger',
    maxima.MOST_TOOLS,
    (count) => ({ triggers: { reflectOnTools: list(count, (index) => `t${index}`) } }),
    '/triggers/reflectOnTools',
  ],
  [
    'keys of what others wrote',
    maxima.MOST_MATERIAL,
    (count) => ({ material: list(count, (index) => `k${index}`) }),
    '/material',
  ],
  ['a weight', maxima.HIGHEST_WEIGHT, (weight) => ({ evaluator: { ...evaluator, weight } }), '/evaluator/weight'],
  [
    'an evaluator’s name',
    maxima.NAME_CHARACTERS,
    (count) => ({ evaluator: { ...evaluator, name: 'n'.repeat(count) } }),
    '/evaluator/name',
  ],
  [
    'what a pattern says',
    maxima.SENTENCE_CHARACTERS,
    (count) => ({ evaluator: { type: 'regex', pattern: 'x', message: 'm'.repeat(count) } }),
    '/evaluator/message',
  ],
  [
    'a wait for a person',
    maxima.LONGEST_MS,
    (timeout) => ({ review: { when: 'on_exhausted', timeout } }),
    '/review/timeout',
  ],
  ['a time for retries', maxima.LONGEST_MS, (retryFor) => ({ timeouts: { retryFor } }), '/timeouts/retryFor'],
  ['a budget', maxima.MOST_TOKENS, (tokens) => ({ budget: { tokens } }), '/budget/tokens'],
  [
    'an interval',
    maxima.MOST_COUNTED,
    (reflectionInterval) => ({ triggers: { reflectionInterval } }),
    '/triggers/reflectionInterval',
  ],
];

type Problems = { problems: { path: string }[] } | object;
const pathsOf = (read: Problems): string[] => ('problems' in read ? read.problems.map(({ path }) => path) : []);

describe('maxima of a spec', () => {
  test.each(counts)('%s: at the maximum it is taken, and above it is told where', (_name, most, make, path) => {
    const spec = (count: number): unknown => ({ generator, evaluator, ...(make(count) as object) });
    expect(pathsOf(parseSpec(spec(most)))).toEqual([]);
    expect(pathsOf(parseSpec(spec(most + 1)))).toEqual([path]);
  });

  test('votes and the second judge count among the calls of an evaluation', () => {
    const judges = (count: number, second: object) => ({
      generator,
      evaluator: list(count, () => ({ type: 'llm' })),
      judge: { votes: 9, second },
    });
    // 9 × 54 = 486, and 9 for the second judge; a comparison is asked in both orders, so it needs 18.
    expect(pathsOf(parseSpec(judges(54, { type: 'llm' })))).toEqual([]);
    expect(pathsOf(parseSpec(judges(54, { type: 'comparison', against: 'prior' })))).toEqual(['/evaluator']);
    expect(pathsOf(parseSpec(judges(55, { type: 'llm' })))).toEqual(['/evaluator']);
  });

  test('other shapes have theirs', () => {
    const many = list(maxima.MOST_EVALUATORS + 1, () => evaluator);
    expect(pathsOf(parseEvaluation({ evaluator: many, data: 1 }))).toEqual(['/evaluator']);
    const errors = list(maxima.MOST_ERRORS + 1, () => 'wrong');
    expect(pathsOf(parseCorrection({ corrector: generator, data: 1, errors }))).toEqual(['/errors']);
    const edges = list(MOST_EDGES + 1, () => ({ from: 'a', to: 'b' }));
    const nodes = list(2, (index) => ({ name: 'ab'[index]!, run: 'x' }));
    expect(pathsOf(parsePipeline({ nodes, edges }))).toContain('/edges');
    const judged = { name: 'c', uses: 'reflection.evaluate', with: { evaluator: many, data: 1 } };
    expect(pathsOf(parsePipeline({ nodes: [judged] }))).toEqual(['/nodes/0/with/evaluator']);
    const task = { id: 'a', description: 'a', step: { loop: { generator, evaluator: many } } };
    expect(pathsOf(parsePlanSpec({ goal: 'x', plan: { id: 'p', tasks: [task] } }))).toEqual([
      '/plan/tasks/0/step/loop/evaluator',
    ]);
    const agents = { agents: [{ id: 'a', type: 'b' }], config: { reflection: { batchSize: 5_001 } } };
    expect(pathsOf(parseAgentReflection(agents))).toEqual(['/config/reflection/batchSize']);
    expect(pathsOf(parseConfig({ agent: { maxReplanningAttempts: 21 } }))).toEqual(['/agent/maxReplanningAttempts']);
  });
});

/** Places of a JSON Schema where a list or a number has no end. */
function endless(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => endless(each, `${path}/${index}`));
  if (!isJsonObject(schema as never)) return [];
  const { type, maxItems, maximum, exclusiveMaximum, items } = schema as Record<string, unknown>;
  const numberHasNone = !(Number(maximum ?? exclusiveMaximum) < Number.MAX_SAFE_INTEGER);
  const isEndless =
    (type === 'array' && items !== undefined && maxItems === undefined) ||
    ((type === 'integer' || type === 'number') && numberHasNone);
  return [
    ...(isEndless ? [path] : []),
    ...Object.entries(schema as object).flatMap(([key, inner]) => endless(inner, `${path}/${key}`)),
  ];
}

/** Places of a JSON Schema where a text has no end. */
function endlessTexts(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => endlessTexts(each, `${path}/${index}`));
  if (!isJsonObject(schema as never)) return [];
  const { type, maxLength, enum: names, const: one } = schema as Record<string, unknown>;
  const isEndless = type === 'string' && maxLength === undefined && names === undefined && one === undefined;
  const inner = Object.entries(schema as object).flatMap(([key, each]) => endlessTexts(each, `${path}/${key}`));
  return [...(isEndless ? [path] : []), ...inner];
}

describe('what a person sends', () => {
  /** Any JSON: bounded as outputs are. */
  const output = /^\/properties\/output/;
  /** Whole numbers that must be the current one. */
  const current = /^\/properties\/iteration/;

  test.each(COMMAND_NAMES)('no text, list or number of %s is without an end', (name) => {
    const schema = schemas[`command-${name}.json`];
    expect(endlessTexts(schema).filter((path) => !output.test(path))).toEqual([]);
    expect(endless(schema, '').filter((path) => !output.test(path) && !current.test(path))).toEqual([]);
  });

  test.each([
    ['accept', 'id', WHO_CHARACTERS],
    ['accept', 'by', WHO_CHARACTERS],
    ['accept', 'reason', REASON_CHARACTERS],
    ['abort', 'id', WHO_CHARACTERS],
    ['abort', 'by', WHO_CHARACTERS],
    ['abort', 'reason', REASON_CHARACTERS],
    ['guide', 'text', GUIDE_CHARACTERS],
  ] as const)('%s: a running loop takes %s of the maximum, and no longer one', (name, field, most) => {
    expect(payloadProblem(name, { [field]: 'x'.repeat(most) })).toBeUndefined();
    expect(payloadProblem(name, { [field]: 'x'.repeat(most + 1) })).toContain(`${most} characters`);
  });
});

describe('what a starter sends', () => {
  // The seed of a population is any whole number: it counts nothing.
  const seed = /\/properties\/seed$/;
  const shapes = ['spec', 'pipeline', 'plan-spec', 'agent-spec', 'evaluation-request', 'correction-request'];
  test.each(shapes)('no list and no number of %s is without an end', (shape) => {
    const found = endless(schemas[`${shape}.json`], '').filter((path) => !seed.test(path));
    expect(found).toEqual([]);
  });
});
