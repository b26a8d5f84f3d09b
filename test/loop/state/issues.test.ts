import { issueKey, resolvedIssues } from '../../../src/loop/state/evaluation';
import { reportOf } from '../../../src/loop/versions/report';
import { convergedBecause } from '../../../src/loop/moves/stop-rules';
import type { ReflectionVersion } from '../../../src/loop/state/loop-state';
import { judgementOfFields } from '../../../src/evaluators/judge/judge-reply';
import { judgementOfValue } from '../../../src/evaluators/value-judgement';
import { anEvaluation, aVersion, DEFAULT_CONVERGENCE } from '../../../testing/support/versions';

/** A version that code judged by nothing but a number. */
function numbered(iteration: number, score: number, name = 'check'): ReflectionVersion {
  const { issues } = judgementOfValue(score, { name, what: 'action "check"', qualityThreshold: 0.8 });
  const evaluation = { ...anEvaluation('fail', score), issues };
  return { ...aVersion(iteration, evaluation), origin: iteration === 1 ? 'draft' : 'regeneration' };
}

const convergence = DEFAULT_CONVERGENCE;

describe('a score that is too low, whichever it is', () => {
  test('is the same issue in the next version: nothing was resolved', () => {
    const [first, second] = [numbered(1, 0.5), numbered(2, 0.4)];
    expect(first!.evaluation.issues[0]!.message).not.toBe(second!.evaluation.issues[0]!.message);
    expect(resolvedIssues(first!.evaluation.issues, second!.evaluation.issues)).toEqual([]);
    const report = reportOf([first!, second!]);
    expect(report.issues).toMatchObject([{ firstSeen: 1, lastSeen: 2, fate: 'unresolved' }]);
    expect(report.iterations[1]).toMatchObject({ issuesNew: 0, issuesResolved: 0 });
  });

  test('is another issue with another evaluator or criterion, and mended once it is gone', () => {
    const [issue] = numbered(1, 0.5).evaluation.issues;
    const keys = [issue!, { ...issue!, evaluator: 'other' }, { ...issue!, criterion: 'speed' }].map(issueKey);
    expect(new Set(keys).size).toBe(3);
    expect(resolvedIssues([issue!], [])).toEqual([issue!.message]);
  });

  test('given a judge that only gives a score, the same holds', () => {
    const ways = [undefined, 'targeted_edit', 'incremental', 'full_rewrite'] as const;
    const climbing = [0.2, 0.4, 0.6, 0.7].map((score, index): ReflectionVersion => {
      const { issues } = judgementOfFields({ score, issues: [], suggestions: [] }, 0.8, 'llm');
      const version = aVersion(index + 1, { ...anEvaluation('fail', score), issues });
      return { ...version, output: `${index * 7_919}`, ...(ways[index] ? { strategy: ways[index] } : {}) };
    });
    expect(convergedBecause(climbing, { convergence, choosesStrategy: true })).toBeUndefined();
    const { issues } = judgementOfValue({ pass: false, score: 0.3 }, { name: 'a', what: 'b', qualityThreshold: 0.8 });
    expect(issues).toMatchObject([{ type: 'score' }]);
    expect(
      judgementOfFields({ valid: false, issues: [], suggestions: [] }, 0.8, 'llm').issues[0]!.type,
    ).toBeUndefined();
  });

  test('does not end a loop as an issue that is repeated: it may be rising', () => {
    const climbing = [0.2, 0.35, 0.5, 0.65].map((score, index) => numbered(index + 1, score));
    expect(convergedBecause(climbing, { convergence, choosesStrategy: false })).toBeUndefined();
    const flat = [0.2, 0.2, 0.2].map((score, index) => numbered(index + 1, score));
    expect(convergedBecause(flat, { convergence, choosesStrategy: false })).toBe('plateau');
  });
});
