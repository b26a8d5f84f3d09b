/** The entry point for tests of your loops: a scripted model, an environment with a server and a worker, and replays. */
export { ReflectionTestEnvironment } from './environment';
export type { ReflectionTestEnvironmentOptions } from './environment-options';
export {
  NotRecordableError,
  type RunChange,
  RunsChangedError,
  ScriptExhaustedError,
  ScriptUnusedError,
} from './errors';
export { recordRun } from './replay/record-run';
export { type ReplayedRun, type ReplayOptions, replayRuns } from './replay/replay-runs';
export { judges, type ScriptedRejection, type ScriptedVerdict } from './scripted-model/judges';
export { paidCalls, promptOf, readLedger, requestsOf } from './scripted-model/ledger';
export {
  failUntil,
  type LedgerEntry,
  type Match,
  type Pattern,
  type Script,
  type ScriptedRequest,
  type ScriptEntry,
} from './scripted-model/script';
export type { RefusedPart, ServerHabits } from './scripted-model/habits';
export { ScriptedOpenAI, type ScriptedServerOptions } from './scripted-model/server';
