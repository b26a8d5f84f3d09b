import { circuitLog } from '../../../../src/lib/models/circuits/circuit-log';
import {
  CIRCUIT_DEFAULTS,
  type CircuitStatus,
  ModelCircuit,
} from '../../../../src/lib/models/circuits/circuit-breaker';
import { circuitWaitOf } from '../../../../src/lib/models/circuits/not-sent';
import { ModelReplyError } from '../../../../src/lib/models/reply-error';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_700_000_000_000;

/** Numbers that look random, the same in each test. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A call that waits for its model: what it did, and when it was answered. */
interface Waiting {
  attempts: number;
  answeredAt?: number;
}

/**
 * Calls that begin within some seconds of one another in an outage, as Temporal retries them: after the wait that their error
 * says, or else with delays that grow. Time is simulated.
 */
async function outageOf(
  ms: number,
  calls: number,
  callMs: number,
): Promise<{ all: Waiting[]; lines: [number, string][]; sent: number }> {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'], now: START });
  const clock = (): number => Date.now();
  const random = numbers(calls + ms);
  const lines: [number, string][] = [];
  const log = circuitLog(({ state }) => lines.push([clock() - START, state]), clock);
  const circuit = new ModelCircuit({ provider: 'p', model: 'm' }, CIRCUIT_DEFAULTS, log, random);
  const all: Waiting[] = Array.from({ length: calls }, () => ({ attempts: 0 }));
  const due: { at: number; run: () => void }[] = [];
  const at = (time: number, run: () => void): void => {
    due.push({ at: time, run });
  };
  const signal = new AbortController().signal;
  let sent = 0;
  const attempt = async (waiting: Waiting): Promise<void> => {
    waiting.attempts += 1;
    const error = await circuit
      .call(signal, () => {
        sent += 1;
        const isDown = clock() - START < ms;
        return new Promise<string>((resolve, reject) =>
          at(clock() + callMs, () => (isDown ? reject(new ModelReplyError('Unavailable', 'down')) : resolve('up'))),
        );
      })
      .then(
        () => undefined,
        (thrown: Error) => thrown,
      );
    if (!error) waiting.answeredAt = clock() - START;
    else
      at(
        clock() + (circuitWaitOf(error) ?? Math.min(1_000 * 2 ** (waiting.attempts - 1), 30_000)),
        () => void attempt(waiting),
      );
  };
  for (const waiting of all) at(START + random() * 5_000, () => void attempt(waiting));
  while (all.some(({ answeredAt }) => answeredAt === undefined)) {
    due.sort((one, other) => other.at - one.at);
    const next = due.pop()!;
    jest.advanceTimersByTime(next.at - clock());
    next.run();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
  jest.useRealTimers();
  return { all, lines, sent };
}

const later = ({ answeredAt }: Waiting, ms: number): number => answeredAt! - ms;

describe.each([
  [24, HOUR, 200],
  [24, HOUR - 100_000, 30_000],
  [100, HOUR, 200],
  [24, 10 * MINUTE, 200],
  [8, HOUR, 1_000],
])('%p calls that wait for a model in an outage of %p ms, whose calls fail after %p ms', (calls, ms, callMs) => {
  test('come back later and later, and soon after its end', async () => {
    const { all, lines, sent } = await outageOf(ms, calls, callMs);
    // The last is the one that is answered.
    expect(Math.max(...all.map(({ attempts }) => attempts - 1))).toBeLessThanOrEqual(20);
    const waits = all.map((each) => later(each, ms)).sort((one, other) => one - other);
    expect(waits[0]).toBeLessThan(MINUTE + callMs);
    expect(waits[Math.ceil(calls * 0.95) - 1]).toBeLessThan(5 * MINUTE + callMs);
    expect(sent).toBeLessThan(calls * 4 + ms / 20_000);
    const times = lines.map(([time]) => time);
    times.slice(1).forEach((time, index) => expect(time - times[index]!).toBeGreaterThanOrEqual(MINUTE));
    expect(lines[0]![1]).toBe('open');
    expect(lines.length).toBeLessThanOrEqual((ms + 6 * MINUTE) / MINUTE + 1);
  });
});

test.each([1, 2, 3])('%p calls use at most 20 attempts up in an outage of an hour', async (calls) => {
  const { all } = await outageOf(HOUR, calls, 200);
  expect(Math.max(...all.map(({ attempts }) => attempts - 1))).toBeLessThanOrEqual(20);
  expect(Math.max(...all.map((each) => later(each, HOUR)))).toBeLessThan(5 * MINUTE);
});

test('an outage of some seconds is over soon', async () => {
  const { all } = await outageOf(12_000, 24, 200);
  expect(Math.max(...all.map((each) => later(each, 12_000)))).toBeLessThan(45_000);
});

test('a log has a line about a model a minute at most, and says how it is in the end', () => {
  jest.useFakeTimers();
  const told: string[] = [];
  const log = circuitLog(
    ({ model, state }) => told.push(`${model} ${state}`),
    () => Date.now(),
  );
  const change = (state: CircuitStatus['state'], model = 'm'): void =>
    log({ provider: 'p', model, state, failures: 0, opened: 0 });
  change('open');
  change('open', 'other');
  expect(told).toEqual(['m open', 'other open']);
  for (let second = 0; second < 59; second += 1) {
    change('half-open');
    change(second % 2 === 0 ? 'open' : 'closed');
    jest.advanceTimersByTime(1_000);
  }
  change('closed');
  expect(told).toHaveLength(2);
  jest.advanceTimersByTime(1_000);
  expect(told.slice(2)).toEqual(['m closed']);
  jest.advanceTimersByTime(10 * MINUTE);
  expect(told).toHaveLength(3);
  jest.useRealTimers();
});

test('a change that is told before the timer of an earlier one is the last word', () => {
  jest.useFakeTimers();
  const told: string[] = [];
  let now = 0;
  const log = circuitLog(
    ({ state }) => told.push(state),
    () => now,
  );
  const change = (state: CircuitStatus['state']): void =>
    log({ provider: 'p', model: 'm', state, failures: 0, opened: 0 });
  change('closed');
  change('open');
  // A busy process runs its timers late.
  now = MINUTE;
  change('closed');
  jest.advanceTimersByTime(10 * MINUTE);
  expect(told).toEqual(['closed', 'closed']);
  jest.useRealTimers();
});

test('an outage does not begin with a failure of days before', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'], now: START });
  const circuit = new ModelCircuit({ provider: 'p', model: 'm' }, CIRCUIT_DEFAULTS);
  const fail = (): Promise<unknown> =>
    circuit
      .call(new AbortController().signal, () => Promise.reject(new ModelReplyError('Unavailable', 'down')))
      .catch((error: unknown) => error);
  await fail();
  jest.setSystemTime(START + 72 * HOUR);
  const errors: unknown[] = [];
  for (let call = 1; call < CIRCUIT_DEFAULTS.failures; call += 1) errors.push(await fail());
  expect(circuit.status.state).toBe('open');
  expect(circuitWaitOf(errors.at(-1))).toBeLessThan(15_000);
  jest.useRealTimers();
});
