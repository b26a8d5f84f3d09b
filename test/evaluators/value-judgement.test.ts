import { issueKey } from '../../src/loop/state/evaluation';
import { judgementOfValue } from '../../src/evaluators/value-judgement';

const read = (value: unknown) =>
  judgementOfValue(value, { name: 'check', what: 'action "check"', qualityThreshold: 0.8 });

describe('what code returns as a judgement', () => {
  test.each<[unknown, 'pass' | 'fail', number, string[]]>([
    [true, 'pass', 1, []],
    [false, 'fail', 0, ['action "check" rejected the output without saying why.']],
    [0.8, 'pass', 0.8, []],
    [1, 'pass', 1, []],
    [0, 'fail', 0, ['action "check" scored the output 0, and 0.8 is needed.']],
    [0.79, 'fail', 0.79, ['action "check" scored the output 0.79, and 0.8 is needed.']],
    [[true, 'well done'], 'pass', 1, []],
    [[false, 'no age'], 'fail', 0, ['no age']],
    [[false, ['no age', 'no name']], 'fail', 0, ['no age', 'no name']],
    [[false, null], 'fail', 0, ['action "check" rejected the output without saying why.']],
    [[0.5, 'so so'], 'fail', 0.5, ['so so']],
    [{ valid: true }, 'pass', 1, []],
    [{ pass: false, errors: ['a', { message: 'b', path: '/b' }] }, 'fail', 0, ['a', 'b']],
    [{ satisfactory: true, score: 0.3 }, 'pass', 0.3, []],
    [{ score: 0.9, issues: ['a trifle'] }, 'pass', 0.9, ['a trifle']],
    [{ score: 0.2, reason: 'thin' }, 'fail', 0.2, ['thin']],
    [{ valid: false, detail: 'no date', ms: 12 }, 'fail', 0, ['detail: no date']],
    [{ valid: false, issues: { date: 'missing' } }, 'fail', 0, ['date: missing']],
    [{ score: 0.9, cached: false, attempts: 3, model: 'm' }, 'pass', 0.9, []],
    [{ kind: 'answer', evaluation: { valid: true, score: 0.9 } }, 'pass', 0.9, []],
    [{ outcome: 'fail', overallScore: 0.4, issues: [{ message: 'x', evaluator: 'other' }] }, 'fail', 0.4, ['x']],
  ])('%j: %s', (value, outcome, score, messages) => {
    const judgement = read(value);
    expect([judgement.outcome, judgement.score]).toEqual([outcome, score]);
    expect(judgement.issues.map(({ message }) => message)).toEqual(messages);
    expect(judgement.issues.every(({ evaluator }) => evaluator === 'check')).toBe(true);
    expect(judgement.confidence).toBe(1);
  });

  test.each<[unknown, true | undefined]>([
    [{ message: 'no price', missingInformation: true }, true],
    [{ message: 'no price', missing_information: 'yes' }, true],
    [{ message: 'no price', missingInformation: false }, undefined],
    [{ message: 'no price', missingInformation: 'perhaps' }, undefined],
    [{ message: 'no price' }, undefined],
  ])('an issue that lacks information says so: %j', (issue, missing) => {
    expect(read({ valid: false, issues: [issue] }).issues[0]!.missingInformation).toBe(missing);
  });

  test.each<[object, object]>([
    [
      { path: 'email', type: 'format' },
      { message: 'bad', path: 'email', type: 'format' },
    ],
    [
      { path: '/email', type: 'score' },
      { message: 'bad', path: '/email', type: 'score' },
    ],
    [
      { path: '', type: '' },
      { message: 'bad', path: '' },
    ],
    [{ path: ['a', 0], type: 3 }, { message: 'bad' }],
    [{ location: 'line 3' }, { message: 'line 3: bad' }],
  ])('path and type of an issue are what code says: %j', (issue, wanted) => {
    const { issues } = read({ valid: false, errors: [{ message: 'bad', ...issue }] });
    expect(issues).toEqual([{ ...wanted, evaluator: 'check' }]);
  });

  test('issues that code calls scores are told apart by their words, and not by their numbers', () => {
    const keyOf = (message: string) =>
      issueKey(read({ valid: false, errors: [{ message, type: 'score' }] }).issues[0]!);
    expect(keyOf('tone 0.4')).toBe(keyOf('Tone 0.55'));
    expect(keyOf('tone 0.4')).not.toBe(keyOf('length 0.4'));
  });

  test.each<[unknown, RegExp]>([
    [Number.NaN, /returned NaN, which is not between 0 and 1/],
    [Infinity, /Infinity/],
    [1.2, /1\.2, which is not between 0 and 1/],
    [-0.1, /-0\.1/],
    [80, /returned 80/],
    ['true', /returned "true", which is no judgement/],
    [null, /returned null/],
    [undefined, /returned nothing/],
    [() => true, /\[object Function\]/],
    [[], /a list must be \[boolean, text\]/],
    [['yes', 'fine'], /a list must be/],
    [[true, 'a', 'b'], /a list must be/],
    [[true, 7], /a list must be/],
    [[1.5, 'great'], /1\.5/],
    [{}, /neither a verdict nor a score/],
    [{ valid: null, score: null }, /neither a verdict nor a score/],
    [{ score: Number.NaN }, /not between 0 and 1/],
    [{ score: 8 }, /score is 8, which is not between 0 and 1/],
    [{ valid: 'maybe' }, /neither yes nor no/],
    [{ score: 0.9, status: 'fail' }, /its "status" says no/],
    [{ valid: true, result: 'rejected' }, /its "result" says no/],
    [{ outcome: 'inconclusive', reason: 'no licence' }, /^no licence$/],
    [{ text: 'x'.repeat(5_000) }, /^.{100,400}$/],
  ])('%p could not be read: inconclusive, never a bad score, never clamped', (value, reason) => {
    expect(read(value)).toMatchObject({ outcome: 'inconclusive', score: null, issues: [], confidence: 0 });
    expect(read(value).reason).toMatch(reason);
  });

  test('what nests deeply costs no stack', () => {
    const deep = (open: string, close: string, count: number): unknown =>
      JSON.parse(`${open.repeat(count)}"why"${close.repeat(count)}`);
    for (const value of [deep('[', ']', 4_000), deep('{"a":', '}', 4_000)]) {
      expect(read({ valid: false, reason: 'thin', detail: value })).toMatchObject({ outcome: 'fail' });
      expect(read({ valid: false, issues: [value] })).toMatchObject({ outcome: 'fail' });
      expect(read({ wrapped: value })).toMatchObject({ outcome: 'inconclusive' });
    }
  });

  test('suggestions, confidence, scores of criteria and the share of checks go through, what is none does not', () => {
    const judgement = read({
      valid: false,
      errors: [{ message: 'long', severity: 'low', suggestion: 'cut it', criterion: 'brevity' }],
      suggestions: ['read it aloud'],
      confidence: 0.6,
      criteria_scores: { brevity: 0.2, taste: 7 },
      checksPassed: 0.5,
      metadata: { anything: true },
    });
    expect(judgement).toEqual({
      outcome: 'fail',
      score: 0,
      checksPassed: 0.5,
      criteriaScores: { brevity: 0.2 },
      issues: [{ message: 'long', severity: 'minor', suggestion: 'cut it', criterion: 'brevity', evaluator: 'check' }],
      suggestions: ['read it aloud'],
      confidence: 0.6,
    });
  });
});

test('of a thousand issues, only some more are looked at than are kept', () => {
  let looks = 0;
  const issue = (at: number) =>
    Object.defineProperty({}, 'message', {
      enumerable: true,
      get() {
        looks += 1;
        return `issue ${at}`;
      },
    });
  const value = { valid: false, score: 0.3, issues: Array.from({ length: 1_000 }, (_, at) => issue(at)) };
  const { issues } = judgementOfValue(value, { name: 'many', what: 'action "many"', qualityThreshold: 0.8 });
  expect(issues).toHaveLength(50);
  expect(looks).toBeLessThan(5_000);
});
