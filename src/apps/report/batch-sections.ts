import type { BatchReport } from '../../kinds/report/contract';
import { scoreText } from '../../lib/text/summary-text';
import { countChart } from './count-chart';
import { html, type Part } from './html';
import { dollars, section, table, usageTable } from './parts';
import { number } from './shown-text';

const MARKS = { passed: '✓ passed', not_passed: '✗ not passed', failed: '! failed', not_started: '· not started' };
const CLASSES = { passed: 'pass', not_passed: 'fail', failed: 'fail', not_started: 'note' };

function itemRow({
  id,
  status,
  score,
  reason,
  iterations,
  tokenUsage,
  warnings = [],
  error,
  workflowId,
}: BatchReport['lines'][number]) {
  const found: Part = error ? html`${error.type}: ${error.message}` : (reason ?? '–');
  return [
    html`<strong>${id}</strong>`,
    html`<span class="${CLASSES[status]}">${MARKS[status]}</span>`,
    score === undefined ? '–' : scoreText(score),
    iterations ?? '–',
    [found, warnings.map((text) => html`<br /><span class="note">! ${text}</span>`)],
    tokenUsage ? number(tokenUsage.totalTokens) : '–',
    tokenUsage ? dollars(tokenUsage.usd) : '–',
    workflowId === undefined ? '–' : html`<code>${workflowId}</code>`,
  ];
}

const HEAD = ['item', 'state', 'score', 'versions', 'ended by', 'tokens', 'cost', 'run'];

/** Renders scores as `0.1 – 0.2`, without empty ranges below and above. */
function scoreRows(scores: readonly number[]): [string, number][] {
  const [first, last] = [scores.findIndex((count) => count > 0), scores.findLastIndex((count) => count > 0)];
  if (first < 0) return [];
  return scores
    .slice(first, last + 1)
    .map((count, at) => [`${((first + at) / 10).toFixed(1)} – ${((first + at + 1) / 10).toFixed(1)}`, count]);
}

const renderChart = (id: string, title: string, rows: readonly [string, number][]): Part =>
  section(id, title, rows.length > 0 && countChart(title, rows));

/** Renders everything about a batch below the facts. */
export function batchSections(report: BatchReport): Part {
  const { lines, linesOmitted, reasons, passedAt, scores } = report;
  const ended = Object.entries(reasons).sort(([, one], [, other]) => other - one);
  const versions = Object.entries(passedAt).sort(([one], [other]) => Number(one) - Number(other));
  return [
    renderChart('scores', 'Final scores', scoreRows(scores)),
    renderChart('reasons', 'Why loops ended', ended),
    renderChart('versions', 'Versions until an item passed', versions),
    section(
      'items',
      'Items',
      (lines.length > 0 || linesOmitted > 0) && [
        lines.length > 0 && table('Items', HEAD, lines.map(itemRow), [2, 3, 5, 6]),
        linesOmitted > 0 &&
          html`<p class="note">
            ${number(linesOmitted)} more. All of them, with their outputs:
            <code>reflect batch results ${report.workflowId}</code>
          </p>`,
      ],
    ),
    section('usage', 'Tokens and cost', usageTable(report)),
  ];
}
