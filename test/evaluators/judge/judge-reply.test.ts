import { isProblem } from '../../../src/evaluators/replies/words';
import { judgementOfFields, readJudgement, readJudgeReply } from '../../../src/evaluators/judge/judge-reply';
import type { Judgement } from '../../../src/loop/state/evaluation';
import { expectWithin } from '../../../testing/support/processor-time';

function judgement(reply: string | object, threshold = 0.8): Partial<Judgement> {
  const fields = readJudgeReply(typeof reply === 'string' ? reply : JSON.stringify(reply));
  if (isProblem(fields)) throw new Error(`unreadable: ${fields.problem}`);
  return judgementOfFields(fields, threshold, 'judge');
}

function problem(reply: string | object): string | undefined {
  const fields = readJudgeReply(typeof reply === 'string' ? reply : JSON.stringify(reply));
  return isProblem(fields) ? fields.problem : undefined;
}

describe('which outcome a reply means', () => {
  test.each<[object, string, number]>([
    [{ valid: true, score: 0.9 }, 'pass', 0.9],
    [{ valid: false, score: 0.9 }, 'fail', 0.9],
    [{ valid: true, score: 0.1 }, 'pass', 0.1],
    [{ valid: true }, 'pass', 1],
    [{ valid: false }, 'fail', 0],
    [{ valid: null, score: 0.8 }, 'pass', 0.8],
    [{ score: 0.79 }, 'fail', 0.79],
    [{ score: 0 }, 'fail', 0],
    [{ pass: true }, 'pass', 1],
    [{ passed: false }, 'fail', 0],
    [{ satisfactory: true, overall_score: 0.85 }, 'pass', 0.85],
    [{ is_valid: 'yes', Score: '0.8' }, 'pass', 0.8],
    [{ verdict: 'FAIL', score: '7/10' }, 'fail', 0.7],
    [{ score: '90%' }, 'pass', 0.9],
    [{ score: '9 out of 10' }, 'pass', 0.9],
    [{ evaluation: { valid: true, score: 1 } }, 'pass', 1],
  ])('%j', (reply, outcome, score) => {
    expect(judgement(reply)).toMatchObject({ outcome, score });
  });

  test('the threshold is the spec’s', () => {
    expect(judgement({ score: 0.6 }, 0.6).outcome).toBe('pass');
    expect(judgement({ score: 0.6 }, 0.61).outcome).toBe('fail');
  });

  test.each<[string | object, string]>([
    [{ score: 8 }, 'not between 0 and 1'],
    [{ score: -0.1 }, 'not between 0 and 1'],
    [{ score: 1.01 }, 'not between 0 and 1'],
    [{ valid: true, score: 85 }, 'not between 0 and 1'],
    [{ score: 'NaN' }, 'not between 0 and 1'],
    [{ score: '11/10' }, 'not between 0 and 1'],
    [{ score: '1/0' }, 'not between 0 and 1'],
    [{ score: [0.5] }, 'not between 0 and 1'],
    ['Score: 7', 'not between 0 and 1'],
    ['Verdict: pass\nScore: NaN', 'not between 0 and 1'],
    [{ valid: null, score: null }, 'neither'],
    [{ reason: 'good' }, 'neither'],
    [{ valid: 'perhaps' }, 'neither yes nor no'],
    [{ valid: 1 }, 'neither yes nor no'],
    [{ valid: true, pass: false }, 'more than one verdict'],
    ['', 'neither'],
    ['APPROVED, this is excellent!', 'neither'],
    ['The output is valid and passes.', 'neither'],
    ['The output says {"valid": true}, but my judgement is {"valid": false}.', 'differ'],
    ['Verdict: pass\nVerdict: fail', 'differ'],
    ['Verdict: pass or fail\nScore: 0 to 1', 'neither'],
    ['Verdict: pass | fail', 'neither'],
    ['Verdict: not pass', 'neither yes nor no'],
  ])('cannot be told from %j', (reply, message) => {
    expect(problem(reply)).toContain(message);
  });
});

describe('where a reply hides its judgement', () => {
  test.each([
    ['Let me think.\n```json\n{"valid": false, "reason": "short"}\n```'],
    ['My judgement:\n{"valid": false, "reason": "short"}.'],
    ['<think>Perhaps {"valid": true}? No.</think>{"valid": false, "reason": "short"}'],
    ['It does not do it.\n\n**Verdict:** fail\nReason: short'],
    ['## Verdict: FAILED.\n\nReason: short'],
    ['Score: 0.4\n\nReason: short'],
    ['Final score: 4/10\nReason: short'],
    ['Passed: no\nReason: short'],
  ])('%j is a failure with its reason', (reply) => {
    expect(judgement(reply)).toMatchObject({ outcome: 'fail', reason: 'short', issues: [{ message: 'short' }] });
  });

  test('reads lists of issues and suggestions that were written as lines', () => {
    const reply = [
      'The text is weak.',
      'Verdict: fail',
      'Score: 55%',
      'Reason: it misses the point',
      'Issues:',
      '- No title',
      '2. Too long',
      'Suggestions:',
      '- none',
      '* Add a title',
    ].join('\n');
    expect(judgement(reply)).toMatchObject({
      outcome: 'fail',
      score: 0.55,
      reason: 'it misses the point',
      issues: [{ message: 'No title' }, { message: 'Too long' }],
      suggestions: ['Add a title'],
    });
  });
});

describe('what else a reply says', () => {
  test('issues keep what they say, under any of the usual names', () => {
    const { issues } = judgement({
      valid: false,
      errors: [
        'plain text',
        { message: 'wrong', path: '/a/0', criterion: 'style', severity: 'HIGH', suggestion: 'mend it' },
        { description: 'elsewhere', location: 'line 3', fix: 'move it', severity: 'odd' },
        { nothing: 1 },
        '',
      ],
    });
    expect(issues).toEqual([
      { message: 'plain text', evaluator: 'judge' },
      {
        message: 'wrong',
        path: '/a/0',
        criterion: 'style',
        severity: 'major',
        suggestion: 'mend it',
        evaluator: 'judge',
      },
      { message: 'line 3: elsewhere', suggestion: 'move it', evaluator: 'judge' },
    ]);
  });

  test('a failure always has an issue to act on', () => {
    expect(judgement({ valid: false, feedback: 'too vague' }).issues).toEqual([
      { message: 'too vague', evaluator: 'judge' },
    ]);
    expect(judgement({ valid: false }).issues).toHaveLength(1);
    expect(judgement({ valid: true }).issues).toEqual([]);
  });

  const WHY = 'the total does not match the lines';
  test.each<[string, object, string[]]>([
    ['a list', { reason: [WHY, 'no date'] }, [`${WHY}; no date`]],
    ['a map', { reason: { total: WHY } }, [`total: ${WHY}`]],
    ['issues as a map', { issues: { total: WHY, date: 'missing' } }, [`total: ${WHY}`, 'date: missing']],
    [
      'issues with other names',
      {
        issues: [
          { type: 'total', detail: WHY },
          { id: 1, title: WHY },
        ],
      },
      [`total: ${WHY}`, WHY],
    ],
    ['another name', { analysis: WHY }, [`analysis: ${WHY}`]],
    ['several names', { strengths: ['short'], weaknesses: [WHY] }, [`strengths: short; weaknesses: ${WHY}`]],
    [
      'issues under another name',
      { reason: 'see below', findings: [{ note: WHY }] },
      [`see below; findings: note: ${WHY}`],
    ],
    ['nothing but numbers', { total: 41, checked: true }, ['The judge rejected the output without saying why.']],
  ])('the reason of a rejection is kept as %s', (_what, said, messages) => {
    expect(judgement({ valid: false, score: 0.3, ...said }).issues!.map(({ message }) => message)).toEqual(messages);
  });

  test.each<[unknown]>(
    [
      'None',
      'none.',
      'N/A',
      'No issues found.',
      '-',
      '',
      'no issues',
      'null',
      'No major problems were identified',
    ].flatMap((nothing) => [[nothing], [[nothing]], [[{ message: nothing, severity: 'none' }]]]),
  )('issues that are %j are none', (issues) => {
    expect(judgement({ valid: true, score: 0.97, issues, suggestions: issues })).toMatchObject({
      issues: [],
      suggestions: [],
    });
    expect(judgement({ valid: false, issues, reason: 'thin' }).issues).toEqual([
      { message: 'thin', evaluator: 'judge' },
    ]);
  });

  test.each([
    'None of the totals match',
    'No date',
    'no issues with style, but the sum is wrong',
    'Nothing works here',
  ])('%j is an issue', (message) => {
    expect(judgement({ valid: false, issues: [message] }).issues).toMatchObject([{ message }]);
  });

  test.each<[unknown, number]>([
    [0.95, 0.95],
    ['80%', 0.8],
    [7, 0.7],
    [-1, 0.7],
    ['high', 0.7],
    [null, 0.7],
    [undefined, 0.7],
  ])('a confidence of %j counts as %d', (confidence, expected) => {
    expect(judgement({ valid: true, confidence }).confidence).toBe(expected);
  });

  test('what a reply says at length is cut', () => {
    const { issues, reason } = judgement({
      valid: false,
      reason: 'r'.repeat(10_000),
      issues: Array.from({ length: 60 }, () => 'm'.repeat(1_400)),
    });
    expect([issues!.length, issues![0]!.message.length, reason!.length]).toEqual([50, 1_000, 4_000]);
  });

  test('a hostile reply is read in linear time', async () => {
    const replies = [
      '{"valid":'.repeat(100_000),
      'Verdict: '.repeat(100_000),
      `Score:${' '.repeat(500_000)}x`,
      '-'.repeat(500_000),
    ];
    for (const found of await expectWithin(2_000, () => replies.map((reply) => problem(reply)))) {
      expect(found).toBeDefined();
    }
  });
});

describe('the score of a verdict that gives none', () => {
  const score = (valid: boolean, severities: (string | null)[]): number | null => {
    const issues = severities.map((severity, index) => ({ message: `fault ${index + 1}`, severity }));
    const read = readJudgement(JSON.stringify({ valid, score: null, issues }), 0.8, 'judge');
    if (isProblem(read)) throw new Error(read.problem);
    return read.score;
  };

  test.each<[boolean, (string | null)[], number]>([
    [true, [], 1],
    [false, [], 0],
    [true, ['minor', 'minor'], 0.9],
    [true, Array.from({ length: 9 }, () => 'minor'), 0.8],
    [false, ['minor'], 0.95 * 0.8],
    [false, ['major', 'minor'], 0.7 * 0.8],
    [false, [null], 0.75 * 0.8],
    [false, ['critical', 'critical', 'minor'], 0],
  ])('valid: %j with issues of %j scores %d', (valid, severities, expected) => {
    expect(score(valid, severities)).toBeCloseTo(expected);
  });

  test('with each fault less, a rejected version scores higher, and never reaches the threshold', () => {
    const scores = [4, 3, 2, 1].map((count) =>
      score(
        false,
        Array.from({ length: count }, () => 'major'),
      )!,
    );
    expect(scores.every((each, index) => index === 0 || each > scores[index - 1]!)).toBe(true);
    expect(Math.max(...scores)).toBeLessThan(0.8);
  });
});
