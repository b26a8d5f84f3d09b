import type { WorkflowHandle } from '@temporalio/client';
import type { ReflectionClient } from '../../src/client';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import type * as own from './own-workflows';

/** A run under way, for a scenario that does something meanwhile. */
export interface Stage {
  client: ReflectionClient;
  workflowId: string;
  handle: WorkflowHandle;
  /** Waits until the scripted model was asked so many times. */
  asked(times: number): Promise<void>;
  /** Ends the worker with SIGKILL and starts another; only in the world `killable`. */
  replaceWorker(): Promise<void>;
}

/** A workflow of somebody who runs loops inside of it; they are in the world `embedded`. */
type OwnWorkflow = keyof typeof own;

/** One path through a workflow that is recorded. */
export interface Scenario {
  /** Of the file, and of the model that the scenario's spec calls. Each run of a chain gets a number behind it. */
  name: string;
  /**
   * How the last run must end, so that no other path is recorded by mistake: a convergence reason, an evaluation's
   * outcome, `completed`, or a failure type.
   */
  ends: string;
  /** The workflow's argument. */
  spec: unknown;
  /** Default `reflectionLoop`. */
  type?:
    | 'reflectionLoop'
    | 'reflectionEvaluate'
    | 'reflectionCorrect'
    | 'reflectionPipeline'
    | 'agentReflection'
    | 'planReflection'
    | 'reflectionBatch'
    | 'reflectionBatchPage'
    | OwnWorkflow;
  script?: ScriptEntry[];
  /** Where it runs; default `ordinary`. */
  world?: World;
  /** Before the run is started. */
  before?(client: ReflectionClient): Promise<unknown>;
  meanwhile?(stage: Stage): Promise<unknown>;
  /** Record the last run of a chain only: the others are like those of another scenario. */
  lastRunOnly?: true;
}

/**
 * `without-attributes`: a server that lacks the search attributes. `versioned`: a worker of a version that is current.
 * `killable`: a worker in a process of its own. `remembering`: a worker with a memory of its own. `embedded`: somebody's worker that has `ReflectionPlugin`, and own workflows. `impatient`: a server that
 * suggests a new run after few events. `told`: such a server, and a worker that tells a receiver of waits.
 */
export type World =
  'ordinary' | 'without-attributes' | 'versioned' | 'killable' | 'embedded' | 'remembering' | 'impatient' | 'told';
