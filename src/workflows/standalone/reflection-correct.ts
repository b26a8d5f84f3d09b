import { correctionIssues } from '../../kinds/standalone/state';
import type { CorrectionRequest } from '../../kinds/standalone/contract/requests';
import type { CorrectionResult } from '../../loop/contract/results';
import { correctionPage } from '../../kinds/standalone/page/standalone-page';
import { keepPage, showPage } from '../shared/kept-page';
import { keptPage } from '../../loop/page/kept-page';
import { correctOnce, prepareStandalone } from './standalone';

/**
 * Corrects data once, without a loop.
 *
 * @throws ApplicationFailure `InvalidSpec`, `UnknownAction` or `UnknownModel`, before any paid call; otherwise the type
 *   of the corrector's failure
 */
export async function reflectionCorrect(request: CorrectionRequest): Promise<CorrectionResult> {
  const preparation = await prepareStandalone('prepareCorrection', request);
  const issues = correctionIssues(request);
  showPage(correctionPage(request, issues));
  const { output, ...spent } = await correctOnce(request, preparation);
  const page = correctionPage(request, issues, spent);
  showPage(page);
  keepPage(keptPage(page));
  return { output, tokenUsage: spent.tokenUsage };
}
