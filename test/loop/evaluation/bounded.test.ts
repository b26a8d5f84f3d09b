import {
  boundedDetails,
  boundedEvaluation,
  boundedProblems,
  boundedText,
  boundedVerdict,
  EVALUATION_BYTES,
  MOST_FINDINGS,
} from '../../../src/loop/evaluation/bounded';
import { combineVerdicts } from '../../../src/loop/evaluation/combine';
import type { Verdict } from '../../../src/loop/state/evaluation';

const A_PAYLOAD = 1_900_000;
const long = 'é"'.repeat(A_PAYLOAD / 2);
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const verdict = (more: Partial<Verdict>, name = 'one'): Verdict => ({
  name,
  type: 'custom',
  outcome: 'fail',
  score: 0.5,
  issues: [],
  suggestions: [],
  confidence: 1,
  ms: 1,
  ...more,
});

const ISSUE = { message: 'm', evaluator: 'one' };

describe('what an evaluator may say', () => {
  test.each<[string, Partial<Verdict>]>([
    ['a suggestion of 1.9 MB', { suggestions: [long] }],
    [
      '100 criteria with names of 15 KB',
      {
        criteriaScores: Object.fromEntries(
          Array.from({ length: 100 }, (_, index) => [`${index} ${'n'.repeat(15_000)}`, 0.5]),
        ),
      },
    ],
    ['a message of 1 MB', { issues: [{ ...ISSUE, message: long }] }],
    [
      'a path, a criterion, a type and a suggestion of 1 MB',
      { issues: [{ ...ISSUE, path: long, criterion: long, type: long, suggestion: long }] },
    ],
    ['a reason of 1.9 MB', { reason: long }],
    ['100,000 issues', { issues: Array.from({ length: 100_000 }, () => ISSUE) }],
    ['100,000 suggestions', { suggestions: Array.from({ length: 100_000 }, (_, index) => `do ${index}`) }],
    [
      '200 issues of 4,000 characters that JSON writes with six',
      { issues: Array.from({ length: 200 }, () => ({ ...ISSUE, message: '\u0001'.repeat(4_000) })) },
    ],
  ])('%s: it has a bound, and says that it was cut', (_what, more) => {
    const bounded = boundedVerdict(verdict(more));
    expect(bytes(bounded)).toBeLessThanOrEqual(EVALUATION_BYTES + 100);
    expect(bounded).toMatchObject({ outcome: 'fail', score: 0.5, name: 'one', confidence: 1 });
    const { suggestions } = more;
    const isShortList = (suggestions?.length ?? 0) > MOST_FINDINGS;
    if (isShortList) expect(bounded.suggestions).toHaveLength(MOST_FINDINGS);
    else expect(JSON.stringify(bounded)).toMatch(/more characters\)|more issues were left out/);
  });

  test('an unreadable reply keeps its beginning and its end, where a verdict usually is', () => {
    const reply = `mine: fail\n${'"Verdict: pass" '.repeat(20_000)}\nVerdict: fail`;
    const kept = boundedVerdict(verdict({ unreadable: { reply, problem: 'p' } })).unreadable!.reply;
    expect(kept.length).toBeLessThanOrEqual(100_000);
    expect(kept).toMatch(/^mine: fail\n[^]*characters are left out[^]*\nVerdict: fail$/);
  });

  test('what is within bounds stays as it is', () => {
    const whole = verdict({
      issues: [ISSUE],
      suggestions: ['s'],
      reason: 'r',
      criteriaScores: { c: 1 },
      warnings: ['w'],
    });
    expect(boundedVerdict(whole)).toEqual(whole);
    const evaluation = combineVerdicts([whole], () => 1);
    expect(boundedEvaluation(evaluation)).toEqual(evaluation);
  });

  test('given 40 evaluators with 50 issues of 3 KB each, the evaluation is bounded and names each evaluator', () => {
    const issues = Array.from({ length: 50 }, () => ({ ...ISSUE, message: 'x'.repeat(3_000) }));
    const all = Array.from({ length: 40 }, (_, index) =>
      boundedVerdict(verdict({ issues, reason: long }, `number ${index}`)),
    );
    const evaluation = boundedEvaluation(combineVerdicts(all, () => 1));
    expect(bytes(evaluation)).toBeLessThanOrEqual(EVALUATION_BYTES + 100);
    expect(evaluation.evaluators).toHaveLength(40);
    expect(evaluation.issues.at(-1)!.message).toMatch(/^\d+ more issues were left out$/);
    expect(evaluation.issues.length).toBeGreaterThan(20);
  });

  test('a text is not cut within a character, and says how much is missing', () => {
    const cut = boundedText('😀'.repeat(100), 50);
    expect(cut).toMatch(/^(😀)+ … \(150 more characters\)$/u);
    expect(cut.length).toBeLessThanOrEqual(50);
    expect(boundedText('short', 50)).toBe('short');
  });
});

describe('what a failure may tell', () => {
  test('given 60,000 problems, or one of 1.7 MB, the failure stays within its limits', () => {
    const many = boundedProblems(
      Array.from({ length: 60_000 }, (_, index) => ({ path: `/${index}`, message: 'unknown field' })),
    );
    expect(many).toHaveLength(101);
    expect(many.at(-1)).toEqual({ path: '', message: '59900 more mistakes are not listed' });
    const [one] = boundedProblems([{ path: `/${long}`, message: long }]);
    expect(bytes(one)).toBeLessThan(5_000);
    expect(boundedProblems([{ path: '/a', message: 'b' }])).toEqual([{ path: '/a', message: 'b' }]);
  });

  test('given details that are too large, the failure reports their size', () => {
    expect(boundedDetails([{ a: 1 }])).toEqual([{ a: 1 }]);
    expect(boundedDetails([long])).toEqual([{ omittedBytes: bytes([long]) }]);
  });
});

describe('the answers of a checklist that leaves questions out', () => {
  const answered = (count: number, finding: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `q${index + 1}`,
        { yes: index % 2 === 0, severity: 'major' as const, finding },
      ]),
    );
  const answersOf = (answers: ReturnType<typeof answered>) =>
    boundedVerdict(verdict({ unreadable: { reply: 'r', problem: 'p', answers } })).unreadable!.answers;

  test('stay as they are where they fit', () => {
    expect(answersOf(answered(20, 'found'))).toEqual(answered(20, 'found'));
  });

  test('lose their texts where these are too long, and no answer', () => {
    const short = answersOf(answered(500, 'é"'.repeat(2_000)))!;
    expect(Object.keys(short)).toHaveLength(500);
    expect(short['q2']).toEqual({ yes: false, severity: 'major' });
    expect(bytes(short)).toBeLessThanOrEqual(EVALUATION_BYTES);
  });

  test('are left out where even that is too much', () => {
    expect(answersOf(answered(50_000, ''))).toBeUndefined();
  });
});
