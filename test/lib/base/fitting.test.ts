import fc from 'fast-check';
import { populationReport, initialPopulation } from '../../../src/kinds/agents/state/population-state';
import { reduceToFit, latestWithin, jsonBytes } from '../../../src/lib/json/json-bytes';
import { initialState } from '../../../src/loop/state/loop-state';
import { pipelineResultOf } from '../../../src/kinds/pipeline/state/pipeline-progress';
import { initialPlanState, planResultOf } from '../../../src/kinds/plan/state/plan-run';
import { failedAttempts, reduceEvaluation, resultOf } from '../../../src/loop/versions/result';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

/** What the server takes. */
const PAYLOAD = 2 * 1_024 * 1_024;
const long = (length: number): string => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('what a run hands back fits into a payload', () => {
  const issues = times(1_000, (index) => ({
    message: `${index} ${long(1_500)}`,
    evaluator: 'llm',
    suggestion: long(500),
  }));

  test('of a loop: outputs, people, reports and evaluations together', () => {
    const state = initialState(0);
    const evaluation = { ...anEvaluation('fail', 0.1), issues, suggestions: times(100, () => long(5_000)) };
    state.versions = [1, 2, 3].map((iteration) => ({ ...aVersion(iteration, evaluation), output: long(1_200_000) }));
    state.bestIteration = 1;
    state.people = times(200, () => ({
      name: 'guide',
      payload: long(1_200),
      at: '2026-11-22T00:00:00.000Z',
      via: 'signal' as const,
      applied: true,
    }));
    state.stopped = { reason: 'max_iterations' };
    const result = resultOf(state, { ...DEFAULT_SETTINGS, onFailure: 'return_last' }, 1);
    expect(jsonBytes(result)).toBeLessThan(PAYLOAD);
    expect((result.finalOutput as string).length).toBe(1_200_000);
    expect(result.history).toMatchObject({ bestIteration: 1, finalIteration: 3, totalIterations: 3 });
    expect(jsonBytes(failedAttempts(state, DEFAULT_SETTINGS))).toBeLessThan(PAYLOAD);
    // Outside of histories there is room for all.
    const outside = resultOf(state, { ...DEFAULT_SETTINGS, maximumOutputBytes: 16 * 1_024 * 1_024 }, 1);
    expect((outside.bestOutput as string).length).toBe(1_200_000);
    expect(outside.history.people.length).toBe(200);
  });

  test('of an evaluation alone', () => {
    const fit = reduceEvaluation({ ...anEvaluation('fail', 0.1), issues }, DEFAULT_SETTINGS);
    expect([jsonBytes(fit) < PAYLOAD, fit.issues.length]).toEqual([true, 10]);
    const small = { ...anEvaluation('fail', 0.1), issues: issues.slice(0, 3) };
    expect(reduceEvaluation(small, DEFAULT_SETTINGS)).toBe(small);
  });

  test('of a plan: its tasks, results and evaluations', () => {
    const state = initialPlanState();
    const tasks = times(100, (index) => ({
      id: `t${index}`,
      description: 'Do it',
      step: { action: 'llm.call' as const, prompt: long(15_000) },
    }));
    state.plan = { id: 'p', tasks };
    state.results = tasks.map(({ id }) => ({ taskId: id, success: true, output: long(9_000), ms: 1 }));
    state.learned = times(100, () => long(3_000));
    const result = planResultOf(state, true, 1_900_000);
    expect(jsonBytes(result)).toBeLessThan(PAYLOAD);
    expect(result.results.map(({ output }) => (output as string).length)).toEqual(times(100, () => 9_000));
    expect(result.plan.tasks[0]).toMatchObject({ id: 't0', step: { run: expect.stringMatching(/left out/) } });
  });

  test('of a pipeline: its state, and what its nodes warned of', () => {
    const nodes = times(100, (index) => ({
      name: `n${index}`,
      action: 'run',
      status: 'done' as const,
      ms: 1,
      warnings: times(50, (each) => `${each} ${long(300)}`),
    }));
    const state = { text: long(1_850_000) };
    const tokenUsage = initialState(0).tokenUsage;
    const result = pipelineResultOf({ phase: 'done', nodes, state, tokenUsage } as never, {
      maximumStateBytes: 1_900_000,
    });
    expect([jsonBytes(result) < PAYLOAD, result.nodes.length]).toEqual([true, 100]);
    expect(result.state).toEqual(state);
  });

  test('of a population of 5,000 types', () => {
    const state = initialPopulation();
    for (const index of times(5_000, (each) => each)) state.counts.byType[`${index} ${'ä'.repeat(90)}`] = 1;
    state.reflections = times(2_000, (index) => ({ number: index + 1, insight: long(500) }) as never);
    state.counts.reflections = 2_000;
    const report = populationReport(state, 5_000);
    expect(jsonBytes(report)).toBeLessThan(PAYLOAD);
    expect(report.omitted.reflections + report.reflections.length).toBe(2_000);
  });

  test('no more is left out than must be, and the latest of a list stays', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(200), (list, most) => {
        const kept = latestWithin(list, most);
        expect(kept).toEqual(list.slice(list.length - kept.length));
        expect(kept.length === 0 || jsonBytes(kept) <= most).toBe(true);
        const [reductions, whole] = [[() => ['shorter'], () => []], reduceToFit(list, most, [])];
        expect(whole).toBe(list);
        const fit = reduceToFit<string[]>(list, most, reductions);
        expect(fit).toEqual(jsonBytes(list) <= most ? list : most >= 11 ? ['shorter'] : []);
        expect(reduceToFit<string[]>(list, Infinity, reductions)).toBe(list);
      }),
    );
  });
});
