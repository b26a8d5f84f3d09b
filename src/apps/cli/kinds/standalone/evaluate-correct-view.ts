import pc from 'picocolors';
import type { ReflectionEvaluation } from '../../../../loop/contract/evaluation';
import type { CorrectionRequest, EvaluationRequest } from '../../../../loop/contract/requests';
import type { ReflectionClient } from '../../../../client';
import { type Json, textOf } from '../../../../lib/json/json';
import { pollUntilEnd } from '../../follow/poll-run';
import { makeShow, type RunView } from '../../show/run-view';
import { StatusLine } from '../../terminal/status-line';
import { scoreText } from '../../../../lib/text/summary-text';
import type { CorrectionResult } from '../../../../loop/contract/results';
import { withoutAttachments } from '../../../../lib/text/attachment-text';
import { count, oneLine, printable } from '../../views/printable';
import { plainTable } from '../../terminal/table';
import { costText } from '../../views/result-view';
import { unreadLines } from '../../views/unread-view';
import { issueText, OUTCOME } from '../../views/version-lines';
import { floorPercent } from '../../../../lib/text/percent';

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

export function correctionText({ output, tokenUsage }: CorrectionResult): string {
  return [
    `${pc.green('✓ corrected')} · ${costText(tokenUsage)}`,
    '',
    printable(textOf(withoutAttachments(output))),
  ].join('\n');
}

interface Standalone<Result> {
  runsOf(client: ReflectionClient): { result(workflowId: string): Promise<Result> };
  label: string;
  /** The work of a run, in a word. */
  doing: string;
  output(result: Result): Json;
  resultText(result: Result): string;
  isGood?(result: Result): boolean;
}

/** How the command shows and follows a run that reports nothing before its end: one evaluation or one correction. */
function standaloneView<Request, Result>(of: Standalone<Result>): RunView<Request> {
  return {
    cancelled: '',
    shown: makeShow(of.runsOf, {
      label: of.label,
      output: ({ result }) => result && textOf(of.output(result)),
      noOutput: (status) => [`The run has no output: it is ${status}.`, 'Look at it without --output.'],
      resultText: of.resultText,
      standing: (_progress, { elapsed }) => [`under way for ${elapsed}`],
    }),
    async follow(client, { workflowId }, news, signal) {
      const line = new StatusLine(news);
      line.show(of.doing, undefined);
      let lastNews = Date.now();
      const followed = {
        workflowId,
        look: () => Promise.resolve(undefined),
        tell: () => Promise.resolve(),
        notice(text: string) {
          lastNews = Date.now();
          line.write([pc.yellow(text)]);
        },
        lastNews: () => lastNews,
      };
      const ended = of.runsOf(client).result(workflowId);
      const result = await pollUntilEnd(client, ended, followed, signal)
        .then(() => ended)
        .finally(() => line.close());
      return {
        result,
        text: of.resultText(result),
        outcome: of.isGood?.(result) === false ? 'notGoodEnough' : 'success',
      };
    },
  };
}

export const evaluationView = standaloneView<EvaluationRequest, ReflectionEvaluation>({
  runsOf: ({ evaluations }) => evaluations,
  label: 'one evaluation',
  doing: 'evaluating',
  // Wire types are JSON by construction; TypeScript cannot see that an interface has no other members.
  output: (result) => result as unknown as Json,
  resultText: evaluationText,
  isGood: ({ satisfactory }) => satisfactory,
});

export const correctionView = standaloneView<CorrectionRequest, CorrectionResult>({
  runsOf: ({ corrections }) => corrections,
  label: 'one correction',
  doing: 'correcting',
  output: ({ output }) => output,
  resultText: correctionText,
});
