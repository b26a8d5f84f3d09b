import { stripVTControlCharacters } from 'node:util';
import { issueText, versionLines } from '../../../../src/apps/cli/views/version-lines';
import type { ReflectionEvaluation } from '../../../../src/loop/contract/evaluation';
import type { ReflectionVersion } from '../../../../src/loop/state/loop-state';

const evaluation = (given: Partial<ReflectionEvaluation>): ReflectionEvaluation => ({
  outcome: 'fail',
  satisfactory: false,
  overallScore: 0.5,
  criteriaScores: {},
  issues: [],
  suggestions: [],
  confidence: 1,
  evaluators: [],
  ...given,
});
const version = (given: Partial<ReflectionVersion>): ReflectionVersion => ({
  iteration: 1,
  output: { name: 'Ada' },
  evaluation: evaluation({}),
  origin: 'draft',
  improvementsApplied: [],
  trigger: 'completion',
  timestamp: '2026-01-01T00:00:00.000Z',
  tokenUsage: { promptTokens: 0, completionTokens: 0, totalTokens: 0, modelCalls: 0, usd: null },
  warnings: [],
  ...given,
});
const lines = (...given: Parameters<typeof versionLines>) => versionLines(...given).map(stripVTControlCharacters);
const schema = { name: 'schema', type: 'schema', outcome: 'fail', score: 0, ms: 1 } as const;

test('a draft says its outcome, its score, the share of its checks, what failed and what was odd', () => {
  const issues = Array.from({ length: 7 }, (_, index) => ({ message: `fault ${index}`, evaluator: 'schema' }));
  const draft = version({
    evaluation: evaluation({
      issues,
      evaluators: [
        { ...schema, checksPassed: 0.75 },
        { ...schema, checksPassed: 0.5 },
      ],
    }),
    tokenUsage: { promptTokens: 10, completionTokens: 2, totalTokens: 12, modelCalls: 1, usd: null },
    warnings: ['cut\u001b[2J off'],
  });
  expect(lines(draft, undefined)).toEqual([
    '#1  ✗ fail  score 0.50  62% of the schema holds  draft  12 tokens',
    ...[0, 1, 2, 3, 4].map((index) => `  ✗ fault ${index}`),
    '    2 more failed',
    '  ! cut\ufffd[2J off',
  ]);
});

test('a draft that broke rules about calls says so, and speaks of no schema', () => {
  const rules = { ...schema, name: 'calls', type: 'calls', checksPassed: 0.5 };
  const both = version({ evaluation: evaluation({ evaluators: [rules, { ...schema, checksPassed: 0.25 }] }) });
  expect(lines(both, undefined)[0]).toContain('50% of the rules about calls hold  25% of the schema holds');
  const alone = version({ evaluation: evaluation({ evaluators: [rules] }) });
  expect(lines(alone, undefined)[0]).not.toContain('schema');
});

test('a revision says what got better, what got worse, and what it changed', () => {
  const before = version({});
  const better = version({
    iteration: 2,
    origin: 'revision',
    output: { name: 'Ada Lovelace' },
    evaluation: evaluation({ outcome: 'pass', overallScore: 0.9 }),
    improvementsApplied: ['the name is short'],
  });
  const [head, fixed, changed] = lines(better, before);
  expect(head).toBe('#2  ✓ pass  score 0.90 (+0.40)  revision');
  expect(fixed).toBe('  fixed the name is short');
  expect(changed).toMatch(/^ {2}changed .*Ada Lovelace/);
  expect(lines({ ...before, iteration: 3 }, better)[0]).toBe('#3  ✗ fail  score 0.50 (−0.40)  draft');
});

test('a revision that changes nothing says so; one whose output was left out says nothing of changes', () => {
  const before = version({});
  expect(lines(version({ iteration: 2 }), before)).toEqual(['#2  ✗ fail  score 0.50  draft', '  nothing changed']);
  expect(lines(version({ iteration: 2, output: null, omittedBytes: 9 }), before)).toEqual([
    '#2  ✗ fail  score 0.50  draft',
  ]);
});

test('a judge that could not judge is no bad score: its reason is told', () => {
  const away = evaluation({ outcome: 'inconclusive', overallScore: null, reason: 'the model is away' });
  expect(lines(version({ evaluation: away }), version({}))).toEqual([
    '#1  ? inconclusive  score –  draft',
    '  the model is away',
    '  nothing changed',
  ]);
});

test('an issue has its place, once', () => {
  expect(issueText({ message: 'is missing' })).toBe('is missing');
  expect(issueText({ message: 'is missing', path: '' })).toBe('is missing');
  expect(issueText({ message: 'is missing', path: '/address/street' })).toMatch(/street: is missing$/);
  const place = issueText({ message: 'x', path: '/street' }).replace(': x', '');
  expect(issueText({ message: `${place} is missing`, path: '/street' })).toBe(`${place} is missing`);
});
