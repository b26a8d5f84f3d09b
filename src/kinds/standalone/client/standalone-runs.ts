import { requireValid, RunKind } from '../../../calls/run-kind';
import type { ReflectionEvaluation } from '../../../loop/contract/evaluation';
import type { CorrectionResult } from '../../../loop/contract/results';
import type { CorrectionRequest, EvaluationRequest } from '../../../loop/contract/requests';
import { renderCorrectionLine, renderEvaluationLine } from '../page/standalone-page';
import { parseCorrection, parseEvaluation } from '../parse/standalone';

/** Runs of `reflectionEvaluate`. */
export const evaluationRun = new RunKind<EvaluationRequest, ReflectionEvaluation, undefined>({
  type: 'reflectionEvaluate',
  prefix: 'reflection',
  methods: { start: 'evaluations.start', result: 'evaluations.result' },
  parse: (given) => requireValid(parseEvaluation(given)).request,
  summary: renderEvaluationLine,
});

/** Runs of `reflectionCorrect`. */
export const correctionRun = new RunKind<CorrectionRequest, CorrectionResult, undefined>({
  type: 'reflectionCorrect',
  prefix: 'reflection',
  methods: { start: 'corrections.start', result: 'corrections.result' },
  parse: (given) => requireValid(parseCorrection(given)).request,
  summary: renderCorrectionLine,
});
