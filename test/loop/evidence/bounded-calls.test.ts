import fc from 'fast-check';
import { jsonBytes } from '../../../src/lib/json/json-bytes';
import type { CallRecord } from '../../../src/loop/contract/calls';
import { boundCalls, keptCalls } from '../../../src/loop/evidence/bounded-calls';
import { recordOfCall } from '../../../src/loop/evidence/call-record';

const measured = { startedAt: Date.UTC(2026, 10, 26), ms: 20, attempt: 1 };
const call = (name: string, result: string): CallRecord =>
  recordOfCall({ name, arguments: '{"id":7}', result, failed: false }, measured);

test('calls that fit stay as they are', () => {
  const calls = [call('a', 'one'), call('b', 'two')];
  expect(boundCalls({ calls }, 10_000)).toEqual({ calls, callsOmitted: 0 });
});

test('the oldest results are shortened first, and the newest stay whole', () => {
  const calls = Array.from({ length: 30 }, (_, index) => call(`look_up_${index}`, `${index} ${'x'.repeat(3_000)}`));
  const bounded = boundCalls({ calls }, 24 * 1024);
  expect(bounded.callsOmitted).toBe(0);
  const kept = bounded.calls!;
  expect(kept.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
  expect(kept.at(-1)).toEqual(calls.at(-1));
  expect(kept[0]!.result?.length ?? 0).toBeLessThan(200);
  expect(kept[0]!.resultBytes).toBe(3_002);
  const lengths = kept.map(({ result = '' }) => result.length);
  expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
});

test('calls that find no room at all are left out, the oldest first, and counted', () => {
  const calls = Array.from({ length: 1_000 }, (_, index) => call(`look_up_${index}`, 'x'));
  const bounded = boundCalls({ calls, callsOmitted: 5 }, 8 * 1024);
  expect(bounded.calls!.length).toBeGreaterThan(10);
  expect(bounded.callsOmitted).toBe(1_005 - bounded.calls!.length);
  expect(bounded.calls!.at(-1)!.name).toBe('look_up_999');
});

test('calls never take more bytes than they may, none is lost uncounted, and bounding them twice changes nothing', () => {
  const made = fc.record({ name: fc.string({ minLength: 1, maxLength: 60 }), result: fc.string({ maxLength: 9_000 }) });
  fc.assert(
    fc.property(fc.array(made, { maxLength: 80 }), fc.integer({ min: 200, max: 40_000 }), (all, most) => {
      const calls = all.map(({ name, result }) => call(name, result));
      const bounded = boundCalls({ calls }, most);
      expect(jsonBytes(bounded.calls)).toBeLessThanOrEqual(most);
      expect(bounded.calls!.length + bounded.callsOmitted!).toBe(calls.length);
      expect(boundCalls(bounded, most)).toEqual(bounded);
    }),
  );
});

test('a version without calls has no field for them', () => {
  expect(keptCalls(boundCalls({}, 100))).toEqual({});
  expect(keptCalls({ calls: [], callsOmitted: 3 })).toEqual({ callsOmitted: 3 });
});

test('of many calls no more are read than may stay: a workflow bounds them once for each of its judges', () => {
  let read = 0;
  const newest = Array.from({ length: 500 }, (_, index) => call(`find_${index}`, 'x'.repeat(3_000)));
  const older = Array.from({ length: 5_000 }, () =>
    Object.defineProperty({ ...newest[0]! }, 'name', { enumerable: true, get: () => `find_${(read += 1)}` }),
  );
  const bounded = boundCalls({ calls: [...older, ...newest] }, 16 * 1024);
  expect(read).toBe(0);
  expect(bounded.callsOmitted).toBe(5_500 - bounded.calls!.length);
});
