/**
 * The time until a run continues after its worker died, traded against the cost of heartbeats and the stalls that a worker
 * survives.
 */
export interface RecoverySettings {
  /** A model call whose worker has sent no heartbeat for this long is made again, or fetched where the provider keeps it. */
  heartbeatTimeoutMs: number;
  /** The time that a workflow task waits for the worker that has the run in its cache before any other worker may take it. */
  stickyMs: number;
}

/**
 * - `standard`: a call sends at most one heartbeat in 20 s, so a short one sends none, and a dead worker is detected
 *   within 30 s. A stall of the event loop of 9 s is survived.
 * - `steady`: a heartbeat a second; a dead worker is detected within 5 s, and a stall of 3 s is survived.
 * - `fast`: five heartbeats a second; a dead worker is detected within 1 s, but a stall of half a second may pay for a
 *   call twice. For workers that only call models (`serve: 'models'`).
 *
 * The sticky timeout is the SDK's default of 10 s, except in profiles that recover quickly, because a shorter one turns
 * each moment of overload into replays. After a crash the longer timeout costs nothing if lost calls are detected later
 * than that: by then the server knows that the dead worker no longer polls, and offers the workflow task to all
 * workers.
 */
export const RECOVERY_PROFILES = {
  standard: { heartbeatTimeoutMs: 30_000, stickyMs: 10_000 },
  steady: { heartbeatTimeoutMs: 5_000, stickyMs: 2_000 },
  fast: { heartbeatTimeoutMs: 1_000, stickyMs: 500 },
} as const satisfies Record<string, RecoverySettings>;

export type RecoveryProfile = keyof typeof RECOVERY_PROFILES;

const DEFAULT_PROFILE: RecoveryProfile = 'standard';

/** Returns the settings of a profile; `standard` without a name. Throws TypeError if there is no such profile. */
export function recoverySettings(profile: string | undefined): RecoverySettings {
  const name = profile || DEFAULT_PROFILE;
  if (Object.hasOwn(RECOVERY_PROFILES, name)) return RECOVERY_PROFILES[name as RecoveryProfile];
  const names = Object.keys(RECOVERY_PROFILES).join(', ');
  throw new TypeError(`there is no recovery profile "${name}"; there are ${names}`);
}

/** Heartbeat timeouts of the calls of a run, as the worker that prepared it has them. */
export interface Heartbeats {
  /** The heartbeat timeout of model calls. */
  heartbeatMs?: number;
  /**
   * The heartbeat timeout of all other steps, which share their worker with decisions and checks. By default that of model
   * calls.
   */
  stepHeartbeatMs?: number;
}

/** The rest is for the activity to begin, and its first heartbeat to arrive. */
const READING_SHARE = 0.6;

/** Milliseconds in which the input of a call must have come out of its storage: nothing beats before it has. */
export function readingTime({ heartbeatTimeoutMs }: RecoverySettings): number {
  return heartbeatTimeoutMs * READING_SHARE;
}

/** Least timeout of steps: they must not count as lost while a check of a whole spec holds the process. */
const STEP_LEAST_MS = RECOVERY_PROFILES.steady.heartbeatTimeoutMs;

/** The share of the timeout for which the SDK holds back heartbeats, unless the worker says less. */
const THROTTLE_SHARE = 0.8;

/**
 * The heartbeat timeouts of runs that a worker prepares.
 * @param throttleMs for how long the worker of steps holds back heartbeats at most. If that leaves less for a stall than the
 *   profile intends, steps have the time of `standard`: the worker is not ours, and neither is this setting
 */
export function heartbeatsOf({ heartbeatTimeoutMs }: RecoverySettings, throttleMs = 0): Required<Heartbeats> {
  const own = Math.max(heartbeatTimeoutMs, STEP_LEAST_MS);
  const heldBack = Math.min(own * THROTTLE_SHARE, throttleMs);
  const isEnough = heldBack <= usualInterval(own);
  const stepHeartbeatMs = isEnough ? own : Math.max(own, RECOVERY_PROFILES.standard.heartbeatTimeoutMs);
  return { heartbeatMs: heartbeatTimeoutMs, stepHeartbeatMs };
}

export function heartbeatTimeoutOf({ heartbeatMs, stepHeartbeatMs }: Heartbeats, model: boolean): number {
  const ofModels = heartbeatMs ?? RECOVERY_PROFILES[DEFAULT_PROFILE].heartbeatTimeoutMs;
  return model ? ofModels : (stepHeartbeatMs ?? ofModels);
}

/** Time for a stall, and for a heartbeat on its way, that is enough however long the timeout is. */
const ENOUGH_MS = 10_000;
const BEATS_IN_A_TIMEOUT = 5;

/** Milliseconds between the heartbeats of a call: as few as leave time for a stall before its timeout. */
export function usualInterval(timeoutMs: number): number {
  return Math.max(timeoutMs / BEATS_IN_A_TIMEOUT, timeoutMs - ENOUGH_MS);
}

/** Longest throttle of heartbeats: calls pace themselves, and changes must leave at once. */
export const HEARTBEAT_THROTTLE_MS = 100;
