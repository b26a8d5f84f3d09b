import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { agentsStanding, answerText, reportText } from '../../../src/apps/cli/kinds/agents/agents-view';
import { pipelineTeller } from '../../../src/apps/cli/kinds/pipeline/pipeline-view';
import { liveView } from '../../../src/apps/cli/show/show-loop';
import { withFileLocation } from '../../../src/apps/cli/support/with-file-location';
import { correctionText, evaluationText } from '../../../src/apps/cli/kinds/standalone/evaluate-correct-view';
import { reportError } from '../../../src/apps/cli/support/report-error';
import { resultText } from '../../../src/apps/cli/views/result-view';
import { atLeastOne, whole } from '../../../src/apps/cli/support/options';
import type { AgentReflection } from '../../../src/kinds/agents/contract/agent-results';
import { InvalidSpecError, RunFailedError } from '../../../src/loop/errors/errors';
import type { ReflectionEvaluation } from '../../../src/loop/contract/evaluation';
import type { NodeProgress } from '../../../src/kinds/pipeline/contract/pipeline-results';
import type { ReflectionResult } from '../../../src/loop/contract/results';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { SpecFileError } from '../../../src/apps/yaml';

const plain = stripVTControlCharacters;
const passed: ReflectionEvaluation = {
  outcome: 'pass',
  satisfactory: true,
  overallScore: 1,
  criteriaScores: {},
  issues: [],
  suggestions: [],
  confidence: 1,
  evaluators: [],
};
const version: ReflectionVersion = {
  iteration: 1,
  output: 'A text',
  evaluation: passed,
  origin: 'draft',
  improvementsApplied: [],
  trigger: 'completion',
  timestamp: '2026-01-01T00:00:00.000Z',
  tokenUsage: NO_USAGE,
  warnings: [],
};

describe('what came of a loop', () => {
  const result = (history: Partial<ReflectionResult['history']>, success: boolean) =>
    ({
      success,
      convergenceReason: success ? 'quality_met' : 'aborted',
      iterationsUsed: 1,
      executionTime: 61_000,
      tokenUsage: { ...NO_USAGE, usd: null },
      finalOutput: 'A text\u001b[2J',
      history: { versions: [version], bestIteration: 1, finalIteration: 1, ...history },
    }) as ReflectionResult;

  test('is how it ended, a row for each version with a star at the best, and what is handed back', () => {
    const text = plain(resultText(result({}, true)));
    expect(text).toMatch(/^✓ quality_met · 1 version · 1 min 1 s · 0 model calls, 0 tokens\n/);
    expect(text).toMatch(/1 ★ +✓ pass +1\.00 +– +0 +0 +0/);
    expect(text).toMatch(/\nResult \(version 1\)\nA text\ufffd\[2J$/);
  });

  test('is no table and no output, where there are none', () => {
    const text = plain(resultText(result({ versions: [], bestIteration: null, finalIteration: null }, false)));
    expect(text).toMatch(/^✗ aborted · [^\n]*\n\nThere is no output\.$/);
  });
});

describe('what came of one evaluation or correction', () => {
  test('is every evaluator, every issue and every suggestion', () => {
    const text = evaluationText({
      ...passed,
      outcome: 'fail',
      overallScore: 0.5,
      reason: 'It is late',
      issues: [{ message: 'no date', evaluator: 'schema' }],
      suggestions: ['Add one'],
      evaluators: [
        { name: 'form', type: 'schema', outcome: 'fail', score: 0, checksPassed: 0.667, ms: 1 },
        { name: 'judge', type: 'llm', outcome: 'inconclusive', score: null, ms: 1 },
      ],
    });
    expect(plain(text)).toMatch(/^✗ fail · score 0\.50 · 1 issue\n/);
    expect(plain(text)).toMatch(/form +✗ fail +0\.00 +66% *\njudge +\? inconclusive +– +– *\n/);
    expect(plain(text)).toMatch(/\nIt is late\n\n {2}✗ no date\n {2}→ Add one$/);
    expect(plain(evaluationText(passed))).toMatch(/^✓ pass · score 1\.00 · 0 issues\n\nevaluator[^\n]*$/);
  });

  test('is what was corrected, and what it cost', () => {
    const tokenUsage = { ...NO_USAGE, modelCalls: 1, totalTokens: 7 };
    expect(plain(correctionText({ output: { a: 1 }, tokenUsage }))).toBe(
      '✓ corrected · 1 model call, 7 tokens\n\n{\n  "a": 1\n}',
    );
  });
});

describe('what is said of a population', () => {
  const counts = { events: 2, reflections: 1, skipped: 0, byKind: {}, byType: {}, byMethod: {} };
  const standing = { agents: 3, counts, tokenUsage: NO_USAGE, refused: [] };

  test('is where it stands, in a line', () => {
    const told = agentsStanding({ ...standing, phase: 'reflecting', year: 4, waitingEvents: 2 } as never);
    expect(told).toMatch(/^reflecting · year 4 · 3 agents · 1 reflection upon 2 events · 2 events to come · /);
    const early = agentsStanding({ ...standing, phase: 'preparing', year: null, waitingEvents: 0 } as never);
    expect(early).toMatch(/^preparing · 3 agents · 1 reflection upon 2 events · 0 model calls/);
  });

  test('is who reflected, and why others did not, the first five by name', () => {
    const skipped = Array.from({ length: 7 }, (_, index) => ({ agentId: `a${index}`, why: 'nothing new' }));
    const reflected = [{ agentId: 'ada', method: 'template' as const, insightId: 'i1' }];
    const text = plain(answerText({ reflected, skipped: [...skipped, { agentId: 'town', why: 'away' }] }));
    expect(text).toMatch(/^✓ 1 agent reflected · 8 did not\n[^]*ada +template +i1/);
    expect(text).toMatch(/\n {2}a0, a1, a2, a3, a4 and 2 more: nothing new\n {2}town: away$/);
    expect(plain(answerText({ reflected: [], skipped: [], repeated: true }))).toBe(
      'An event of this id was taken before: nothing happened now.',
    );
  });

  test('is a report of the latest twenty reflections, which says when there are more', () => {
    const reflections = Array.from({ length: 21 }, (_, index) => ({
      number: index + 1,
      agentId: 'ada',
      agentType: 'owner',
      year: index,
      kind: 'crisis' as const,
      method: 'template' as const,
      insight: 'It rains',
      insightId: `i${index}`,
      importance: 1,
    })) satisfies AgentReflection[];
    const report = { agents: 1, counts, events: [], omitted: { events: 0, reflections: 0 }, tokenUsage: NO_USAGE };
    const text = plain(reportText({ ...report, reflections }));
    expect(text.match(/It rains/g)).toHaveLength(20);
    expect(text).toMatch(/The latest 20; --json shows more\.$/);
    expect(plain(reportText({ ...report, reflections: [] }))).toMatch(/^✓ finished · 1 agent · [^\n]*$/);
  });
});

test('who follows a pipeline is told once of each node, and of the versions of its loop', async () => {
  const written: string[] = [];
  const tell = pipelineTeller({
    write: (lines) => void written.push(...lines.map(plain)),
    tellVersions: async (workflowId) => void written.push(`versions of ${workflowId}`),
  });
  const looks = async (...nodes: Partial<NodeProgress>[]): Promise<string[]> => {
    written.length = 0;
    const common = { action: 'llm.call', warnings: [] };
    await tell({ nodes: nodes.map((node) => ({ ...common, ...node })) } as never);
    return [...written];
  };
  const loop = { name: 'loop', workflowId: 'run/loop' };
  const last = { name: 'last', status: 'waiting' } as const;
  expect(await looks({ ...loop, status: 'running' }, last)).toEqual(['1/2 loop  llm.call', 'versions of run/loop']);
  expect(await looks({ ...loop, status: 'done', ms: 1 }, last)).toEqual([
    'versions of run/loop',
    expect.stringMatching(/✓ done/),
  ]);
  const failed = { ...last, status: 'failed', error: 'no answer' } as const;
  expect(await looks({ ...loop, status: 'done' }, failed)).toEqual([
    '2/2 last  llm.call',
    expect.stringMatching(/✗ failed/),
    expect.stringMatching(/no answer/),
  ]);
  expect(await looks({ ...loop, status: 'done' }, failed)).toEqual([]);
});

test('a terminal has a line that says what a run does, which goes when there is news; a pipe has none', () => {
  const written = (isTTY: boolean): string => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const view = liveView(stream as unknown as NodeJS.WriteStream);
    view.onProgress!({ phase: 'generating', iteration: 0, tokenUsage: NO_USAGE } as never);
    view.onProgress!({ phase: 'generating', iteration: 0, tokenUsage: NO_USAGE } as never);
    view.onNotice('No worker');
    view.onProgress!({ phase: 'evaluating', iteration: 1, tokenUsage: NO_USAGE } as never);
    view.clear();
    view.clear();
    return plain(String(stream.read()).replaceAll('\r\u001b[2K', '<erase>'));
  };
  expect(written(false)).toBe('No worker\n');
  expect(written(true)).toMatch(/<erase>\S writing the draft · 0 s<erase>No worker\n/);
  expect(written(true)).toMatch(/\S judging the draft · 0 s<erase>$/);
});

test('a mistake that only the worker found is shown in the file, and every other failure is left as it is', () => {
  const file = { file: 'spec.yaml', locate: (problem: object) => [{ ...problem, line: 3, column: 5 }] as never };
  const problems = [{ path: '/model', message: 'nobody has it' }];
  for (const error of [new InvalidSpecError(problems), new RunFailedError('UnknownModel', 'x', [problems])]) {
    const shown = withFileLocation(error, file);
    expect(shown).toBeInstanceOf(SpecFileError);
    expect((shown as Error).message).toMatch(/spec\.yaml:3:5/);
  }
  for (const error of [new RunFailedError('StepFailed', 'x', []), new Error('x'), 'x']) {
    expect(withFileLocation(error, file)).toBe(error);
  }
});

test('options that are whole numbers', () => {
  expect([whole('0'), whole('12'), atLeastOne('1')]).toEqual([0, 12, 1]);
  for (const text of ['', '-1', '1.5', '1e3', '1234567890']) expect(() => whole(text)).toThrow(/whole number/);
  expect(() => atLeastOne('0')).toThrow(/at least 1/);
});

describe('an error that ends a command', () => {
  const reported = (error: unknown, environment: Record<string, string> = {}): string => {
    const before = { ...process.env };
    delete process.env['DEBUG'];
    Object.assign(process.env, environment);
    const lines: string[] = [];
    const spy = jest.spyOn(console, 'error').mockImplementation((text: unknown) => void lines.push(String(text)));
    try {
      reportError(error);
    } finally {
      spy.mockRestore();
      for (const name of Object.keys(environment)) delete process.env[name];
      Object.assign(process.env, before);
    }
    return plain(lines.join('\n'));
  };

  test.each<[Error, RegExp]>([
    [
      new RunFailedError('UnknownModel', 'x'),
      /^UnknownModel: x\nCorrect the name, or give the model to `createWorker`/,
    ],
    [new RunFailedError('Model.Unauthorized', 'x'), /\nSet OPENAI_API_KEY/],
    [new RunFailedError('Model.Unavailable', 'x'), /\nCheck OPENAI_BASE_URL/],
    [new RunFailedError('Model.QuotaExhausted', 'x'), /billing/],
    [new Error('search attribute ReflectionScore is not there'), /\nRegister them with `npx reflect doctor --fix`\./],
  ])('%s: what to do', (error, says) => {
    expect(reported(error)).toMatch(says);
  });

  test('one that nobody expected says how to learn more; with DEBUG it has its stack', () => {
    expect(reported(new RangeError('odd'))).toBe('RangeError: odd\nSet DEBUG=1 to see where this came from.');
    expect(reported('thrown text')).toMatch(/^Error: thrown text\n/);
    expect(reported(new RangeError('odd'), { DEBUG: '1' })).toMatch(/^RangeError: odd\nRangeError: odd\n +at /);
    expect(reported(new RunFailedError('Cancelled', 'It was cancelled.'))).toBe('Cancelled: It was cancelled.');
  });

  test('no secret is ever printed, and nothing that moves the cursor', () => {
    const secret = 'sk-0123456789';
    const error = new Error(`bad key ${secret}\u001b[2J`);
    expect(reported(error, { OPENAI_API_KEY: secret, DEBUG: '1' })).not.toContain(secret);
    expect(reported(error, { OPENAI_API_KEY: secret })).toMatch(/^Error: bad key <OPENAI_API_KEY>\ufffd\[2J/);
  });
});
