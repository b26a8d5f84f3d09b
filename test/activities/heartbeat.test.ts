import { beatInterval } from '../../src/activities/heartbeat';
import { RECOVERY_PROFILES } from '../../src/domain/recovery';

test('D3 a call alone beats often, and many together no more than a hundred times a second', () => {
  expect(beatInterval(1, 5_000)).toBe(500);
  expect(beatInterval(100, 5_000)).toBe(1_000);
  expect(beatInterval(1, 1_000)).toBe(200);
  expect(beatInterval(1, Infinity)).toBe(500);
});

test('D3 however many calls there are, a stall of three seconds fits between the last beat and the timeout', () => {
  const { heartbeatTimeoutMs, heartbeatThrottleMs } = RECOVERY_PROFILES.steady;
  const longest = Math.max(beatInterval(10_000, heartbeatTimeoutMs), heartbeatThrottleMs);
  expect(longest + 3_000).toBeLessThan(heartbeatTimeoutMs);
  expect(beatInterval(10_000, 1_000)).toBeLessThan(400);
});
