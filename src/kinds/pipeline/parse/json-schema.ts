import type { z } from 'zod';
import { mayBeDeferred } from '../state/deferred-parameters';
import { LEFT_TO_LOOP, LEFT_TO_LOOP_OF_JUDGE } from '../state/pipeline-state';
import { convertSchema, type JsonSchema, meaningOf, takesAnything } from '../../../lib/contract/convert';
import { actionNode, correctParameters, evaluateParameters, pipelineSpec } from '../contract/pipeline';
import { loopSpec } from '../../../loop/contract/spec';
import { step } from '../../../loop/contract/steps';

type Properties = Record<string, JsonSchema>;

const TEMPLATED = { $ref: '#/$defs/templated' };

const TEMPLATED_VALUE: JsonSchema = {
  anyOf: [
    { type: 'string', pattern: String.raw`\{[{%#]` },
    { type: 'array', contains: TEMPLATED },
    { type: 'object', not: { additionalProperties: { not: TEMPLATED } } },
  ],
};

const EXPRESSION: JsonSchema = { type: 'string', pattern: String.raw`^\s*\{\{[\s\S]*\}\}\s*$` };
const EXPRESSION_REFERENCE = { $ref: '#/$defs/expression' };

function withExpressions(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties, ...rest } = schema as {
    anyOf?: JsonSchema[];
    items?: JsonSchema;
    properties?: Properties;
  };
  return {
    ...rest,
    ...(anyOf ? { anyOf: anyOf.map(withExpressions) } : {}),
    ...(items ? { items: withExpressions(items) } : {}),
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(orExpression)) } : {}),
  };
}

function either(schema: JsonSchema, other: JsonSchema): JsonSchema {
  const { description: _description, default: _default, ...form } = schema;
  return { ...meaningOf(schema), anyOf: [form, other] };
}

function orExpression([key, value]: [string, JsonSchema]): [string, JsonSchema] {
  // A schema that takes anything takes expressions, too.
  if (!mayBeDeferred(key) || takesAnything(value)) return [key, value];
  return [key, either(withExpressions(value), EXPRESSION_REFERENCE)];
}

function withParts(schema: JsonSchema, parts: readonly string[]): JsonSchema & { properties: Properties } {
  const { properties } = schema as { properties: Properties };
  const changed = parts.map((key) => [key, withExpressions(properties[key]!)]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(changed) } };
}

function loopParameters(loop: z.ZodObject): JsonSchema {
  const spec = withParts(convertSchema(loop), ['generator', 'evaluator', 'corrector']);
  const { judge, ...settings } = spec.properties;
  const judging = orTemplated(withParts(judge!, ['second']).properties, LEFT_TO_LOOP_OF_JUDGE);
  return { ...spec, properties: { ...orTemplated(settings, LEFT_TO_LOOP), judge: { ...judge, properties: judging } } };
}

function orTemplated(settings: Properties, leftToLoop: ReadonlySet<string>): Properties {
  const entries = Object.entries(settings);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, leftToLoop.has(key) ? value : either(value, TEMPLATED)]),
  );
}

function nodeForms(loop: z.ZodObject): JsonSchema[] {
  const {
    uses,
    action,
    with: anything,
    ...common
  } = (convertSchema(actionNode) as { properties: Properties }).properties;
  const [modelCall, , inline] = convertSchema(step)['anyOf'] as { properties: Properties; required: string[] }[];
  const { action: _llmCall, ...callParameters } = modelCall!.properties;
  const buildNodeForm = (name: JsonSchema, parameters: JsonSchema, required: string[] = []): JsonSchema => ({
    type: 'object',
    properties: {
      ...common,
      uses: { ...meaningOf(uses!), ...name },
      action: { ...meaningOf(action!), ...name },
      with: { ...meaningOf(anything!), ...parameters },
    },
    required: ['name', ...required],
    oneOf: [{ required: ['uses'] }, { required: ['action'] }],
    additionalProperties: false,
  });
  const builtIn = ['reflection.loop', 'reflection.evaluate', 'reflection.correct'];
  return [
    buildNodeForm({ const: 'reflection.loop' }, loopParameters(loop), ['with']),
    buildNodeForm({ const: 'reflection.evaluate' }, withParts(convertSchema(evaluateParameters), ['evaluator']), [
      'with',
    ]),
    buildNodeForm({ const: 'reflection.correct' }, withParts(convertSchema(correctParameters), ['corrector']), [
      'with',
    ]),
    // A model's reply is a text, which needs a key of the state.
    buildNodeForm({ const: 'llm.call' }, withExpressions({ ...modelCall, properties: callParameters, required: [] }), [
      'output',
    ]),
    buildNodeForm({ type: 'string', pattern: String.raw`^reflection\.`, not: { enum: builtIn } }, { type: 'object' }),
    buildNodeForm(
      { type: 'string', minLength: 1, not: { anyOf: [{ const: 'llm.call' }, { pattern: String.raw`^reflection\.` }] } },
      anything!,
    ),
    { ...inline, properties: { ...common, ...inline!.properties }, required: ['name', ...inline!.required] },
  ];
}

/** No JSON Schema can say that names of nodes differ, and that edges follow the order of the nodes. */
export function buildPipelineJson(loop: z.ZodObject = loopSpec): JsonSchema {
  const { properties, ...rest } = convertSchema(pipelineSpec) as { properties: Properties };
  const nodes = { ...properties['nodes'], items: { anyOf: nodeForms(loop) } };
  return {
    ...rest,
    properties: { ...properties, nodes },
    $defs: { templated: TEMPLATED_VALUE, expression: EXPRESSION },
  };
}
