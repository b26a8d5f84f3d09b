/** How soon a run goes on after its worker died, against how long a worker may stall without being taken for dead. */
export interface RecoverySettings {
  /** A call whose worker sent no heartbeat for so long is made again. */
  heartbeatTimeoutMs: number;
  /** How often heartbeats reach the server at most, and so how soon an abort reaches a call. */
  heartbeatThrottleMs: number;
  /** How long a decision waits for the worker that has the run in its memory before any other worker may take it. */
  stickyMs: number;
}

/**
 * `steady`: survives an event loop that stands still for 3 s; the next call comes within 6 s of a restart. `fast`: within
 * 1.5 s, but a stall of half a second may pay for a call twice; for workers that do nothing else.
 */
export const RECOVERY_PROFILES = {
  steady: { heartbeatTimeoutMs: 5_000, heartbeatThrottleMs: 1_000, stickyMs: 2_000 },
  fast: { heartbeatTimeoutMs: 1_000, heartbeatThrottleMs: 250, stickyMs: 500 },
} as const satisfies Record<string, RecoverySettings>;

export type RecoveryProfile = keyof typeof RECOVERY_PROFILES;

/**
 * The settings of a profile; `steady` without a name.
 *
 * @throws TypeError when there is no such profile
 */
export function recoverySettings(profile: string | undefined): RecoverySettings {
  const name = profile || 'steady';
  if (Object.hasOwn(RECOVERY_PROFILES, name)) return RECOVERY_PROFILES[name as RecoveryProfile];
  const names = Object.keys(RECOVERY_PROFILES).join(', ');
  throw new TypeError(`there is no recovery profile "${name}"; there are ${names}`);
}
