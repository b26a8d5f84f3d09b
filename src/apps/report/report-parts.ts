import { describePhase } from '../../loop/page/progress';
import type { BatchReport, LoopReport, PlanReport, RunReport } from '../../kinds/report/contract';
import { scoreText } from '../../lib/text/summary-text';
import { renderPercent } from '../../kinds/batch/page/batch-page';
import { type Html, type Part, html } from './html';
import { loopSections } from './loop-sections';
import { badge, dollars, duration, section, table, usageTable } from './parts';
import { number } from './shown-text';

const WIDTH = 640;
const ROW = 24;
const LABEL = 170;
const VALUE = 70;

function countChart(label: string, rows: readonly (readonly [string, number])[]): Html {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  const told = rows.map(([name, count]) => `${name}: ${number(count)}`).join('; ');
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <svg viewBox="0 0 ${WIDTH} ${rows.length * ROW}" role="img" aria-label="${label}. ${told}" class="chart">
      ${rows.map(([name, count], index) => {
        const top = index * ROW;
        const width = ((WIDTH - LABEL - VALUE) * count) / most;
        return html`<text class="axis" x="${LABEL - 8}" y="${top + 16}" text-anchor="end">${name}</text>
          <rect class="bar" x="${LABEL}" y="${top + 4}" width="${width.toFixed(1)}" height="${ROW - 8}" />
          <text class="value" x="${(LABEL + width + 6).toFixed(1)}" y="${top + 16}">${number(count)}</text>`;
      })}
    </svg>
  </div>`;
}

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

function scoreRows(scores: readonly number[]): [string, number][] {
  const [first, last] = [scores.findIndex((count) => count > 0), scores.findLastIndex((count) => count > 0)];
  if (first < 0) return [];
  return scores
    .slice(first, last + 1)
    .map((count, at) => [`${((first + at) / 10).toFixed(1)} – ${((first + at + 1) / 10).toFixed(1)}`, count]);
}

const renderChart = (id: string, title: string, rows: readonly [string, number][]): Part =>
  section(id, title, rows.length > 0 && countChart(title, rows));

function batchSections(report: BatchReport): Part {
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

const TASK_MARKS = { waiting: '· waiting', running: '▶ running', succeeded: '✓ succeeded', failed: '✗ failed' };
const TASK_CLASSES = { waiting: 'note', running: 'note', succeeded: 'pass', failed: 'fail' };

const list = (items: readonly string[]): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;

function planSections(report: PlanReport): Part {
  const { tasks, judged, patterns, insights, endedAt } = report;
  const rows = tasks.map(({ id, description, status, ms, error, issues = [], workflowId }): Part[] => [
    html`<strong>${id}</strong><br />${description}`,
    html`<span class="${TASK_CLASSES[status]}"
      >${endedAt && status === 'waiting' ? '– not tried' : TASK_MARKS[status]}</span
    >`,
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

interface ReportParts {
  title?: string | undefined;
  about?: string | undefined;
  standing: Html;
  waits?: LoopReport['waitingFor'];
  facts: [string, Part][];
  /** Everything below; made when it is needed, since large versions take long to compare. */
  sections: () => Part;
}

function endOf({ failure, endedAt, status }: RunReport, success: boolean | undefined, why = ''): Html | undefined {
  if (failure) return badge(`failed: ${failure.type}`, 'bad');
  if (success !== undefined)
    return badge(`${success ? '✓ succeeded' : '✗ did not succeed'}${why}`, success ? 'good' : 'bad');
  return endedAt === undefined ? undefined : badge(status.toLowerCase().replace('_', ' '), 'open');
}

type Shown = { [Kind in RunReport['kind']]: (report: Extract<RunReport, { kind: Kind }>) => ReportParts };

const SHOWN: Shown = {
  loop(report) {
    const { name, task, success, convergenceReason, phase, versions, bestIteration, waitingFor } = report;
    const best = versions.find(({ iteration }) => iteration === bestIteration);
    const why = convergenceReason && `: ${convergenceReason}`;
    return {
      title: name,
      about: task,
      standing:
        endOf(report, success, why) ?? badge(phase ? describePhase(phase, versions.length) : 'under way', 'open'),
      waits: waitingFor,
      facts: [
        ['versions', versions.length],
        ['best', best && `version ${best.iteration}, ${scoreText(best.evaluation.overallScore)}`],
      ],
      sections: () => loopSections(report),
    };
  },
  plan(report) {
    const { goal, success, phase, plans, tasks } = report;
    const done = tasks.filter(({ status }) => status === 'succeeded').length;
    return {
      about: goal,
      standing: endOf(report, success) ?? badge(`under way: ${phase ?? ''}`, 'open'),
      facts: [
        ['plans', plans],
        ['tasks', `${done} of ${tasks.length} succeeded`],
      ],
      sections: () => planSections(report),
    };
  },
  batch(report) {
    const {
      name,
      task,
      phase,
      items,
      passed,
      failed,
      unjudged = 0,
      warned = 0,
      notStarted,
      running,
      passRate,
      endedAt,
      budgetSpent,
    } = report;
    const isEnded = endedAt !== undefined && report.status === 'COMPLETED';
    const rate = `${renderPercent(passRate)} of those that ended`;
    return {
      title: name,
      about: task,
      standing:
        (isEnded && !report.failure
          ? badge(`${number(passed)} of ${number(items)} passed`, passed === items ? 'good' : 'open')
          : endOf(report, undefined)) ?? badge(phase ?? 'under way', 'open'),
      facts: [
        ['items', number(items)],
        ['passed', `${number(passed)}, ${rate}`],
        ['failed', number(failed - unjudged)],
        ['could not be judged', unjudged > 0 && number(unjudged)],
        ['with warnings', warned > 0 && number(warned)],
        ['running', running === undefined ? undefined : number(running)],
        ['not started', notStarted > 0 && `${number(notStarted)}${budgetSpent ? ', the budget is spent' : ''}`],
      ],
      sections: () => batchSections(report),
    };
  },
};

export function reportParts<Kind extends RunReport['kind']>(report: Extract<RunReport, { kind: Kind }>): ReportParts {
  const shown = SHOWN[report.kind] as (report: RunReport) => ReportParts;
  return shown(report);
}
