import type { PublishedShapes } from '../../../lib/contract/published';
import { evaluationState } from '../../../loop/contract/evaluation';
import { correctionResult } from '../../../loop/contract/results';
import { correctionRequest, evaluationRequest } from '../contract/requests';
import { buildCorrectionJson, buildEvaluationJson } from './json-schemas';

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
