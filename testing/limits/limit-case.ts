import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { ConvergenceReason } from '../../src/loop/base/convergence';
import type { Json } from '../../src/lib/json/json';
import type { WorkerProcess } from './fleet';
import type { Origin, Smallest } from './smallest';

/** The workflow types of the contract, and one of somebody's own in which loops run. */
export type WorkflowType =
  | 'reflectionLoop'
  | 'reflectionEvaluate'
  | 'reflectionCorrect'
  | 'reflectionPipeline'
  | 'planReflection'
  | 'agentReflection'
  | 'reflectsInside';

/** What steers a run: told of its handle, while it runs. */
export interface RunningCase {
  handle: WorkflowHandleWithFirstExecutionRunId;
  worker: WorkerProcess;
}

/** One run at a limit. */
export interface LimitCase {
  /** What `--case` calls it. */
  name: string;
  workflow: WorkflowType;
  argument: Json;
  /** Of a generated spec: what makes it again, and smaller ones. */
  origin?: Origin;
  /** What of the maximum is only what fits, because the contract has no maximum for it. */
  unbounded?: boolean;
  /** Sent before a worker is there: the run has a worker of its own, which is started afterwards. */
  beforeWorker?: (running: Pick<RunningCase, 'handle'>) => Promise<void>;
  /** Done while it runs, such as sending commands or killing the worker. Its end is not awaited for. */
  meanwhile?: (running: RunningCase) => Promise<void>;
  /** How often its worker is killed: each kill may leave one workflow task that ran out of time. Default: never. */
  kills?: number;
  /** Seconds that it has to end; more, as long as its history grows. Default 45. */
  seconds?: number;
  /**
   * It waits for a person, so that it ends only when it is told to: by `abort`, `finish`, a cancellation. It then has 30 s. Any
   * other run that has to be told is a violation.
   */
  waitsForPerson?: true;
  /** Reasons for which a loop may stop that the harness steers. Default: those that its spec leaves possible. */
  reasons?: readonly ConvergenceReason[];
}

/** What became of a case. */
export interface PlayedCase {
  name: string;
  workflow: WorkflowType;
  outcome: string;
  /** Of the run, the runs that followed it and its children. */
  runs: number;
  events: number;
  /** Of all histories. */
  bytes: number;
  ms: number;
  /** Workflow tasks that failed once, which is no violation. */
  failedTasks: string[];
  violations: string[];
  /** Of a generated spec with violations. */
  smallest?: Smallest;
}
