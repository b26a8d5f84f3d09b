import { RENDERED_BY_LOOP } from '../domain/pipeline-state';
import { converted, type JsonSchema } from './convert';
import { actionNode, correctParameters, evaluateParameters, pipelineSchema } from './pipeline';
import { specSchema } from './spec';
import { generator } from './steps';

type Properties = Record<string, JsonSchema>;

const TEMPLATED = { $ref: '#/$defs/templated' };

/** A value with a template somewhere in its texts. */
const TEMPLATED_VALUE: JsonSchema = {
  anyOf: [
    { type: 'string', pattern: String.raw`\{[{%#]` },
    { type: 'array', contains: TEMPLATED },
    { type: 'object', not: { additionalProperties: { not: TEMPLATED } } },
  ],
};

/** A loop's spec, whose settings may be templates over the pipeline's state. */
function loopParameters(): JsonSchema {
  const spec = converted(specSchema) as { properties: Properties };
  const settings = Object.entries(spec.properties).map(([key, value]) => [
    key,
    RENDERED_BY_LOOP.has(key) ? value : { anyOf: [value, TEMPLATED] },
  ]);
  return { ...spec, properties: Object.fromEntries(settings) as Properties };
}

/** The forms of a step: a model call, a registered action, inline code. */
function stepForms(): { properties: Properties; required: string[] }[] {
  return converted(generator)['anyOf'] as { properties: Properties; required: string[] }[];
}

/** What a node may be. */
function nodeForms(): JsonSchema[] {
  const {
    uses: _uses,
    action: _action,
    with: anything,
    ...common
  } = (converted(actionNode) as { properties: Properties }).properties;
  const [modelCall, , inline] = stepForms();
  const { action: _llmCall, ...callParameters } = modelCall!.properties;
  const named = (name: JsonSchema, parameters: JsonSchema, required: string[] = []): JsonSchema => ({
    type: 'object',
    properties: { ...common, uses: name, action: name, with: parameters },
    required: ['name', ...required],
    oneOf: [{ required: ['uses'] }, { required: ['action'] }],
    additionalProperties: false,
  });
  const builtIn = ['reflection.loop', 'reflection.evaluate', 'reflection.correct'];
  return [
    named({ const: 'reflection.loop' }, loopParameters(), ['with']),
    named({ const: 'reflection.evaluate' }, converted(evaluateParameters), ['with']),
    named({ const: 'reflection.correct' }, converted(correctParameters), ['with']),
    // A model answers with a text, which needs a key of the state.
    named({ const: 'llm.call' }, { ...modelCall, properties: callParameters, required: [] }, ['output']),
    named({ type: 'string', pattern: String.raw`^reflection\.`, not: { enum: builtIn } }, { type: 'object' }),
    named(
      { type: 'string', minLength: 1, not: { anyOf: [{ const: 'llm.call' }, { pattern: String.raw`^reflection\.` }] } },
      anything!,
    ),
    { ...inline, properties: { ...common, ...inline!.properties }, required: ['name', ...inline!.required] },
  ];
}

/**
 * The argument of `reflectionPipeline`. That names of nodes differ, and that edges draw the line of the nodes, is more than a
 * JSON Schema can say.
 */
export function pipelineJson(): JsonSchema {
  const { properties, ...rest } = converted(pipelineSchema) as { properties: Properties };
  const nodes = { ...properties['nodes'], items: { anyOf: nodeForms() } };
  return { ...rest, properties: { ...properties, nodes }, $defs: { templated: TEMPLATED_VALUE } };
}
