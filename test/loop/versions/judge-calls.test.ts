import type { CallRecord } from '../../../src/loop/contract/calls';
import { evaluationOf } from '../../../src/loop/evaluation/combine';
import { carriedState } from '../../../src/loop/moves/continue-as-new-state';
import { initialState, type PendingOutput } from '../../../src/loop/state/loop-state';
import { addJudgeCalls } from '../../../src/loop/state/notes';
import { historyEntry, reduceEvaluation, resultOf } from '../../../src/loop/versions/result';
import { withoutDetails } from '../../../src/loop/versions/truncate';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import { jsonBytes } from '../../../src/lib/json/json-bytes';
import { anEvaluation, aVersion, DEFAULT_SETTINGS } from '../../../testing/support/versions';

const KIB = 1024;
const callOf = (name: string, result = 'x'.repeat(4 * KIB)): CallRecord => ({
  name,
  arguments: { number: 'A17' },
  result,
  outcome: 'ok',
  source: 'recorded',
});
const taskOf = (index: number, part: number) => ({ index, part, plan: { name: `judge ${index}` } as never });

function pendingOutput(): PendingOutput {
  return { output: '', origin: 'draft', verdicts: [], rounds: 1, tokenUsage: NO_USAGE, warnings: [] };
}

function judgedVersion(iteration: number) {
  const evaluation = { ...anEvaluation('fail', 0.5), calls: [1, 2, 3].map(() => callOf('orders.get')) };
  return aVersion(iteration, evaluation);
}

test('the calls of judges stand in the order of the evaluators and their parts, whichever ended first', () => {
  const pending = pendingOutput();
  addJudgeCalls(pending, taskOf(10, 0), [callOf('last', '')]);
  addJudgeCalls(pending, taskOf(2, 1), [callOf('second', '')]);
  addJudgeCalls(pending, taskOf(2, 0), [callOf('first', '')]);
  addJudgeCalls(pending, taskOf(2, 0), [callOf('asked again', '')]);
  const { calls } = evaluationOf(pending, []);
  expect(calls!.map(({ name, evaluator }) => [name, evaluator])).toEqual([
    ['first', 'judge 2'],
    ['asked again', 'judge 2'],
    ['second', 'judge 2'],
    ['last', 'judge 10'],
  ]);
  expect(evaluationOf(pendingOutput(), [])).not.toHaveProperty('calls');
});

test('an evaluation has 16 KiB of calls, and counts those that left no room', () => {
  const pending = pendingOutput();
  for (let part = 0; part < 100; part += 1) {
    addJudgeCalls(
      pending,
      taskOf(0, part),
      [1, 2, 3].map((number) => callOf(`${part}.${number}`)),
    );
  }
  const { calls, callsOmitted } = evaluationOf(pending, []);
  expect(jsonBytes(calls)).toBeLessThanOrEqual(16 * KIB);
  expect(calls!.length + callsOmitted!).toBe(300);
  expect(calls!.at(-1)).toEqual({ ...callOf('99.3'), evaluator: 'judge 0' });
});

test('all versions of a result, and of a handover, have 32 KiB of calls of judges', () => {
  const versions = Array.from({ length: 40 }, (_, index) => judgedVersion(index + 1));
  const state = { ...initialState(0), versions, bestIteration: 3, stopped: { reason: 'max_iterations' as const } };
  const { history, finalEvaluation } = resultOf(state, DEFAULT_SETTINGS, 0);
  const preparation = { settings: DEFAULT_SETTINGS, searchAttributes: false, evaluators: [], actionNeeds: {} };
  const spec = { generator: { action: 'llm.call' as const }, evaluator: [] };
  const carried = carriedState(spec, preparation, state);
  for (const kept of [history.versions, carried.versions]) {
    const all = kept.flatMap(({ evaluation }) => evaluation.calls ?? []);
    expect(jsonBytes(all)).toBeLessThanOrEqual(33 * KIB);
    expect(kept.find(({ iteration }) => iteration === 3)!.evaluation.calls).toEqual(versions[2]!.evaluation.calls);
  }
  expect(finalEvaluation!.calls).toHaveLength(3);
});

test('details are dropped with their calls, which are counted; templates and small payloads do without them', () => {
  const { evaluation } = withoutDetails(judgedVersion(1));
  expect(evaluation).not.toHaveProperty('calls');
  expect(evaluation.callsOmitted).toBe(3);
  expect(historyEntry(judgedVersion(1)).evaluation).not.toHaveProperty('calls');
  const large = { ...judgedVersion(1).evaluation, reason: 'x'.repeat(1_940_000) };
  const reduced = reduceEvaluation(large, DEFAULT_SETTINGS);
  expect(reduced.calls!.map(({ result, resultBytes }) => [result, resultBytes])).toEqual(
    [1, 2, 3].map(() => [undefined, 4 * KIB]),
  );
});
