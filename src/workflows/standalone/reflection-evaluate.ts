import type { ReflectionEvaluation } from '../../loop/contract/evaluation';
import type { EvaluationRequest } from '../../loop/contract/requests';
import { omitNulls } from '../../loop/spec/omit-nulls';
import { reduceEvaluation } from '../../loop/versions/result';
import { renderEvaluationPage } from '../../kinds/standalone/page/standalone-page';
import { keepPage, showPage } from '../shared/kept-page';
import { renderKeptPage } from '../../loop/page/kept-page';
import { evaluateOnce, prepareStandalone } from './standalone';
import { keepRules } from '../shared/versioning';

/**
 * Evaluates data once, without a loop. Evaluators run as in a loop. If an evaluator could not judge, the evaluation is
 * inconclusive, and the run still completes.
 *
 * @throws ApplicationFailure `InvalidSpec` or `UnknownModel`, before any paid call
 */
export async function reflectionEvaluate(given: EvaluationRequest): Promise<ReflectionEvaluation> {
  const request = omitNulls(given);
  keepRules({});
  const preparation = await prepareStandalone('prepareEvaluation', request);
  const { evaluation, ...spent } = await evaluateOnce(request, preparation, '');
  const page = renderEvaluationPage(request, evaluation, spent);
  showPage(page);
  keepPage(renderKeptPage(page));
  return reduceEvaluation(evaluation, preparation.settings);
}
