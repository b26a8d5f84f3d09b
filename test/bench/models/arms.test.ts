import { runPlain, fits, PLAIN_ARMS, type Ask } from '../../../testing/models/bench/arms';
import { chosenTasks } from '../../../testing/models/bench/choose';
import { revisionSpecOf, specOf } from '../../../testing/models/bench/ours';
import { estimateMean, estimateRate } from '../../../src/apps/experiment/statistics';
import { NO_USAGE } from '../../../src/lib/base/tokens';
import { parseSpec } from '../../../src/loop/parse/spec';
import { Chance } from '../../../testing/policy/random';
import { promptOf } from '../../../testing/models/task';
import { allTasks } from '../../../testing/models/tasks';

const tasks = allTasks();
const order = tasks.find(({ id }) => id === 'extraction-order-1')!;

/** Answers one text after the other, and keeps what it was asked. */
function asked(...replies: string[]): { ask: Ask; calls: Parameters<Ask>[] } {
  const calls: Parameters<Ask>[] = [];
  const ask: Ask = async (...call) => {
    calls.push(call);
    return { text: replies.shift()!, cutOff: false, usage: { ...NO_USAGE, modelCalls: 1 } };
  };
  return { ask, calls };
}

const [wrongKind] = [JSON.stringify({ ...JSON.parse(order.samples.right), shipping: 'bike' })];

test('the first prompt of every arm is the same, and only the arm with the schema sends it', async () => {
  for (const [name, arm] of Object.entries(PLAIN_ARMS)) {
    const { ask, calls } = asked(order.samples.right);
    const made = await runPlain(arm, order, ask, 4);
    expect(made).toMatchObject({ output: order.samples.right, usage: { modelCalls: 1 } });
    expect(calls[0]).toEqual([
      promptOf(order),
      { temperature: arm.temperature, maxTokens: 500, ...(name === 'schema' && { schema: order.schema }) },
    ]);
  }
  const { task, state } = specOf(order, { calls: 4, temperature: 0 });
  expect(`${task}\n\n${String(state!['source'])}`).toBe(promptOf(order));
});

test('samples: the best is returned, by the share of checks that it passes', async () => {
  const { ask, calls } = asked('nothing', wrongKind!, 'nothing');
  const { output, usage } = await runPlain(PLAIN_ARMS['best-of-n'], order, ask, 3);
  expect({ output, calls: usage.modelCalls }).toEqual({ output: wrongKind, calls: 3 });
  expect(new Set(calls.map(([prompt]) => prompt)).size).toBe(1);
});

test('retries: the prompt has the last output and what is wrong with it, and the last output is returned', async () => {
  const { ask, calls } = asked(wrongKind!, 'nothing');
  const { output } = await runPlain(PLAIN_ARMS.retry, order, ask, 2);
  expect(output).toBe('nothing');
  expect(calls[1]![0]).toContain(wrongKind);
  expect(calls[1]![0]).toMatch(/- \/shipping: .*standard/);
  expect(calls[1]![0].startsWith(promptOf(order))).toBe(true);
});

test('no arm makes more calls than the budget, and a schema goes along only where there is one', async () => {
  const { ask, calls } = asked('no', 'no', 'no');
  await runPlain(PLAIN_ARMS.retry, order, ask, 1);
  expect(calls).toHaveLength(1);
  expect(tasks.filter((task) => fits('schema', task)).map(({ kind }) => kind)).toEqual(Array(24).fill('extraction'));
});

test('the spec of every task is one that a worker takes', () => {
  for (const task of tasks) {
    for (const made of [specOf, revisionSpecOf]) {
      expect(() => parseSpec(made(task, { calls: 4, temperature: 0 }))).not.toThrow();
    }
  }
});

test('the arm of the built-in revision names no corrector, strategy or rule that stops', () => {
  const spec = revisionSpecOf(order, { calls: 4, temperature: 0 });
  expect(Object.keys(spec).filter((key) => ['corrector', 'revision', 'convergence'].includes(key))).toEqual([]);
  expect(spec).toMatchObject({ budget: { modelCalls: 4 }, generator: { temperature: 0 } });
});

test('tasks are chosen by number, of all kinds in turn, or by name', () => {
  const kinds = chosenTasks(tasks, '6', 3).map(({ kind }) => kind);
  expect(kinds).toEqual(['extraction', 'extraction', 'rewriting', 'rewriting', 'code', 'summary']);
  const ids = (seed: number) => chosenTasks(tasks, '6', seed).map(({ id }) => id);
  expect(ids(3)).toEqual(ids(3));
  expect(ids(3)).not.toEqual(ids(4));
  expect(chosenTasks(tasks, '1000', 1)).toHaveLength(60);
  expect(chosenTasks(tasks, 'code,extraction-order-1', 1)).toHaveLength(13);
  expect(() => chosenTasks(tasks, 'code,poems', 1)).toThrow('There is no task or kind poems.');
});

/** From R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, 1998, table I. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('the interval of %d of %d is the published one', (count, of, low, high) => {
  const found = estimateRate(count, of);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

test('the interval of a mean is that of the normal distribution for many values, nothing for equal ones, and repeats', () => {
  const chance = new Chance(5);
  const values = Array.from({ length: 400 }, () => 10 + chance.normal());
  const { value, low, high } = estimateMean(values, 1);
  expect(high - value).toBeCloseTo(1.96 / Math.sqrt(400), 1);
  expect(value - low).toBeCloseTo(1.96 / Math.sqrt(400), 1);
  expect(estimateMean(values, 1)).toEqual({ value, low, high });
  expect(estimateMean([3, 3, 3], 1)).toEqual({ value: 3, low: 3, high: 3 });
});

test('the interval of a mean has the true one in it nineteen times of twenty', () => {
  const chance = new Chance(6);
  const held = Array.from({ length: 100 }, (_, seed) => {
    const { low, high } = estimateMean(
      Array.from({ length: 40 }, () => chance.normal()),
      seed,
    );
    return low <= 0 && 0 <= high;
  }).filter(Boolean).length;
  expect(held / 100).toBeGreaterThan(0.9);
  expect(held / 100).toBeLessThan(0.99);
});
