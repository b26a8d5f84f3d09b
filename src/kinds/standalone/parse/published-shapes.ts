import type { PublishedShapes } from '../../../lib/contract/published';
import { evaluationState } from '../../../loop/contract/evaluation';
import { correctionResult } from '../../../loop/contract/results';
import { correctionRequest, evaluationRequest, errorList } from '../../../loop/contract/requests';
import { convertSchema, type JsonSchema, meaningOf } from '../../../lib/contract/convert';

function givenOrLeft(field: string, key: string, left: JsonSchema = {}): JsonSchema {
  return {
    anyOf: [
      { required: [field] },
      { properties: { state: { type: 'object', properties: { [key]: left }, required: [key] } }, required: ['state'] },
    ],
  };
}

const DATA = givenOrLeft('data', 'reflection_output');

function buildEvaluationJson(): JsonSchema {
  return { ...convertSchema(evaluationRequest), ...DATA };
}

/** Returns the JSON Schema of the argument of `reflectionCorrect`. There is no generator that a hint could help. */
function buildCorrectionJson(): JsonSchema {
  const { properties, ...rest } = convertSchema(correctionRequest) as { properties: Record<string, JsonSchema> };
  const { anyOf } = properties['corrector'] as { anyOf: { properties: JsonSchema }[] };
  const corrector = {
    ...meaningOf(properties['corrector']!),
    anyOf: anyOf.map((form) => ({ ...form, properties: { ...form.properties, mode: { const: 'replace' } } })),
  };
  const errors = givenOrLeft('errors', 'reflection_errors', convertSchema(errorList));
  return { ...rest, properties: { ...properties, corrector }, allOf: [DATA, errors] };
}

/** Lists the shapes of `reflectionEvaluate` and `reflectionCorrect`. */
export const listStandaloneShapes = (): PublishedShapes => ({
  'evaluation-request': [
    'EvaluationRequest',
    'The argument of reflectionEvaluate; its result is an evaluation.',
    evaluationRequest,
    buildEvaluationJson,
  ],
  'evaluation-state': ['EvaluationState', 'What a reflection.evaluate node of a pipeline makes.', evaluationState],
  'correction-request': [
    'CorrectionRequest',
    'The argument of reflectionCorrect.',
    correctionRequest,
    buildCorrectionJson,
  ],
  'correction-result': ['CorrectionResult', 'The result of reflectionCorrect.', correctionResult],
});
