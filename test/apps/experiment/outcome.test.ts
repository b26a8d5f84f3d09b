import { outcomeOf } from '../../../src/apps/experiment/outcome';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import type { ReflectionResult } from '../../../src/loop/contract/results';

const used = (modelCalls: number) => ({ ...NO_USAGE, modelCalls, totalTokens: 10 * modelCalls, usd: null });

/** A run of two calls, one of them the judge's. */
const ran = (success: boolean, overallScore: number) => ({
  success,
  finalOutput: overallScore,
  finalEvaluation: { overallScore },
  history: { finalIteration: 1, versions: [{ iteration: 1, tokenUsage: used(2), evaluationUsage: used(1) }] },
  iterationsUsed: 1,
  convergenceReason: success ? 'quality_met' : 'max_iterations',
  tokenUsage: used(2),
  executionTime: 5,
});
const run = (success: boolean, score: number) => ({
  workflowId: `run-${score}`,
  result: ran(success, score) as unknown as ReflectionResult,
});

describe('what an arm came to on a case', () => {
  test.each([
    ['single', 1],
    ['loop', 2],
  ] as const)('of %s, %d calls count', (kind, modelCalls) => {
    const outcome = outcomeOf({ name: 'arm', kind }, 'case', [run(true, 0.9)]);
    expect(outcome).toMatchObject({ passed: true, passedAt: 1, usage: { modelCalls, totalTokens: 10 * modelCalls } });
  });

  test('of samples, the best counts, and all are paid for', () => {
    const sampled = (...runs: ReturnType<typeof run>[]) => outcomeOf({ name: 'arm', kind: 'best-of-n' }, 'case', runs);
    const none = sampled(run(false, 0.4), run(false, 0.7), run(false, 0.5));
    expect(none).toMatchObject({ passed: false, output: 0.7, usage: { modelCalls: 6 }, ms: 15, iterations: 3 });
    expect(none).not.toHaveProperty('passedAt');
    expect(sampled(run(false, 0.9), run(true, 0.8))).toMatchObject({ passed: true, output: 0.8, passedAt: 2 });
  });
});
