/** The entry point for tests: a scripted model. */
export { ScriptExhaustedError, ScriptUnusedError } from './testing/errors';
export { paidCalls, readLedger, requestsOf } from './testing/scripted-model/ledger';
export {
  failUntil,
  type LedgerEntry,
  type Match,
  type Pattern,
  type Script,
  type ScriptedRequest,
  type ScriptEntry,
} from './testing/scripted-model/script';
export { ScriptedOpenAI, type ScriptedServerOptions } from './testing/scripted-model/server';
