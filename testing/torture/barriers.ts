import type { Caller } from './caller';

/** The moments at which workers are killed. */
export const BARRIERS = [
  /** A call is about to be sent. */
  'before-send',
  /** The provider has the call and has not answered. */
  'in-flight',
  /** The answer is here and nobody has been told. */
  'answered',
  /** The provider has begun a response in the background, and nobody has been told its id. */
  'background-begun',
  /** The server has its id from a heartbeat, and the response is being made. */
  'background-noted',
  /** A heartbeat is about to leave. */
  'heartbeat',
  /** Workflow code has decided, and its decision is about to leave. */
  'workflow-task',
  /** The decision is to continue as new. */
  'continue-as-new',
  /** A person's command was handed to the worker. */
  'command',
  /** SIGTERM, and SIGKILL before it could finish. */
  'draining',
] as const;
export type Barrier = (typeof BARRIERS)[number];

/** What a worker is told: to stop and wait at the next such moment, to go on, or to block its event loop. */
export type WorkerOrder = { kind: 'arm'; barrier: Barrier } | { kind: 'disarm' } | { kind: 'stall'; ms: number };

/** What a worker says, one line each, after `REPORT`. */
export type WorkerReport =
  | { kind: 'ready' }
  | { kind: 'reached'; barrier: Barrier; caller?: Caller }
  /** Its event loop got nothing done from `at` until `until`. */
  | { kind: 'stalled'; at: number; until: number }
  | { kind: 'ended' };

/** Begins a line of a worker's output that is meant for the one who started it. */
export const REPORT = '@torture ';
