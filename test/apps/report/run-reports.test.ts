import { stripVTControlCharacters } from 'node:util';
import { runReportText } from '../../../src/apps/cli/runs/run-report-view';
import { type RunReport, runReport, type RoleUsage } from '../../../src/kinds/report/contract';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import type { PlanProgress, PlanRunResult } from '../../../src/kinds/plan/contract/plan-results';
import {
  actionOf,
  countUsage,
  makeLoopReport,
  makePlanReport,
  type ReportHead,
  roleOf,
  rolesOf,
  versionsOfAttempts,
} from '../../../src/kinds/report/run-report';
import { makeBatchReport, BatchTally } from '../../../src/kinds/report/batch-report';
import { reportPage } from '../../../src/apps/report/page';
import { anEvaluation, aVersion } from '../../../testing/support/versions';

const AT = '2026-01-01T00:00:00.000Z';
const UNDER_WAY: ReportHead = {
  workflowId: 'plan-1',
  runId: 'run-1',
  type: 'planReflection',
  status: 'RUNNING',
  startedAt: AT,
  runs: 1,
};
const ENDED: ReportHead = { ...UNDER_WAY, status: 'COMPLETED', endedAt: '2026-01-02T03:04:05.000Z', runs: 2 };
const usage = { ...NO_USAGE, promptTokens: 90, completionTokens: 10, totalTokens: 100, modelCalls: 2, usd: 0.5 };

/** The report as every reader gets it: what it says must be of the contract, and stand in the page and in the text. */
function shown(report: RunReport): { page: string; text: string } {
  expect(runReport.parse(JSON.parse(JSON.stringify(report)))).toBeTruthy();
  return {
    page: reportPage(report, AT).replaceAll(/\s+/g, ' '),
    text: stripVTControlCharacters(runReportText(report)),
  };
}

const record = (argument?: unknown, roles: RoleUsage[] = []) => ({ argument, roles, sent: [] });

describe('the report of a plan', () => {
  const progress: PlanProgress = {
    goal: 'Move the <shop>.',
    phase: 'running',
    attempt: 2,
    tasks: [
      { id: 'pack', description: 'Pack.', status: 'succeeded', ms: 65_000, issues: ['a box is open'] },
      { id: 'drive', description: 'Drive.', status: 'running', workflowId: 'plan-1/drive' },
      { id: 'unpack', description: 'Unpack.', status: 'waiting' },
    ],
    judged: [{ success: false, issues: ['the van was full'] }],
    insights: 1,
    tokenUsage: usage,
  };

  test('under way: its tasks, and what was found about plans before', () => {
    const { page, text } = shown(makePlanReport(UNDER_WAY, record(), { progress }));
    for (const told of ['under way: running', '1 of 3 succeeded', 'Move the &lt;shop&gt;.', 'the van was full'])
      expect(page).toContain(told);
    for (const told of ['1 min 5 s', '▶ running', '· waiting', 'a box is open', 'Plan 1: did not succeed'])
      expect(page).toContain(told);
    expect(text).toMatch(/^plan-1 {2}running[^]*Move the <shop>\.\nrunning\n[^]*pack[^]*the van was full/);
  });

  test('at its end: what was learned, the patterns, and tasks that were not tried', () => {
    const task = (id: string) => ({ id, description: `Do ${id}.`, dependsOn: [], steps: [] });
    const result = {
      success: false,
      plan: { id: 'p', goal: 'g', tasks: [task('pack'), task('drive')], successCriteria: [] },
      results: [{ taskId: 'pack', success: false, ms: 3, error: 'no boxes', attempts: 1, output: null }],
      evaluations: [
        { taskId: 'pack', success: false, issues: ['nothing is packed'], at: AT },
        { planId: 'p', success: false, issues: ['nothing arrived'], at: AT },
      ],
      patterns: [
        {
          patternType: 'low_success_rate',
          description: 'Most tasks failed.',
          occurrences: 1,
          affectedTasks: ['pack'],
          detectedAt: AT,
        },
      ],
      replans: 1,
      insights: ['Buy boxes first.'],
      tokenUsage: usage,
    } as unknown as PlanRunResult;
    const { page, text } = shown(makePlanReport(ENDED, record({ goal: 'Move.' }), { result }));
    for (const told of ['✗ did not succeed', 'no boxes', 'nothing is packed', 'Most tasks failed.', 'Buy boxes first.'])
      expect(page).toContain(told);
    for (const told of ['– not tried', 'nothing arrived', '27 h 4 min', 'runs in the chain', '$0.5000'])
      expect(page).toContain(told);
    expect(text).toMatch(
      /2 runs in its chain\nMove\.\n✗ did not succeed[^]*Issues\n {2}nothing arrived[^]*Buy boxes first/,
    );
  });

  test('that failed, and of which nobody knows more', () => {
    const failure = { type: 'PlanFailed', message: 'The planner answered nothing.' };
    const { page, text } = shown(makePlanReport({ ...ENDED, status: 'FAILED' }, record(), { failure }));
    expect(page).toContain('failed: PlanFailed');
    expect(page).toContain('0 of 0 succeeded');
    expect(text).toContain('PlanFailed: The planner answered nothing.');
    expect(shown(makePlanReport({ ...ENDED, status: 'TIMED_OUT' }, record(), {})).page).toContain('timed out');
  });
});

describe('the report of a loop', () => {
  const versions = [
    aVersion(1, anEvaluation('fail', 0.4, { issues: ['vague'] })),
    aVersion(2, anEvaluation('pass', 0.9)),
  ];

  test('under way: what it does, what it waits for, and what was sent', () => {
    const sent = [
      { name: 'guide', by: 'Robin', at: AT, via: 'signal' as const, words: 'Name figures.' },
      { name: 'accept', at: AT, via: 'update' as const, applied: false, why: 'it is too early' },
    ];
    const report = makeLoopReport(
      { ...UNDER_WAY, type: 'reflectionLoop' },
      { ...record({ name: 'notes' }), sent },
      { versions },
    );
    const { page, text } = shown(report);
    for (const told of ['<title>notes – report</title>', 'under way', 'Name figures.', 'it is too early'])
      expect(page).toContain(told);
    expect(text).toMatch(/guide by Robin \(sent; [^)]+\), "Name figures\."\n.*accept \(refused: it is too early\)/);
  });

  test('of many large texts that have nothing in common, the newest alone are compared, and the page says so', () => {
    const written = (version: number): string =>
      Array.from({ length: 4_000 }, (_, line) => `${version}-${line} of ${version}`).join('\n');
    const many = Array.from({ length: 12 }, (_, at) => aVersion(at + 1, anEvaluation('fail', 0.1), written(at + 1)));
    const { page } = shown(makeLoopReport({ ...UNDER_WAY, type: 'reflectionLoop' }, record(), { versions: many }));
    const [tooDifferent, leftOut] = [/too little in common/g, /What changed is not marked/g].map(
      (note) => page.match(note)?.length ?? 0,
    );
    expect(tooDifferent! + leftOut!).toBe(11);
    expect(tooDifferent).toBeGreaterThan(0);
    expect(leftOut).toBeGreaterThan(0);
    expect(page.search(/too little in common/)).toBeLessThan(page.search(/What changed is not marked/));
  });

  test('that raised is told by its attempts; of calls that failed there is a rest', () => {
    const attempts = [
      { iteration: 1, output: 'one', score: null, valid: false, errors: [] },
      { iteration: 2, output: 'two', score: 0.3, valid: false, errors: [{ message: 'short', path: '/text' }] },
    ];
    const failure = { type: 'ReflectionFailedError', message: 'No version was good enough.' };
    const roles: RoleUsage[] = [];
    countUsage(roles, roleOf('generate'), { ...usage, totalTokens: 60, modelCalls: 1, usd: 0.2 });
    countUsage(roles, roleOf('generate'), { ...NO_USAGE, totalTokens: 5 });
    const known = { failure, versions: versionsOfAttempts(attempts, AT) };
    const report = makeLoopReport(ENDED, record({ task: 'Write.' }, roles), known);
    expect(report.versions.map(({ evaluation }) => evaluation.outcome)).toEqual(['inconclusive', 'fail']);
    const { page } = shown(report);
    for (const told of ['failed: ReflectionFailedError', 'No version was good enough.', 'short', '/text'])
      expect(page).toContain(told);
    expect(rolesOf(usage, roles).map(({ role, activities }) => [role, activities])).toEqual([
      ['generator', 2],
      ['other', 0],
    ]);
    expect(rolesOf({ ...usage, usd: null }, roles).at(-1)!.tokenUsage.usd).toBeNull();
    expect(rolesOf(undefined, roles)).toBe(roles);
    expect(roleOf('somebody.else')).toBe('somebody.else');
    expect(actionOf({ name: 'unknown', payload: {}, at: AT, via: 'signal' })).toBeUndefined();
  });
});

describe('the report of a batch', () => {
  test('counts what its lines say where nobody answers, and lists what went wrong first', () => {
    const tally = new BatchTally();
    for (let index = 0; index < 600; index += 1) {
      const id = String(index);
      if (index === 599) tally.add({ index, id, status: 'failed', error: { type: 'Model.Timeout', message: 'late' } });
      else if (index === 598) tally.add({ index, id, status: 'not_started' });
      else
        tally.add({ index, id, status: 'passed', score: 1, reason: 'quality_met', iterations: 2, tokenUsage: usage });
    }
    const report = makeBatchReport({ ...ENDED, status: 'TERMINATED' }, record({ loop: { task: 'Sort.' } }), {}, tally);
    expect(report).toMatchObject({
      items: 600,
      passed: 598,
      failed: 1,
      notStarted: 1,
      linesOmitted: 100,
      task: 'Sort.',
    });
    expect(report.scores).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 598]);
    expect(report.lines[0]).toMatchObject({ id: '599', status: 'failed' });
    const { page, text } = shown(report);
    for (const told of ['terminated', '! failed', 'Model.Timeout: late', '100 more.', '0.9 – 1.0'])
      expect(page).toContain(told);
    expect(text).toMatch(
      /598 of 600 items passed \(99 % [^]*passed with version #2 598×[^]*599 {2}Model\.Timeout: late/,
    );
  });

  test('under way: what it does, and nothing of items before there is any', () => {
    const counts = { passed: 0, notPassed: 0, failed: 0, tokenUsage: NO_USAGE };
    const progress = { ...counts, phase: 'running' as const, items: 9, running: 4, budgetSpent: true, startedAt: AT };
    const { page, text } = shown(makeBatchReport(UNDER_WAY, record('not read'), { progress }, new BatchTally()));
    expect(page).toContain('5, the budget is spent');
    expect(page).not.toContain('Final scores');
    expect(text).toContain('0 of 9 items passed (– of those that ended) · running');
  });
});
