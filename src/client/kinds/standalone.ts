import { InvalidSpecError } from '../../domain/errors/errors';
import type { ReflectionEvaluation } from '../../domain/state/evaluation';
import type { CorrectionRequest, CorrectionResult, EvaluationRequest } from '../../domain/step-state/standalone';
import { correctionLine, evaluationLine } from '../../domain/page/standalone-page';
import { parseCorrection, parseEvaluation } from '../../schemas';
import type { StartOptions } from '../start-options';
import { type Place, type Started, startRun } from '../start-run';

/** Starts `reflectionEvaluate`. */
export async function startEvaluation(
  place: Place,
  request: EvaluationRequest,
  options: StartOptions,
): Promise<Started<ReflectionEvaluation>> {
  const parsed = parseEvaluation(request);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const staticSummary = evaluationLine(parsed.request);
  const start = { method: 'startEvaluation', type: 'reflectionEvaluate', argument: parsed.request, staticSummary };
  return startRun(place, { ...start, prefix: 'reflection' }, options);
}

/** Starts `reflectionCorrect`. */
export async function startCorrection(
  place: Place,
  request: CorrectionRequest,
  options: StartOptions,
): Promise<Started<CorrectionResult>> {
  const parsed = parseCorrection(request);
  if ('problems' in parsed) throw new InvalidSpecError(parsed.problems);
  const staticSummary = correctionLine(parsed.request);
  const start = { method: 'startCorrection', type: 'reflectionCorrect', argument: parsed.request, staticSummary };
  return startRun(place, { ...start, prefix: 'reflection' }, options);
}
