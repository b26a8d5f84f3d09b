import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beatInterval, withHeartbeat } from '../../../src/activities/execution/heartbeat';
import { HEARTBEAT_THROTTLE_MS, RECOVERY_PROFILES } from '../../../src/lib/limits/recovery';

test('a call alone beats often, and many together no more than a hundred times a second', () => {
  expect(beatInterval(1, 5_000)).toBe(1_000);
  expect(beatInterval(100, 5_000)).toBe(1_000);
  expect(beatInterval(150, 5_000)).toBe(1_500);
  expect(beatInterval(1, 1_000)).toBe(200);
  expect(beatInterval(1, 30_000)).toBe(20_000);
  expect(beatInterval(2_000, 30_000)).toBe(20_000);
});

test('however many calls there are, a stall of three seconds fits between the last beat and the timeout', () => {
  const { heartbeatTimeoutMs } = RECOVERY_PROFILES.steady;
  const longest = Math.max(beatInterval(10_000, heartbeatTimeoutMs), HEARTBEAT_THROTTLE_MS);
  expect(longest + 3_000).toBeLessThan(heartbeatTimeoutMs);
  expect(beatInterval(10_000, 1_000)).toBeLessThan(400);
});

test('work that goes on after its activity was cancelled beats no more', async () => {
  const activity = new MockActivityEnvironment({ heartbeatTimeoutMs: 50 });
  const beats: unknown[] = [];
  activity.on('heartbeat', (details: unknown) => beats.push(details));
  let rememberLate: ((details: object) => void) | undefined;
  const run = activity.run(() =>
    withHeartbeat((_signal, remember) => {
      remember({ begun: true });
      rememberLate = remember;
      return new Promise(() => undefined);
    }),
  );
  activity.cancel();
  await expect(run).rejects.toThrow('CANCELLED');
  const before = beats.length;
  rememberLate!({ late: true });
  await sleep(100);
  expect(beats).toHaveLength(before);
  expect(before).toBeGreaterThan(0);
});
