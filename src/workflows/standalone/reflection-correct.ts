import { correctionIssues } from '../../kinds/standalone/state';
import type { CorrectionRequest } from '../../loop/contract/requests';
import type { CorrectionResult } from '../../loop/contract/results';
import { renderCorrectionPage } from '../../kinds/standalone/page/standalone-page';
import { keepPage, showPage } from '../shared/kept-page';
import { omitNulls } from '../../loop/spec/omit-nulls';
import { renderKeptPage } from '../../loop/page/kept-page';
import { keepRules } from '../shared/versioning';
import { correctOnce, prepareStandalone } from './standalone';

/**
 * Corrects data once, without a loop.
 *
 * @throws ApplicationFailure `InvalidSpec`, `UnknownAction` or `UnknownModel`, before any paid call; otherwise the type
 *   of the corrector's failure
 */
export async function reflectionCorrect(given: CorrectionRequest): Promise<CorrectionResult> {
  const request = omitNulls(given);
  keepRules({});
  const preparation = await prepareStandalone('prepareCorrection', request);
  const issues = correctionIssues(request);
  showPage(renderCorrectionPage(request, issues));
  const { output, ...spent } = await correctOnce(request, preparation);
  const page = renderCorrectionPage(request, issues, spent);
  showPage(page);
  keepPage(renderKeptPage(page));
  return { output, tokenUsage: spent.tokenUsage };
}
