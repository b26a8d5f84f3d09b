import pc from 'picocolors';
import { describePhase } from '../../domain/page/progress';
import type { LoopReport, PlanReport, ReportAction, RunReport } from '../../domain/page/run-report';
import { plainTable } from '../terminal/table';
import { taskTable } from './plan-view';
import { count, oneLine } from './printable';
import { reportText } from './report-view';
import { costText, versionTable } from './result-view';

const WORDS = 160;

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', pc.bold(title), ...lines];

function standing(report: RunReport): string {
  if (report.failure) return pc.red(`${report.failure.type}: ${oneLine(report.failure.message, 300)}`);
  const reason = report.kind === 'loop' ? report.convergenceReason : undefined;
  if (report.success !== undefined) {
    const text = reason ?? (report.success ? 'succeeded' : 'did not succeed');
    return report.success ? pc.green(`✓ ${text}`) : pc.red(`✗ ${text}`);
  }
  if (report.kind === 'loop' && report.phase) return describePhase(report.phase, report.versions.length);
  return report.kind === 'plan' && report.phase ? report.phase : report.status.toLowerCase();
}

function usageLines({ roles, tokenUsage }: RunReport): string[] {
  if (!tokenUsage) return [];
  const rows = roles.map(({ role, tokenUsage: used }) => [
    oneLine(role, 60),
    used.modelCalls.toLocaleString('en'),
    used.totalTokens.toLocaleString('en'),
    used.usd === null ? 'unknown' : `$${used.usd.toFixed(4)}`,
  ]);
  const whole = `  ${costText(tokenUsage)} in all`;
  return rows.length === 0 ? [whole] : [plainTable(['role', 'model calls', 'tokens', 'cost'], rows), whole];
}

function actionLine({ at, by, name, words, applied, why }: ReportAction): string {
  const who = by === undefined ? '' : ` by ${oneLine(by, WORDS)}`;
  const said = words === undefined ? '' : `, "${oneLine(words, WORDS)}"`;
  const fate = applied === undefined ? 'sent' : applied ? 'applied' : `not applied: ${oneLine(why ?? '', WORDS)}`;
  return `  ${at}  ${name}${who} (${fate})${said}`;
}

function loopLines(report: LoopReport): string[] {
  const { versions, bestIteration, issues, issuesOmitted, iterations, actions } = report;
  const story = reportText({ report: { issues, issuesOmitted, iterations }, flags: [] });
  return [
    ...(versions.length > 0 ? ['', versionTable(versions, bestIteration)] : []),
    ...(story.length > 0 ? ['', ...story] : []),
    ...titled('What people did', actions.map(actionLine)),
  ];
}

function planLines({ tasks, insights, endedAt, judged }: PlanReport): string[] {
  const found = judged.at(-1)?.issues ?? [];
  return [
    ...(tasks.length > 0 ? ['', taskTable(tasks, endedAt !== undefined)] : []),
    ...titled(
      'Issues',
      found.map((issue) => `  ${oneLine(issue, 300)}`),
    ),
    ...titled(
      'Learned',
      insights.map((insight) => `  ${oneLine(insight, 300)}`),
    ),
  ];
}

/** A report for people at a terminal. */
export function runReportText(report: RunReport): string {
  const about = report.kind === 'loop' ? report.task : report.goal;
  const runs = report.runs > 1 ? `, ${count(report.runs, 'run')} in its chain` : '';
  return [
    `${pc.bold(report.workflowId)}  ${report.status.toLowerCase()}, started ${report.startedAt}${runs}`,
    ...(about === undefined ? [] : [oneLine(about, 200)]),
    standing(report),
    ...(report.kind === 'loop' ? loopLines(report) : planLines(report)),
    ...titled('Tokens and cost', usageLines(report)),
  ].join('\n');
}
