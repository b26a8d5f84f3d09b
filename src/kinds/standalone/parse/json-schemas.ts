import { convertSchema, type JsonSchema, meaningOf } from '../../../lib/contract/convert';
import { correctionRequest, errorList, evaluationRequest } from '../contract/requests';

function givenOrLeft(field: string, key: string, left: JsonSchema = {}): JsonSchema {
  return {
    anyOf: [
      { required: [field] },
      { properties: { state: { type: 'object', properties: { [key]: left }, required: [key] } }, required: ['state'] },
    ],
  };
}

const DATA = givenOrLeft('data', 'reflection_output');

export function buildEvaluationJson(): JsonSchema {
  return { ...convertSchema(evaluationRequest), ...DATA };
}

/** Returns the JSON Schema of the argument of `reflectionCorrect`. There is no generator that a hint could help. */
export function buildCorrectionJson(): JsonSchema {
  const { properties, ...rest } = convertSchema(correctionRequest) as { properties: Record<string, JsonSchema> };
  const { anyOf } = properties['corrector'] as { anyOf: { properties: JsonSchema }[] };
  const corrector = {
    ...meaningOf(properties['corrector']!),
    anyOf: anyOf.map((form) => ({ ...form, properties: { ...form.properties, mode: { const: 'replace' } } })),
  };
  const errors = givenOrLeft('errors', 'reflection_errors', convertSchema(errorList));
  return { ...rest, properties: { ...properties, corrector }, allOf: [DATA, errors] };
}
