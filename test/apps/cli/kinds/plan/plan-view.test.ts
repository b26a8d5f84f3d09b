import { stripVTControlCharacters } from 'node:util';
import {
  judgedLines,
  planStanding,
  planTeller,
  planText,
  taskEndLine,
  taskStartLine,
  taskTable,
} from '../../../../../src/apps/cli/kinds/plan/plan-view';
import type { PlanProgress, TaskProgress, PlanRunResult } from '../../../../../src/kinds/plan/contract/plan-results';
import { NO_USAGE } from '../../../../../src/lib/base/tokens';

const plain = stripVTControlCharacters;
const task = (id: string, more: Partial<TaskProgress> = {}): TaskProgress => ({
  id,
  description: `Do ${id}`,
  status: 'succeeded',
  ...more,
});
const progress = (more: Partial<PlanProgress>): PlanProgress => ({
  goal: 'Go far',
  phase: 'running',
  attempt: 1,
  tasks: [],
  judged: [],
  insights: 0,
  tokenUsage: NO_USAGE,
  ...more,
});
const evaluation = (more: object) => ({
  success: false,
  confidence: 1,
  issues: [],
  suggestions: [],
  shouldReplan: false,
  ...more,
});
const step = { action: 'does', with: {} };

describe('how a plan is shown', () => {
  test('a task says how it began and how it ended, without what could move the cursor', () => {
    expect(plain(taskStartLine(task('a', { description: 'Do\u001b[2J it\nnow' })))).toBe('▶ a  Do\ufffd[2J it now');
    expect(plain(taskEndLine(task('a', { ms: 1_500 })))).toBe('✓ a · 1.5 s');
    expect(plain(taskEndLine(task('a', { status: 'failed', error: 'no' })))).toBe('✗ a · 0.0 s · no');
    expect(judgedLines(2, ['slow', 'empty']).map(plain)).toEqual(['✗ plan 2 did not succeed', '  ! slow', '  ! empty']);
  });

  test('the table says of each task what was found, or why nothing can be', () => {
    const rows = (ended?: boolean) =>
      plain(
        taskTable(
          [
            task('fine', { ms: 100, issues: [] }),
            task('odd', { status: 'failed', ms: 200, issues: ['too slow', 'empty', 'late'] }),
            task('broken', { status: 'failed', error: 'no such file' }),
            task('loop', { status: 'running', workflowId: 'plan/loop' }),
            task('later', { status: 'waiting' }),
          ],
          ended,
        ),
      ).split('\n');
    expect(rows().slice(1)).toEqual([
      expect.stringMatching(/^1 +fine +Do fine +✓ succeeded +0\.1 s +nothing wrong +–/),
      expect.stringMatching(/^2 +odd .*✗ failed +0\.2 s +too slow \(\+2\) +–/),
      expect.stringMatching(/^3 +broken .*✗ failed +– +no such file +–/),
      expect.stringMatching(/^4 +loop .*running +– +– +plan\/loop/),
      expect.stringMatching(/^5 +later .*waiting +– +– +–/),
    ]);
    expect(rows(true)[5]).toMatch(/^5 +later .*not tried/);
  });

  const result: PlanRunResult = {
    success: false,
    plan: {
      id: 'p',
      tasks: [
        { id: 'find', description: 'Find it', step },
        { id: 'write', description: 'Write it', step, dependsOn: ['find'] },
        { id: 'send', description: 'Send it', step, dependsOn: ['write'] },
        { id: 'also', description: 'Do also this', step },
      ],
    },
    results: [
      { taskId: 'find', success: true, output: 'the pen', ms: 10 },
      { taskId: 'write', success: false, error: 'no ink', ms: 20 },
      { taskId: 'also', success: true, output: { done: true }, ms: 5 },
    ],
    evaluations: [
      evaluation({ taskId: 'write', issues: ['no ink'] }),
      evaluation({ planId: 'p', issues: ['one task failed'], suggestions: ['Buy ink'] }),
    ],
    patterns: [],
    replans: 1,
    insights: ['Ink runs out'],
    tokenUsage: { ...NO_USAGE, modelCalls: 2, totalTokens: 1_234, usd: 0.5 },
  };

  test('a result without a worker is told by what stands in it', () => {
    const text = plain(planText(result, undefined));
    expect(text).toMatch(/^✗ did not succeed · 2 of 4 tasks · 2 plans · 2 model calls, 1,234 tokens, \$0\.5000\n/);
    expect(text).toMatch(/1 +find .*✓ succeeded +0\.0 s +– /);
    expect(text).toMatch(/2 +write .*✗ failed +0\.0 s +no ink /);
    expect(text).toMatch(/3 +send .*not tried/);
    expect(text).toMatch(/\nIssues\n {2}one task failed\n\nSuggestions\n {2}Buy ink\n\nLearned\n {2}Ink runs out\n/);
    // What other tasks were given is not what it came to.
    expect(text).toMatch(/\nResults of the tasks\nalso:\n\{\s*"done": true\s*\}$/);
  });

  test('a result that has nothing to add has no empty headings; with a worker its table is that of the worker', () => {
    const bare = { ...result, success: true, results: [], evaluations: [], insights: [], replans: 0 };
    const text = plain(planText(bare, progress({ tasks: [task('own', { workflowId: 'run/own' })] })));
    expect(text).toMatch(/^✓ succeeded · 0 of 4 tasks · 1 plan · /);
    expect(text).toMatch(/own .*run\/own$/m);
    expect(text).not.toMatch(/Issues|Suggestions|Learned|Results of the tasks/);
  });

  test('where it stands is one line', () => {
    const tasks = [task('a'), task('b', { status: 'failed' })];
    expect(planStanding(progress({ tasks, attempt: 2 }))).toBe(
      'running · plan 2 · 1 of 2 tasks succeeded · 0 model calls, 0 tokens',
    );
  });
});

describe('who follows a plan', () => {
  let written: string[];
  let tell: ReturnType<typeof planTeller>;
  beforeEach(() => {
    written = [];
    tell = planTeller({
      write: (lines) => void written.push(...lines.map(plain)),
      tellVersions: async (workflowId) => void written.push(`versions of ${workflowId}`),
    });
  });
  /** What is new at one look. */
  const news = async (more: Partial<PlanProgress>): Promise<string[]> => {
    written = [];
    await tell(progress(more));
    return written;
  };

  test('is told once of each task, and of the versions of its loop', async () => {
    const loop = { workflowId: 'plan/b' };
    const running = [task('a', { status: 'running' }), task('b', { status: 'running', ...loop })];
    expect(await news({ phase: 'planning' })).toEqual(['… planning']);
    expect(await news({ phase: 'planning' })).toEqual([]);
    expect(await news({ tasks: [...running, task('c', { status: 'waiting' })] })).toEqual([
      '▶ a  Do a',
      '▶ b  Do b',
      'versions of plan/b',
    ]);
    const ended = [task('a', { ms: 1_000 }), task('b', { status: 'failed', error: 'x', ...loop })];
    expect(await news({ tasks: ended })).toEqual(['✓ a · 1.0 s', 'versions of plan/b', '✗ b · 0.0 s · x']);
    expect(await news({ tasks: ended, phase: 'reflecting' })).toEqual(['… judging what came of it']);
    expect(await news({ tasks: ended, phase: 'done' })).toEqual([]);
  });

  test('is told of plans that were made anew, also of those that ended between two looks', async () => {
    await news({ tasks: [task('kept'), task('lost', { status: 'failed' })] });
    const judged = [
      { success: false, issues: ['lost failed'] },
      { success: false, issues: [] },
    ];
    const tasks = [task('kept'), task('lost', { status: 'running' })];
    expect(await news({ attempt: 3, judged, tasks })).toEqual([
      '✗ plan 1 did not succeed',
      '  ! lost failed',
      '✗ plan 2 did not succeed',
      '',
      'Plan 3',
      '▶ lost  Do lost',
    ]);
    // What succeeded is not run again, and a plan that succeeded is told by its result.
    expect(await news({ attempt: 3, judged: [...judged, { success: true, issues: [] }], tasks })).toEqual([]);
  });

  test('is told how the tasks of a plan ended before the next one is planned', async () => {
    await news({ tasks: [task('a', { status: 'running' })] });
    const failed = [task('a', { status: 'failed' })];
    const judged = [{ success: false, issues: [] }];
    expect(await news({ phase: 'planning', attempt: 2, tasks: failed, judged })).toEqual([
      '✗ a · 0.0 s',
      '✗ plan 1 did not succeed',
      '',
      'Plan 2',
      '… planning',
    ]);
  });
});
