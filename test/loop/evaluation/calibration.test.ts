import { calibrationOf } from '../../../src/loop/evaluation/calibration';
import { anEvaluation } from '../../../testing/support/versions';

const judged = (...scores: (number | null)[]) =>
  scores.map((score) =>
    score === null ? anEvaluation('inconclusive', null) : anEvaluation(score >= 0.8 ? 'pass' : 'fail', score),
  );

describe('how far a judge agrees with itself and with people', () => {
  test('consistency is the share of pairs within 0.1', () => {
    const { outputs, agreement, spread } = calibrationOf([judged(0.5, 0.6, 0.8), judged(0.9, 0.9, 0.9)]);
    expect(outputs[0]).toMatchObject({ passes: 1, fails: 2, agreement: expect.closeTo(1 / 3) });
    expect(outputs[0]!.spread).toBeCloseTo(0.3);
    expect(outputs[1]).toMatchObject({ agreement: 1, spread: 0, deviation: 0, bias: null, right: null });
    expect(agreement).toBeCloseTo(2 / 3);
    expect(spread).toBeCloseTo(0.15);
  });

  test('bias is measured against scores, and verdicts against verdicts', () => {
    const result = calibrationOf([judged(0.9, 0.7), judged(0.9, 0.2), judged(0.5, 0.5)], [0.5, false, null]);
    expect(result.outputs.map(({ bias, right }) => [bias, right])).toEqual([
      [expect.closeTo(0.3), null],
      [null, 0.5],
      [null, null],
    ]);
    expect(result).toMatchObject({ bias: expect.closeTo(0.3), error: expect.closeTo(0.3), right: 0.5 });
  });

  test('wrong outputs that passed and right ones that failed are counted, of those that were decided', () => {
    const judgements = [judged(0.9, 0.9, null), judged(0.9, 0.1), judged(0.2, 0.9), judged(0.9), judged(0.1)];
    const result = calibrationOf(judgements, [false, false, true, 0.9, null]);
    expect(result).toMatchObject({ falsePasses: { count: 3, of: 4 }, falseFails: { count: 1, of: 2 } });
    expect(calibrationOf([judged(0.9)])).toMatchObject({ falsePasses: { of: 0 }, falseFails: { of: 0 } });
  });

  test('an inconclusive judgement is counted and has no score', () => {
    const result = calibrationOf([judged(null, 0.4), judged(null, null)]);
    expect(result).toMatchObject({ judgements: 4, inconclusive: 3, agreement: null });
    expect(result.outputs[0]).toMatchObject({ mean: 0.4, agreement: null });
    expect(result.outputs[1]).toMatchObject({ mean: null, spread: null, deviation: null });
  });
});
