import { spendingText } from '../../../loop/limits/budget';
import type { Issue, ReflectionEvaluation } from '../../../loop/contract/evaluation';
import { readablePath } from '../../../lib/json/json-pointer';
import { escapeMarkdown, OUTCOME_MARK, joinParagraphs } from '../../../loop/page/markdown';
import { givenErrors } from '../state';
import type { CorrectionError, CorrectionRequest, EvaluationRequest } from '../../../loop/contract/requests';
import { evaluatorsOf } from '../../../loop/spec/judges';
import type { TokenUsage } from '../../../lib/contract/values';
import { summaryText, scoreText } from '../../../lib/text/summary-text';
import { renderCount } from '../../../lib/text/counted';

const SHOWN_ISSUES = 20;
const ISSUE_LENGTH = 200;
const SUMMARY_LENGTH = 120;

export function renderEvaluationLine(request: EvaluationRequest): string {
  return summaryText(
    escapeMarkdown(
      `evaluate · ${evaluatorsOf(request)
        .map(({ name, type }) => name ?? type)
        .join(', ')}`,
      SUMMARY_LENGTH,
    ),
  );
}

export function renderCorrectionLine(request: CorrectionRequest): string {
  const given = givenErrors(request);
  const count = Array.isArray(given) ? given.length : 0;
  return `correct · ${renderCount(count, 'error')}`;
}

function issueLines(issues: readonly Pick<Issue, 'path' | 'message'>[]): string[] {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => {
    const place = path === undefined ? '' : readablePath(path);
    return `- ${escapeMarkdown(place === '' || message.includes(place) ? message : `${place}: ${message}`, ISSUE_LENGTH)}`;
  });
  const hidden = issues.length - shown.length;
  return hidden > 0 ? [...shown, `- and ${hidden} more`] : shown;
}

function warningLines(warnings: readonly string[]): string[] {
  return warnings.map((warning) => `- note: ${escapeMarkdown(warning, ISSUE_LENGTH)}`);
}

export function renderEvaluationPage(
  request: EvaluationRequest,
  evaluation: ReflectionEvaluation,
  { tokenUsage, warnings }: { tokenUsage: TokenUsage; warnings: readonly string[] },
): string {
  const { outcome, overallScore, issues, evaluators, reason } = evaluation;
  const each = evaluators.map(
    (one) => `- ${OUTCOME_MARK[one.outcome]} ${escapeMarkdown(one.name, 60)}: ${one.outcome}, ${scoreText(one.score)}`,
  );
  return joinParagraphs([
    `**${OUTCOME_MARK[outcome]} ${outcome} · ${scoreText(overallScore)}**`,
    renderEvaluationLine(request),
    reason && escapeMarkdown(reason, 400),
    each,
    issueLines(issues),
    warningLines(warnings),
    spendingText(tokenUsage, undefined),
  ]);
}

export function renderCorrectionPage(
  request: CorrectionRequest,
  issues: readonly (Pick<CorrectionError, 'path' | 'message'> & object)[],
  done?: { tokenUsage: TokenUsage; warnings: readonly string[] },
): string {
  return joinParagraphs([
    `**${done ? '✅ corrected' : 'Correcting'}**`,
    renderCorrectionLine(request),
    issueLines(issues),
    warningLines(done?.warnings ?? []),
    done && spendingText(done.tokenUsage, undefined),
  ]);
}
