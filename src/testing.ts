/** The entry point for tests of your loops: a scripted model, an environment with a server and a worker, and replays. */
export { ReflectionTestEnvironment } from './testing/environment';
export type { ReflectionTestEnvironmentOptions } from './testing/environment-options';
export {
  NotRecordableError,
  type RunChange,
  RunsChangedError,
  ScriptExhaustedError,
  ScriptUnusedError,
} from './testing/errors';
export { recordRun } from './testing/replay/record-run';
export { type ReplayedRun, type ReplayOptions, replayRuns } from './testing/replay/replay-runs';
export { paidCalls, promptOf, readLedger, requestsOf } from './testing/scripted-model/ledger';
export {
  failUntil,
  type LedgerEntry,
  type Match,
  type Pattern,
  type Script,
  type ScriptedRequest,
  type ScriptEntry,
} from './testing/scripted-model/script';
export type { RefusedPart, ServerHabits } from './testing/scripted-model/habits';
export { ScriptedOpenAI, type ScriptedServerOptions } from './testing/scripted-model/server';
