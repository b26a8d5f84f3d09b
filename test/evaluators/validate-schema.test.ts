import { createActionRegistry } from '../../src/actions/registry';
import { runStep } from '../../src/actions/step';
import type { Json } from '../../src/lib/json/json';
import { validateSchemaAction } from '../../src/evaluators/validate-schema';
import { createModels } from '../../src/lib/models';

const run = (parameters: Json) =>
  runStep(
    { action: 'validate.schema', with: parameters },
    { state: {}, iteration: 1, workflowId: 'w', timeoutMs: 1_000 },
    {
      models: createModels([], {}),
      actions: createActionRegistry([validateSchemaAction()]),
      signal: new AbortController().signal,
    },
  );
const schema = { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } };

describe('validate.schema', () => {
  test('is the schema evaluator as an action, with its coercion', async () => {
    const valid = { valid: true, score: 1, errors: [], suggestions: [], reason: '', outcome: 'pass' };
    expect((await run({ data: { age: '30' }, schema })).output).toEqual(valid);
    expect((await run({ data: { age: '30' }, schema, coerce: false })).output).toMatchObject({
      valid: false,
      score: 0,
      outcome: 'fail',
      errors: [{ path: '/age', type: 'type' }],
    });
    expect((await run({ data: '```json\n{}\n```', schema })).output).toMatchObject({ errors: [{ path: '/age' }] });
  });

  test.each<[Json, RegExp]>([
    [{ data: 1, schema: { type: 'objekt' } }, /\/schema\/type: must be one of/],
    [{ data: 1, schema: { $ref: '/etc/passwd' } }, /REFLECT_SCHEMA_ROOT/],
    [{ data: 1 }, /schema: /],
    [{ data: 1, schema, extra: 1 }, /extra/],
  ])('%j is refused, saying why', async (parameters, message) => {
    await expect(run(parameters)).rejects.toThrow(message);
  });
});
