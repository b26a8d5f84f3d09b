import { RECOVERY_PROFILES, recoverySettings } from '../../src/domain/recovery';

describe('recovery profiles', () => {
  test('steady is the default', () => {
    expect(recoverySettings(undefined)).toBe(RECOVERY_PROFILES.steady);
    expect(recoverySettings('')).toBe(RECOVERY_PROFILES.steady);
    expect(recoverySettings('fast')).toBe(RECOVERY_PROFILES.fast);
  });

  test('an unknown one is named, with those that there are', () => {
    expect(() => recoverySettings('quick')).toThrow('no recovery profile "quick"; there are steady, fast');
    expect(() => recoverySettings('toString')).toThrow('no recovery profile');
  });

  test('no heartbeat is older, when it reaches the server, than half of the timeout', () => {
    for (const { heartbeatTimeoutMs, heartbeatThrottleMs } of Object.values(RECOVERY_PROFILES)) {
      expect(heartbeatThrottleMs + heartbeatTimeoutMs / 5).toBeLessThanOrEqual(heartbeatTimeoutMs / 2);
    }
  });

  test('steady leaves room for a stall of 3 s', () => {
    const { heartbeatTimeoutMs, heartbeatThrottleMs } = RECOVERY_PROFILES.steady;
    // The last heartbeat before a stall may have been on its way for a whole interval, and one more until the next.
    expect(heartbeatTimeoutMs - heartbeatThrottleMs - 500).toBeGreaterThan(3_000);
  });
});
