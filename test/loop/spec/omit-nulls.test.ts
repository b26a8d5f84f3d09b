import type { z } from 'zod';
import { agentReflectionSpec } from '../../../src/kinds/agents/contract/agents';
import { parseAgentReflection } from '../../../src/kinds/agents/parse/agents';
import { batchSpec } from '../../../src/kinds/batch/contract/batch';
import { parseBatch } from '../../../src/kinds/batch/parse/batch';
import { jsonSchemas } from '../../../src/kinds/list/schemas';
import { parsePipeline } from '../../../src/kinds/pipeline/parse/pipeline';
import { planSpec } from '../../../src/kinds/plan/contract/plan';
import { parsePlanSpec } from '../../../src/kinds/plan/parse/plan';
import { correctionRequest, evaluationRequest } from '../../../src/loop/contract/requests';
import { parseCorrection, parseEvaluation } from '../../../src/kinds/standalone/parse/standalone';
import { knownFields } from '../../../src/lib/contract/form-problems';
import { isJsonObject, type Json } from '../../../src/lib/json/json';
import { jsonPointer, replaceAt } from '../../../src/lib/json/json-pointer';
import { loopSpec } from '../../../src/loop/contract/spec';
import { parseSpec } from '../../../src/loop/parse/spec';
import { DATA_KEYS, NULLABLE_KEYS, omitNulls } from '../../../src/loop/spec/omit-nulls';

const model = { action: 'llm.call', messages: [{ role: 'user', content: 'Write.' }], reply: { type: 'object' } };
const loop = {
  generator: model,
  corrector: { run: 'return 1', mode: 'hint' },
  evaluator: [
    { type: 'schema', schema: { const: null } },
    { type: 'criteria', criteria: [{ name: 'clear', evaluatorConfig: { questions: ['Is it clear?'] } }] },
    { type: 'llm', examples: [{ input: null, output: { verdict: null } }] },
    { type: 'comparison', against: 'reference', reference: null },
    { type: 'external', url: 'https://checks.example/judge' },
    { type: 'function', action: 'check', with: { threshold: null } },
    { type: 'workflow', workflow: 'judgeIt' },
    { type: 'calls', must: [{ call: 'find', arguments: { const: null }, result: { enum: [null] } }] },
    { type: 'criteria', criteria: [{ name: 'found', proof: { call: 'find', result: { const: null } } }] },
  ],
  state: { order: null, lines: [null, { sum: null }] },
  judge: { second: { type: 'llm' }, relaxation: { step: 0.05, floor: 0.5 } },
  hooks: { onReflection: 'told', onRevision: { run: 'return 1' } },
  review: { when: 'on_exhausted', timeout: '2d' },
  budget: { tokens: 1000 },
  convergence: {},
  triggers: {},
  timeouts: {},
  memory: { agent: 'notes' },
};

type Parsed = { problems: unknown } | object;

/** A value that has parts of all sorts, by what it is. */
const VALUES: Record<string, [z.ZodType, (value: unknown) => Parsed, object]> = {
  loop: [loopSpec, parseSpec, loop],
  plan: [
    planSpec,
    parsePlanSpec,
    {
      goal: 'A report.',
      plan: { id: 'one', tasks: [{ id: 'a', description: 'Write.', step: model }] },
      planner: model,
      criteria: {},
      memory: { agent: 'notes' },
      state: { given: null },
    },
  ],
  batch: [
    batchSpec,
    parseBatch,
    { loop, digest: '0123456789abcdef', pages: [3], budget: { tokens: 5 }, first: { a: null } },
  ],
  agents: [
    agentReflectionSpec,
    parseAgentReflection,
    {
      agents: [{ id: 'a', type: 'owner', attributes: { income: null } }],
      config: { reflection: {} },
      memory: {},
      timeouts: {},
    },
  ],
  evaluation: [evaluationRequest, parseEvaluation, { evaluator: loop.evaluator, data: null, state: { a: null } }],
  correction: [
    correctionRequest,
    parseCorrection,
    { corrector: model, data: null, errors: ['It is too long.', { message: 'It is late.' }] },
  ],
};

interface Place {
  path: (string | number)[];
  object: object;
}

/** Lists the objects of a value that are no data of the user's, with their paths. */
function objectsOf(value: unknown, path: (string | number)[] = []): Place[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => objectsOf(each, [...path, index]));
  if (!isJsonObject(value)) return [];
  const inner = Object.entries(value).filter(([key]) => !DATA_KEYS.includes(key));
  return [{ path, object: value }, ...inner.flatMap(([key, each]) => objectsOf(each, [...path, key]))];
}

describe.each(Object.entries(VALUES))('%s', (_kind, [schema, parse, value]) => {
  test('takes a null in the place of each field that is not set', () => {
    const expected = parse(value);
    expect(expected).not.toHaveProperty('problems');
    const places = objectsOf(value).flatMap(({ path, object }) =>
      knownFields(schema, value, path)
        .filter((field) => !(field in object) && !NULLABLE_KEYS.includes(field))
        .map((field) => ({ pointer: jsonPointer(path), field, object })),
    );
    expect(places.length).toBeGreaterThan(8);
    for (const { pointer, field, object } of places) {
      const given = replaceAt(value as Json, pointer, { ...object, [field]: null } as Json);
      expect([pointer, field, parse(given)]).toEqual([pointer, field, expected]);
    }
  });
});

test('a pipeline takes nulls in its nodes, in the parameters of what is built in, and in the loops inside it', () => {
  const node = (more: object, inner: object) => ({
    nodes: [
      { name: 'write', uses: 'llm.call', output: 'draft', with: { prompt: 'Write.', ...inner }, ...more },
      { name: 'loop', uses: 'reflection.loop', with: { ...loop, ...inner }, ...more },
      { name: 'mine', uses: 'mine', with: { given: null } },
    ],
    state: { a: null },
  });
  const expected = parsePipeline(node({}, {}));
  expect(expected).not.toHaveProperty('problems');
  expect(parsePipeline(node({ description: null, action: null }, { model: null }))).toEqual(expected);
  expect(parsePipeline(node({ run: null, workflow: null, action: null }, { model: null }))).toEqual(expected);
  const [first, ...others] = node({}, {}).nodes;
  const unnamed = {
    ...node({}, {}),
    nodes: [first, { ...others[0], output: null }, others[1]],
    name: null,
    edges: null,
  };
  expect(parsePipeline(unnamed)).toEqual(expected);
});

test('a required field that is null is missing', () => {
  expect(parseSpec({ ...loop, evaluator: null })).toEqual({
    problems: [expect.objectContaining({ path: '/evaluator', message: 'is required' })],
  });
});

test('data of the user keeps its nulls', () => {
  expect(omitNulls(loop)).toBe(loop);
  expect(omitNulls({ ...loop, name: null })).toEqual(loop);
});

test('what is deeper than any spec stays as it is', () => {
  let deep: unknown = { name: null };
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(omitNulls(deep)).toBe(deep);
});

test('every field of a spec that takes any data is known as data', () => {
  const takesAny = (schema: Json | undefined): boolean => {
    if (!isJsonObject(schema)) return schema === true;
    const { description: _description, default: _default, title: _title, ...form } = schema;
    const forms = (form['anyOf'] ?? []) as Json[];
    const types = [form['type']].flat();
    const { items, additionalProperties: others } = form;
    const isOpen = types.includes('object') && !('properties' in form) && !isJsonObject(others);
    // An object with fields of its own may have more: null in these is as in its own.
    const inner = [...forms, items, 'properties' in form ? undefined : others].filter(isJsonObject);
    return Object.keys(form).length === 0 || isOpen || types.includes('null') || inner.some(takesAny);
  };
  const found = new Set<string>();
  const collect = (schema: Json | undefined): void => {
    if (Array.isArray(schema)) schema.forEach(collect);
    if (!isJsonObject(schema)) return;
    for (const [key, value] of Object.entries(schema)) {
      // A condition on a field of data, such as a key of the state, is no field.
      if (key === 'properties' && isJsonObject(value)) {
        for (const [name, field] of Object.entries(value)) {
          if (takesAny(field)) found.add(name);
          if (!DATA_KEYS.includes(name)) collect(field);
        }
      } else if (key !== 'default') collect(value);
    }
  };
  const schemas = jsonSchemas();
  for (const file of ['spec', 'plan-spec', 'batch-spec', 'agent-spec', 'evaluation-request', 'correction-request']) {
    collect(schemas[`${file}.json`] as Json);
  }
  expect([...found].filter((key) => !DATA_KEYS.includes(key))).toEqual([]);
});
