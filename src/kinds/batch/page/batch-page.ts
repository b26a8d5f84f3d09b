import type { BatchPage } from '../state/batch';
import type { BatchPhase, BatchProgress } from '../contract/batch-results';
import type { BatchSpec } from '../contract/batch';
import { countEndedItems, passRate } from '../state/counts';
import type { PageState } from '../state/page-state';
import { spendingText } from '../../../loop/limits/budget';
import { escapeMarkdown, joinParagraphs } from '../../../loop/page/markdown';
import { renderCount } from '../../../lib/text/counted';
import { floorPercent } from '../../../lib/text/percent';

const DOING: Record<BatchPhase, string> = {
  preparing: 'Checking the loop',
  running: 'Running',
  paused: 'Paused',
  finishing: 'Finishing',
  done: 'Ended',
};

export function renderBatchLine({ name = 'batch', pages, concurrency = 20 }: BatchSpec): string {
  const items = pages.reduce((sum, page) => sum + page, 0);
  return `${escapeMarkdown(name, 60)} · ${renderCount(items, 'item')} · ${concurrency} at a time`;
}

/** Renders a share in percent, without decimals, rounded down, so that 100 % means all. */
export function renderPercent(rate: number | null): string {
  return rate === null ? '–' : `${floorPercent(rate)} %`;
}

export function renderBatchPage({ budget }: BatchSpec, progress: BatchProgress): string {
  const { items, running, passed, notPassed, failed, unjudged = 0, warned = 0, tokenUsage } = progress;
  return joinParagraphs([
    `**${DOING[progress.phase]} · ${countEndedItems(progress)} of ${renderCount(items, 'item')} · ${renderPercent(passRate(progress))} passed**`,
    [
      `- running: ${running}`,
      `- passed: ${passed}`,
      `- not passed: ${notPassed}`,
      `- failed: ${failed - unjudged}`,
      ...(unjudged > 0 ? [`- could not be judged: ${unjudged}`] : []),
      ...(warned > 0 ? [`- with warnings: ${warned}`] : []),
    ],
    progress.budgetSpent && 'The budget is spent: no further item is started.',
    spendingText(tokenUsage, budget),
    progress.phase === 'paused' && 'Send the update `resume` to go on.',
  ]);
}

export function renderPageStatus({ batch, page }: BatchPage, { waiting, running, lines }: PageState): string {
  const items = waiting.length + running.length + lines.length;
  return `**Page ${page + 1} of ${escapeMarkdown(batch, 120)} · ${lines.length} of ${renderCount(items, 'item')} ended · ${running.length} running**`;
}
