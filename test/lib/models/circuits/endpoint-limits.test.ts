import { EndpointGate } from '../../../../src/lib/models/circuits/endpoint-limits';

describe('the limits of an endpoint', () => {
  const at = (start = 0) => {
    const clock = { now: start };
    return {
      clock,
      gate: new EndpointGate(
        () => clock.now,
        () => 0,
      ),
    };
  };

  test('as many calls at a time as are allowed; a place that is given back is free at once', () => {
    const { gate } = at();
    const leave = gate.enter('e', 'm', { concurrentCalls: 2 });
    gate.enter('e', 'm', { concurrentCalls: 2 });
    expect(() => gate.enter('e', 'm', { concurrentCalls: 2 })).toThrow(
      /limits for the endpoint of m are reached.*1\.0 s/,
    );
    // Another endpoint has places of its own.
    gate.enter('other', 'm', { concurrentCalls: 2 });
    leave(true);
    expect(() => gate.enter('e', 'm', { concurrentCalls: 2 })).not.toThrow();
  });

  test('a burst of what a second has, then evenly', () => {
    const { clock, gate } = at();
    const began: number[] = [];
    for (; clock.now < 10_000; clock.now += 10) {
      try {
        gate.enter('e', 'm', { callsPerSecond: 4 })(true);
        began.push(clock.now);
      } catch {
        // Beyond the limit: tried again 10 ms later.
      }
    }
    // Four at once, then one each quarter of a second.
    expect(began.slice(0, 4)).toEqual([0, 10, 20, 30]);
    expect(began[4]).toBeGreaterThanOrEqual(220);
    expect(began.length).toBeGreaterThanOrEqual(40);
    expect(began.length).toBeLessThanOrEqual(44);
    for (const first of began.slice(4)) {
      expect(began.filter((each) => each >= first && each < first + 1_000).length).toBeLessThanOrEqual(5);
    }
  });

  test('less than one call a second; what was not sent does not count', () => {
    const { clock, gate } = at(5_000);
    const limits = { callsPerSecond: 0.5 };
    gate.enter('e', 'm', limits)(false);
    gate.enter('e', 'm', limits)(true);
    expect(() => gate.enter('e', 'm', limits)).toThrow(/another 2\.0 s/);
    clock.now += 2_000;
    expect(() => gate.enter('e', 'm', limits)).not.toThrow();
  });
});
