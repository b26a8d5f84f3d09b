import pc from 'picocolors';
import type { ReflectionEvaluation } from '../../../../loop/contract/evaluation';
import { textOf } from '../../../../lib/json/json';
import { scoreText } from '../../../../lib/text/summary-text';
import type { CorrectionResult } from '../../../../loop/contract/results';
import { withoutAttachments } from '../../../../lib/text/attachment-text';
import { count, oneLine, printable } from '../../views/printable';
import { plainTable } from '../../terminal/table';
import { costText } from '../../views/result-view';
import { unreadLines } from '../../views/unread-view';
import { issueText, OUTCOME } from '../../views/version-lines';
import { floorPercent } from '../../../../lib/text/percent';

/** Renders an evaluation for the terminal: outcome, every evaluator, every issue. */
export function evaluationText({
  outcome,
  overallScore,
  evaluators,
  issues,
  suggestions,
  reason,
  unreadReplies = [],
}: ReflectionEvaluation): string {
  const rows = evaluators.map((each) => [
    oneLine(each.name, 80),
    OUTCOME[each.outcome],
    scoreText(each.score),
    each.checksPassed === undefined ? '–' : `${floorPercent(each.checksPassed)}%`,
  ]);
  return [
    [OUTCOME[outcome], `score ${scoreText(overallScore)}`, count(issues.length, 'issue')].join(' · '),
    '',
    plainTable(['evaluator', 'outcome', 'score', 'checks'], rows),
    ...(reason === undefined ? [] : ['', oneLine(reason, 400)]),
    ...(issues.length > 0 ? [''] : []),
    ...issues.map((issue) => `  ${pc.red('✗')} ${issueText(issue, 300)}`),
    ...suggestions.map((suggestion) => `  → ${oneLine(suggestion, 300)}`),
    ...(unreadReplies.length > 0 ? ['', ...unreadLines(unreadReplies)] : []),
  ].join('\n');
}

/** Renders a correction for the terminal: what it cost, and the output. */
export function correctionText({ output, tokenUsage }: CorrectionResult): string {
  return [
    `${pc.green('✓ corrected')} · ${costText(tokenUsage)}`,
    '',
    printable(textOf(withoutAttachments(output))),
  ].join('\n');
}
