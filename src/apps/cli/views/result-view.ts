import pc from 'picocolors';
import { type Json, textOf } from '../../../lib/json/json';
import type { ReflectionResult } from '../../../loop/contract/results';
import { withoutAttachments } from '../../../lib/text/attachment-text';
import { scoreText } from '../../../lib/text/summary-text';
import type { TokenUsage } from '../../../lib/contract/values';
import type { ReflectionVersion } from '../../../loop/state/loop-state';
import { plainTable } from '../terminal/table';
import { count, oneLine, printable, seconds } from './printable';
import { issueText, OUTCOME } from './version-lines';

const ISSUE_WIDTH = 60;

export function versionTable(versions: readonly ReflectionVersion[], bestIteration: number | null): string {
  const rows = versions.map(({ iteration, evaluation, improvementsApplied, tokenUsage }) => [
    `${iteration}${iteration === bestIteration ? ' ★' : ''}`,
    OUTCOME[evaluation.outcome],
    scoreText(evaluation.overallScore),
    evaluation.issues[0] ? issueText(evaluation.issues[0], ISSUE_WIDTH) : '–',
    evaluation.issues.length,
    improvementsApplied.length,
    tokenUsage.totalTokens.toLocaleString('en'),
  ]);
  return plainTable(['#', 'outcome', 'score', 'top issue', 'issues', 'fixed', 'tokens'], rows, { spare: ['fixed'] });
}

export function costText({ modelCalls, totalTokens, usd }: TokenUsage): string {
  const price = usd === null || usd === 0 ? '' : `, $${usd.toFixed(4)}`;
  return `${count(modelCalls, 'model call')}, ${count(totalTokens, 'token')}${price}`;
}

export function handedBackText(result: Json): string {
  return `${pc.bold('Result')}\n${printable(textOf(withoutAttachments(result)))}`;
}

export function resultText(result: ReflectionResult): string {
  const { history, convergenceReason, failure, iterationsUsed, executionTime, tokenUsage } = result;
  const ended = result.success ? pc.green(`✓ ${convergenceReason}`) : pc.red(`✗ ${convergenceReason}`);
  const how = [ended, count(iterationsUsed, 'version'), seconds(executionTime), costText(tokenUsage)].join(' · ');
  const output =
    history.finalIteration === null
      ? pc.dim('There is no output.')
      : `${pc.bold(`Result (version ${history.finalIteration})`)}\n${printable(textOf(withoutAttachments(result.finalOutput)))}`;
  const table = history.versions.length === 0 ? [] : [versionTable(history.versions, history.bestIteration), ''];
  const needed = (result.needs ?? []).map(({ sentence }) => pc.yellow(oneLine(sentence, 500)));
  const why = failure ? [pc.red(`${oneLine(failure.type, 60)}: ${oneLine(failure.message, 400)}`)] : [];
  return [how, ...why, ...needed, '', ...table, output].join('\n');
}
