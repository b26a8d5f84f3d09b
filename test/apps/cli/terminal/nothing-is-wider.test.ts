import {
  answerText,
  reflectionTable,
  reportText as populationText,
} from '../../../../src/apps/cli/kinds/agents/agents-view';
import { correctionText, evaluationText } from '../../../../src/apps/cli/kinds/standalone/evaluate-correct-view';
import { peopleText } from '../../../../src/apps/cli/show/show-loop';
import {
  nodeEndLines,
  nodeStartLine,
  nodeTable,
  pipelineText,
} from '../../../../src/apps/cli/kinds/pipeline/pipeline-view';
import { planText, taskEndLine, taskStartLine, taskTable } from '../../../../src/apps/cli/kinds/plan/plan-view';
import { reportText } from '../../../../src/apps/cli/views/report-view';
import { resultText, versionTable } from '../../../../src/apps/cli/views/result-view';
import { unreadLines } from '../../../../src/apps/cli/views/unread-view';
import { versionLines } from '../../../../src/apps/cli/views/version-lines';
import { waitingLines } from '../../../../src/apps/cli/views/waiting-view';
import { fit } from '../../../../src/apps/cli/terminal/fit';
import { plainTable } from '../../../../src/apps/cli/terminal/table';
import { columnsOf } from '../../../../src/apps/cli/terminal/width';
import { NO_USAGE } from '../../../../src/lib/base/tokens';

const LONG = 'The émigré wrote 料金は未定です in a very long sentence which no terminal takes in one line. '.repeat(8);
const WORD = 'ä'.repeat(400);
const ID = 'summary-of-a-meeting-a2b3c4d5';
const usage = { ...NO_USAGE, modelCalls: 1_234, totalTokens: 12_345_678, usd: 12.3456 };
const issue = { path: '/a/deep/place', message: `${LONG}${WORD}`, evaluator: LONG };
const evaluation = {
  outcome: 'fail',
  satisfactory: false,
  overallScore: 0.5,
  issues: Array.from({ length: 9 }, () => issue),
  suggestions: [LONG],
  reason: LONG,
  evaluators: [{ name: LONG, type: 'llm', outcome: 'fail', score: 0.5, checksPassed: 0.4, ms: 1 }],
  unreadReplies: [{ evaluator: LONG, reply: WORD, problem: LONG, repaired: false }],
} as never;
const version = (iteration: number) =>
  ({
    iteration,
    output: `${LONG}${iteration}\n${WORD}`,
    evaluation,
    origin: 'revision',
    improvementsApplied: [LONG],
    tokenUsage: usage,
    warnings: [LONG],
  }) as never;
const node = (status: string) =>
  ({
    name: LONG,
    action: LONG,
    status,
    outcome: LONG,
    ms: 1e7,
    error: LONG,
    warnings: [LONG],
    workflowId: `${ID}/node`,
  }) as never;
const task = (status: string) =>
  ({
    id: LONG,
    description: LONG,
    status,
    ms: 1e7,
    issues: [LONG, LONG],
    error: LONG,
    workflowId: `${ID}/task`,
  }) as never;
const reflection = { number: 1, year: 1, agentId: LONG, kind: 'crisis', method: 'llm', insight: LONG } as never;

/** Every view, with more than it has room for. */
const VIEWS: Record<string, () => string | string[]> = {
  versionLines: () => versionLines(version(2), version(1)),
  versionTable: () => versionTable([version(1), version(2)], 1),
  resultText: () =>
    resultText({
      success: false,
      convergenceReason: 'max_iterations',
      iterationsUsed: 2,
      executionTime: 1e7,
      tokenUsage: usage,
      finalOutput: `${LONG}\n    ${LONG}${WORD}`,
      history: { versions: [version(1), version(2)], bestIteration: 1, finalIteration: 2 },
    } as never),
  reportText: () =>
    reportText({
      report: {
        iterations: [1, 2].map((iteration) => ({
          iteration,
          scoreChange: -0.5,
          issuesResolved: 1,
          issuesNew: 2,
          totalTokens: 1e7,
          basedOn: 1,
        })),
        issues: [{ fate: 'unresolved', message: LONG, firstSeen: 1, lastSeen: 2 }],
        issuesOmitted: 7,
      },
      flags: ['overcritical', 'undercritical'],
    } as never),
  unreadLines: () => unreadLines([{ evaluator: LONG, reply: WORD, problem: LONG, repaired: true }]),
  evaluationText: () => evaluationText(evaluation),
  correctionText: () => correctionText({ output: LONG, tokenUsage: usage } as never),
  waitingLines: () =>
    waitingLines(
      {
        what: LONG,
        until: '2026-01-01T00:00:00.000Z',
        commands: [
          { name: 'extend', payload: { iterations: 20, tokens: 1_000_000, usd: 1_000_000 } },
          { name: 'guide', payload: { text: 'x' } },
          { name: 'accept', payload: { iteration: 2 } },
        ],
      },
      ID,
      [version(1), version(2)],
    ),
  peopleText: () =>
    peopleText([{ at: '2026-01-01T00:00:00.000Z', name: 'guide', by: LONG, via: 'update', text: LONG } as never]),
  nodes: () => [
    nodeStartLine(node('running'), 1, 3),
    ...nodeEndLines(node('failed')),
    nodeTable([node('done'), node('failed')]),
  ],
  pipelineText: () => pipelineText({ state: { text: LONG }, nodes: [node('done')] } as never, undefined),
  tasks: () => [
    taskStartLine(task('running')),
    taskEndLine(task('failed')),
    taskTable([task('failed'), task('succeeded')]),
  ],
  planText: () =>
    planText(
      {
        success: false,
        replans: 3,
        results: [{ taskId: LONG, success: true, output: LONG, ms: 1 }],
        plan: { tasks: [{ id: LONG, description: LONG }] },
        evaluations: [{ planId: 'p', issues: [LONG], suggestions: [LONG] }],
        insights: [LONG],
        tokenUsage: usage,
      } as never,
      undefined,
    ),
  agents: () => [
    answerText({
      reflected: [{ agentId: LONG, method: 'llm', insightId: LONG }],
      skipped: [{ agentId: LONG, why: LONG }],
    } as never),
    reflectionTable([reflection]),
  ],
  populationText: () =>
    populationText({
      agents: 3,
      counts: { reflections: 1, events: 2 },
      reflections: [reflection],
      omitted: { reflections: 1 },
      tokenUsage: usage,
    } as never),
};

const stdout = process.stdout as { isTTY: boolean; columns: number };
const { isTTY, columns } = stdout;
afterAll(() => Object.assign(stdout, { isTTY, columns }));

describe.each([60, 80, 120])('on a terminal of %i columns', (width) => {
  beforeAll(() => Object.assign(stdout, { isTTY: true, columns: width }));

  test.each(Object.entries(VIEWS))('%s has no wider line, and what is left of its words', (_name, view) => {
    const shown = view();
    const lines = fit(typeof shown === 'string' ? shown : shown.join('\n'), width).split('\n');
    expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
    expect(lines.join(' ')).toMatch(/\S/);
  });
});

test('a file or a pipe gets each line as it is', () => {
  Object.assign(stdout, { isTTY: undefined });
  expect(fit(`${LONG}\n${WORD}`)).toBe(`${LONG}\n${WORD}`);
  expect(plainTable(['a', 'b'], [[LONG, WORD]])).toContain(WORD);
});

describe('what is too wide', () => {
  test('goes on below its own text', () => {
    expect(fit('  ✗ one two three four', 14)).toBe('  ✗ one two\n    three four');
    expect(fit('    two spaces  stay', 100)).toBe('    two spaces  stay');
  });

  test('is broken by force where it is one word; an id, a link and quoted code are not', () => {
    expect(fit('ää'.repeat(4), 3)).toBe('äää\näää\nää');
    expect(fit('see https://example.com/a/b/c?d=e now', 10)).toBe('see\nhttps://example.com/a/b/c?d=e\nnow');
    expect(fit('start `npx reflect worker` first', 20)).toBe('start\n`npx reflect worker`\nfirst');
  });

  test('stays one command, which a shell reads on several lines', () => {
    expect(fit('  npx reflect extend some-run-a2b3c4d5 --iterations 2 --tokens 10', 40)).toBe(
      '  npx reflect extend some-run-a2b3c4d5 \\\n    --iterations 2 --tokens 10',
    );
    expect(fit('Look at it: npx reflect show some-run-a2b3c4d5', 40)).toBe(
      'Look at it:\n  npx reflect show some-run-a2b3c4d5',
    );
  });

  test('stays one command with what is quoted in it, also where a quoted text would be broken', () => {
    expect(fit('  npx reflect guide some-run-a2b3c4d5 "what the next version should do"', 50)).toBe(
      '  npx reflect guide some-run-a2b3c4d5 \\\n    "what the next version should do"',
    );
  });

  test('stays one command on one line where the shell knows no line that goes on', () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
    try {
      const line = '  npx reflect extend some-run-a2b3c4d5 --iterations 2 --tokens 10';
      expect(fit(line, 40)).toBe(line);
      expect(fit(`Type this: ${line.trim()}`, 40)).toBe(`Type this:\n${line}`);
    } finally {
      Object.defineProperty(process, 'platform', platform);
    }
  });

  test('ends its colours', () => {
    const red = `\u001b[31m${'word '.repeat(20)}\u001b[39m`;
    expect(fit(red, 40).endsWith('\u001b[39m')).toBe(true);
    expect(plainTable(['a'], [[red]], { width: 40 })).toContain('…\u001b[39m');
  });

  test('in a table keeps both ends of an id, rather than that columns are left out', () => {
    const long = 'summary-of-a-meeting-6f1f2b1c-8a8e-4a55-9c1d-7e0f1a2b3c4d';
    const rows = [[long, 'succeeded', '10 s']];
    const narrow = plainTable(['run', 'status', 'took'], rows, {
      whole: ['status'],
      ids: ['run'],
      spare: ['took'],
      width: 48,
    });
    expect(narrow).toMatch(/^summary-of-a-me…[a-f0-9-]{13,15} +succeeded +10 s$/m);
    expect(narrow).toContain('Long ids are cut in the middle');
    expect(narrow).not.toContain('No room for');
    const short = plainTable(['run', 'status', 'took'], [[ID, 'succeeded', '10 s']], {
      whole: ['status'],
      ids: ['run'],
      spare: ['took'],
      width: 45,
    });
    expect(short).toContain(`${ID}  succeeded`);
    expect(short).toContain('No room for: took');
  });

  test('in a table is the longest text, then what is spare; ids stay whole', () => {
    const head = ['run', 'why', 'took'];
    const rows = [[ID, 'because it was so', '10 s']];
    expect(plainTable(head, rows, { whole: ['run'], spare: ['took'], width: 50 })).toMatch(
      new RegExp(`${ID}  because it w…  10 s`),
    );
    const narrow = plainTable(head, rows, { whole: ['run'], spare: ['took'], width: 46 });
    expect(narrow).toContain(`${ID}  because it was`);
    expect(narrow).toMatch(/No room for: took/);
  });
});
