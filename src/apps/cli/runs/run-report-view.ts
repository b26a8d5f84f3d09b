import pc from 'picocolors';
import { renderPercent } from '../../../kinds/batch/page/batch-page';
import { fateOf } from '../../../loop/state/command-log';
import { describePhase } from '../../../loop/page/progress';
import type { BatchReport, LoopReport, PlanReport, ReportAction, RunReport } from '../../../kinds/report/contract';
import { plainTable } from '../terminal/table';
import { taskTable } from '../kinds/plan/plan-view';
import { count, oneLine } from '../views/printable';
import { reportText } from '../views/report-view';
import { costText, versionTable } from '../views/result-view';

const WORDS = 160;
const MOST_ITEMS = 20;

const renderSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', pc.bold(title), ...lines];

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

function actionLine(action: ReportAction): string {
  const { at, by, name, words } = action;
  const who = by === undefined ? '' : ` by ${oneLine(by, WORDS)}`;
  const said = words === undefined ? '' : `, "${oneLine(words, WORDS)}"`;
  const fate = oneLine(fateOf(action), WORDS);
  return `  ${at}  ${name}${who} (${fate})${said}`;
}

function loopLines(report: LoopReport): string[] {
  const { versions, bestIteration, issues, issuesOmitted, iterations, actions } = report;
  const story = reportText({ report: { issues, issuesOmitted, iterations }, flags: [] });
  return [
    ...(versions.length > 0 ? ['', versionTable(versions, bestIteration)] : []),
    ...(story.length > 0 ? ['', ...story] : []),
    ...renderSection('What people did', actions.map(actionLine)),
  ];
}

function planLines({ tasks, insights, endedAt, judged }: PlanReport): string[] {
  const found = judged.at(-1)?.issues ?? [];
  return [
    ...(tasks.length > 0 ? ['', taskTable(tasks, endedAt !== undefined)] : []),
    ...renderSection(
      'Issues',
      found.map((issue) => `  ${oneLine(issue, 300)}`),
    ),
    ...renderSection(
      'Learned',
      insights.map((insight) => `  ${oneLine(insight, 300)}`),
    ),
  ];
}

function batchLines({ reasons, passedAt, lines }: BatchReport): string[] {
  const counts = (all: Record<string, number>, mark = ''): string =>
    Object.entries(all)
      .map(([key, times]) => `${mark}${oneLine(key, 60)} ${times.toLocaleString('en')}×`)
      .join(', ');
  const wrong = lines.filter(({ status }) => status === 'failed' || status === 'not_passed').slice(0, MOST_ITEMS);
  const found = wrong.map(
    ({ id, reason, error }) =>
      `  ${oneLine(id, 60)}  ${error ? `${oneLine(error.type, 60)}: ${oneLine(error.message, WORDS)}` : oneLine(reason ?? '–', 60)}`,
  );
  return [
    ...(Object.keys(reasons).length > 0 ? [`ended by ${counts(reasons)}`] : []),
    ...(Object.keys(passedAt).length > 0 ? [`passed with version ${counts(passedAt, '#')}`] : []),
    ...renderSection('Failed, or not passed', found),
  ];
}

type Views = {
  [Kind in RunReport['kind']]: (report: Extract<RunReport, { kind: Kind }>) => {
    about: string | undefined;
    standing: string | undefined;
    lines: string[];
  };
};

function successText(success: boolean | undefined, reason?: string): string | undefined {
  if (success === undefined) return undefined;
  return success ? pc.green(`✓ ${reason ?? 'succeeded'}`) : pc.red(`✗ ${reason ?? 'did not succeed'}`);
}

const VIEWS: Views = {
  loop: (report) => ({
    about: report.task,
    standing:
      successText(report.success, report.convergenceReason) ??
      (report.phase && describePhase(report.phase, report.versions.length)),
    lines: loopLines(report),
  }),
  plan: (report) => ({
    about: report.goal,
    standing: successText(report.success) ?? report.phase,
    lines: planLines(report),
  }),
  batch: (report) => ({
    about: report.task,
    standing: `${report.passed.toLocaleString('en')} of ${count(report.items, 'item')} passed (${renderPercent(report.passRate)} of those that ended)${report.phase ? ` · ${report.phase}` : ''}`,
    lines: batchLines(report),
  }),
};

export function runReportText(report: RunReport): string {
  const view = VIEWS[report.kind] as (report: RunReport) => ReturnType<Views['loop']>;
  const { about, standing, lines } = view(report);
  const runs = report.runs > 1 ? `, ${count(report.runs, 'run')} in its chain` : '';
  const { failure } = report;
  return [
    `${pc.bold(report.workflowId)}  ${report.status.toLowerCase()}, started ${report.startedAt}${runs}`,
    ...(about === undefined ? [] : [oneLine(about, 200)]),
    failure ? pc.red(`${failure.type}: ${oneLine(failure.message, 300)}`) : (standing ?? report.status.toLowerCase()),
    ...lines,
    ...renderSection('Tokens and cost', usageLines(report)),
  ].join('\n');
}
