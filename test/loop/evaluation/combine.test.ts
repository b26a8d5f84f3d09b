import { combineCriteria, type CriterionResult } from '../../../src/loop/evaluation/combine-criteria';
import { combineVerdicts } from '../../../src/loop/evaluation/combine';
import type { Verdict } from '../../../src/loop/state/evaluation';
import type { Outcome } from '../../../src/loop/contract/evaluation';

function aVerdict(name: string, outcome: Outcome, score: number | null, more: Partial<Verdict> = {}): Verdict {
  return { name, type: 'test', outcome, score, issues: [], suggestions: [], confidence: 0.5, ms: 1, ...more };
}

const evenly = () => 1;

describe('combining verdicts', () => {
  test('one fail makes fail, even beside a pass and an outage', () => {
    const verdicts = [aVerdict('a', 'pass', 1), aVerdict('b', 'inconclusive', null), aVerdict('c', 'fail', 0.2)];
    const evaluation = combineVerdicts(verdicts, evenly);
    expect(evaluation.outcome).toBe('fail');
    expect(evaluation.overallScore).toBeCloseTo(0.6);
  });

  test('an outage beside a pass is inconclusive and has no score', () => {
    const evaluation = combineVerdicts([aVerdict('a', 'pass', 1), aVerdict('b', 'inconclusive', null)], evenly);
    expect(evaluation).toMatchObject({ outcome: 'inconclusive', satisfactory: false, overallScore: null });
  });

  test('the score and the confidence are weighted means of those that judged', () => {
    const verdicts = [
      aVerdict('heavy', 'pass', 1, { confidence: 1 }),
      aVerdict('light', 'pass', 0.6, { confidence: 0 }),
    ];
    const evaluation = combineVerdicts(verdicts, (verdict) => (verdict.name === 'heavy' ? 3 : 1));
    expect(evaluation.overallScore).toBeCloseTo(0.9);
    expect(evaluation.confidence).toBeCloseTo(0.75);
  });

  test('a weight of 0 counts for the outcome and not for the score; where all have it, all count alike', () => {
    const verdicts = [
      aVerdict('silent', 'fail', 0, { confidence: 0 }),
      aVerdict('heard', 'pass', 0.8, { confidence: 1 }),
      aVerdict('away', 'inconclusive', null),
    ];
    const heard = combineVerdicts(verdicts, ({ name }) => (name === 'silent' ? 0 : 2));
    expect(heard).toMatchObject({ outcome: 'fail', overallScore: 0.8, confidence: 1 });
    expect(combineVerdicts(verdicts, () => 0)).toMatchObject({ outcome: 'fail', overallScore: 0.4, confidence: 0.5 });
    // The one that counts could not judge.
    const alone = combineVerdicts([verdicts[0]!, verdicts[2]!], ({ name }) => (name === 'silent' ? 0 : 2));
    expect(alone).toMatchObject({ outcome: 'fail', overallScore: 0 });
  });

  test('a criterion with a weight of 0 still has to reach its threshold', () => {
    const result = (name: string, weight: number, score: number): CriterionResult => {
      return { name, weight, score, threshold: 0.5, unjudged: false, confidence: 1, issues: [], suggestions: [] };
    };
    const mean = (...results: CriterionResult[]) => combineCriteria(results, 0.7, 'criteria');
    expect(mean(result('a', 0, 0.6), result('b', 1, 0.9))).toMatchObject({ outcome: 'pass', score: 0.9 });
    expect(mean(result('a', 0, 0.4), result('b', 1, 0.9))).toMatchObject({ outcome: 'fail', score: 0.9 });
    expect(mean(result('a', 0, 0.6), result('b', 0, 1))).toMatchObject({ outcome: 'pass', score: 0.8, confidence: 1 });
  });

  test('issues of all evaluators are kept, suggestions only once', () => {
    const issue = { message: 'too long', evaluator: 'a' };
    const verdicts = [
      aVerdict('a', 'fail', 0, { issues: [issue], suggestions: ['shorten it'] }),
      aVerdict('b', 'fail', 0, { issues: [{ ...issue, evaluator: 'b' }], suggestions: ['shorten it'] }),
    ];
    const evaluation = combineVerdicts(verdicts, evenly);
    expect(evaluation.issues).toHaveLength(2);
    expect(evaluation.suggestions).toEqual(['shorten it']);
  });

  test('given no verdict at all, the evaluation is inconclusive', () => {
    expect(combineVerdicts([], evenly)).toMatchObject({ outcome: 'inconclusive', overallScore: null, confidence: 0 });
  });
});
