import { beatInterval } from '../../../src/activities/execution/heartbeat';
import {
  HEARTBEAT_THROTTLE_MS,
  heartbeatsOf,
  heartbeatTimeoutOf,
  RECOVERY_PROFILES,
  recoverySettings,
} from '../../../src/lib/limits/recovery';

describe('recovery profiles', () => {
  test('standard is the default', () => {
    expect(recoverySettings(undefined)).toBe(RECOVERY_PROFILES.standard);
    expect(recoverySettings('')).toBe(RECOVERY_PROFILES.standard);
    expect(recoverySettings('steady')).toBe(RECOVERY_PROFILES.steady);
    expect(recoverySettings('fast')).toBe(RECOVERY_PROFILES.fast);
  });

  test('an unknown one is named, with those that there are', () => {
    expect(() => recoverySettings('quick')).toThrow('no recovery profile "quick"; there are standard, steady, fast');
    expect(() => recoverySettings('toString')).toThrow('no recovery profile');
  });

  test('standard: at most one heartbeat in 20 s, and a death is noticed within 30 s', () => {
    const { heartbeatTimeoutMs } = RECOVERY_PROFILES.standard;
    expect(heartbeatTimeoutMs).toBeLessThanOrEqual(30_000);
    expect(beatInterval(1, heartbeatTimeoutMs)).toBeGreaterThanOrEqual(20_000);
    // A stall of 9 s between the last heartbeat and the timeout, whoever holds heartbeats back: the SDK does for 80 %.
    expect(beatInterval(1_000, heartbeatTimeoutMs) + 9_000).toBeLessThan(heartbeatTimeoutMs);
    expect(heartbeatTimeoutMs * 0.8 + 5_000).toBeLessThan(heartbeatTimeoutMs);
  });

  test('workers of ours hold back no heartbeat that is due', () => {
    for (const { heartbeatTimeoutMs } of Object.values(RECOVERY_PROFILES)) {
      expect(HEARTBEAT_THROTTLE_MS).toBeLessThan(beatInterval(1, heartbeatTimeoutMs));
    }
  });

  test('steps have 5 s at least, because they share their worker with checks, and model calls what the profile says', () => {
    expect(heartbeatsOf(RECOVERY_PROFILES.fast)).toEqual({ heartbeatMs: 1_000, stepHeartbeatMs: 5_000 });
    expect(heartbeatsOf(RECOVERY_PROFILES.steady)).toEqual({ heartbeatMs: 5_000, stepHeartbeatMs: 5_000 });
    expect(heartbeatsOf(RECOVERY_PROFILES.standard)).toEqual({ heartbeatMs: 30_000, stepHeartbeatMs: 30_000 });
  });

  test('on a worker that holds back heartbeats for long, steps have the time of standard', () => {
    expect(heartbeatsOf(RECOVERY_PROFILES.steady, 60_000)).toEqual({ heartbeatMs: 5_000, stepHeartbeatMs: 30_000 });
    expect(heartbeatsOf(RECOVERY_PROFILES.steady, 1_000)).toEqual({ heartbeatMs: 5_000, stepHeartbeatMs: 5_000 });
    expect(heartbeatsOf(RECOVERY_PROFILES.standard, 60_000).stepHeartbeatMs).toBe(30_000);
  });

  test('a run that was told nothing has the timeout of standard', () => {
    expect(heartbeatTimeoutOf({}, true)).toBe(30_000);
    expect(heartbeatTimeoutOf({ heartbeatMs: 1_000 }, false)).toBe(1_000);
    expect(heartbeatTimeoutOf({ heartbeatMs: 1_000, stepHeartbeatMs: 5_000 }, false)).toBe(5_000);
  });
});
