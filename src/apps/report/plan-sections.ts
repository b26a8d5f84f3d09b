import type { PlanReport } from '../../kinds/report/contract';
import { type Html, html, type Part } from './html';
import { duration, section, table, usageTable } from './parts';

const STATUS = { waiting: '· waiting', running: '▶ running', succeeded: '✓ succeeded', failed: '✗ failed' };
const CLASSES = { waiting: 'note', running: 'note', succeeded: 'pass', failed: 'fail' };

const list = (items: readonly string[]): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;

export function planSections(report: PlanReport): Part {
  const { tasks, judged, patterns, insights, endedAt } = report;
  const rows = tasks.map(({ id, description, status, ms, error, issues = [], workflowId }): Part[] => [
    html`<strong>${id}</strong><br />${description}`,
    html`<span class="${CLASSES[status]}">${endedAt && status === 'waiting' ? '– not tried' : STATUS[status]}</span>`,
    ms === undefined ? '–' : duration(ms),
    [error, list(issues)],
    workflowId === undefined ? '–' : html`<code>${workflowId}</code>`,
  ]);
  const plans = judged.map(
    ({ success, issues }, index) =>
      html`<h3>Plan ${index + 1}: ${success ? 'succeeded' : 'did not succeed'}</h3>
        ${list(issues)}`,
  );
  return [
    section('tasks', 'Tasks', rows.length > 0 && table('Tasks', ['task', 'state', 'took', 'found', 'run'], rows, [2])),
    section('plans', 'What was found about each plan', plans),
    section('patterns', 'Patterns in failures', list(patterns.map(({ description }) => description))),
    section('insights', 'Learned', list(insights)),
    section('usage', 'Tokens and cost', usageTable(report)),
  ];
}
