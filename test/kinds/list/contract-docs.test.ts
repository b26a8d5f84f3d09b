import { withComments } from '../../../testing/build/contract-docs';
import { memory } from '../../../src/loop/contract/memory';
import { loopSpec } from '../../../src/loop/contract/spec';
import { COMMAND_NAMES } from '../../../src/loop/base/command-payloads';
import { isJsonObject, type Json } from '../../../src/lib/json/json';
import { jsonSchemas } from '../../../src/kinds/list/schemas';

/** Shapes whose fields are described: what people write, and what runs hand out. */
const DESCRIBED =
  'spec step corrector evaluator quality-criterion evaluation-request correction-request pipeline plan-spec plan task reflection-criteria agent-spec reflection-config evaluation evaluation-state version result progress history-page reflection-state correction-result pipeline-result pipeline-progress task-result plan-evaluation failure-pattern plan-result plan-progress episode trigger-answer agent-report agent-progress reflections-page agent-event'
    .split(' ')
    .concat(COMMAND_NAMES.map((name) => `command-${name}`));

/** Fields of a schema without a description, by their path. */
function undescribed(schema: Json, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => undescribed(each, `${path}/${index}`));
  if (!isJsonObject(schema)) return [];
  const { properties = {}, ...rest } = schema;
  const fields = Object.entries(properties as Record<string, { description?: string; const?: Json }>);
  return [
    // A constant says what it is.
    ...fields
      .filter(([, field]) => field.description === undefined && field.const === undefined)
      .map(([key]) => `${path}/${key}`),
    ...fields.flatMap(([key, field]) => undescribed(field as Json, `${path}/${key}`)),
    ...Object.entries(rest).flatMap(([key, each]) => undescribed(each, `${path}/${key}`)),
  ];
}

describe('what the contract says of its fields', () => {
  const schemas = jsonSchemas();

  test.each(DESCRIBED)('each field of %s has a description', (name) => {
    const own = undescribed(schemas[`${name}.json`] as Json);
    // Conditions on a field that is described elsewhere.
    expect(own.filter((path) => !/\/(?:not|anyOf\/1\/properties\/state)\b|^\/(?:allOf|anyOf)\//.test(path))).toEqual(
      [],
    );
  });

  test('defaults stand in the JSON Schemas, and are not filled in', () => {
    const { properties } = schemas['spec.json'] as { properties: Record<string, { default?: Json }> };
    expect([properties['maxIterations']?.default, properties['qualityThreshold']?.default]).toEqual([3, 0.8]);
    const spec = { generator: { action: 'a' }, evaluator: { type: 'llm' as const } };
    expect(loopSpec.parse(spec)).toEqual(spec);
  });

  test('declarations that users load have them as comments, in objects within objects, too', () => {
    const declarations = [
      'export declare const other: z.ZodObject<{',
      '    recall: z.ZodOptional<z.ZodInt>;',
      '}, z.core.$strict>;',
      'export declare const loopSpec: z.ZodObject<{',
      '    memory: z.ZodOptional<z.ZodObject<{',
      '        recall: z.ZodOptional<z.ZodInt>;',
      '    }, z.core.$strict>>;',
      '    unknown: z.ZodString;',
      '}, z.core.$strict>;',
    ];
    const { description } = memory.shape.recall;
    expect(withComments(declarations.join('\n'), { loopSpec }).split('\n')).toEqual([
      ...declarations.slice(0, 4),
      `    /** ${loopSpec.shape.memory.description} */`,
      declarations[4],
      `        /** ${description} Default: 5. */`,
      ...declarations.slice(5),
    ]);
  });
});
