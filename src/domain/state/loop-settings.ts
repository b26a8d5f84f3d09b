import type { Heartbeats } from '../spec/recovery';
import type { ListedRun } from '../base/names/search-attributes';
import type {
  BestVersionSelection,
  ConvergenceSpec,
  FailurePolicy,
  TriggersSpec,
  ReviewOccasion,
  RevisionSpec,
  UnansweredReview,
} from '../../contract/spec/loop-options';
import type { RelaxationSpec } from '../../contract/spec/judge';

/** What a run may spend. A limit that is not there is no limit. */
export interface Budget {
  /** Prompt and completion tokens of all calls. */
  tokens?: number;
  /** US dollars, by the prices of the worker's models. */
  usd?: number;
  /** Calls that were answered. */
  modelCalls?: number;
  /** Milliseconds from the start of the first run of the chain, waiting included. */
  wallClockMs?: number;
}

/** When the loop waits for a person, for how long, and what follows when nobody answers. */
export interface ReviewSettings {
  when: Exclude<ReviewOccasion, 'never'>;
  timeoutMs: number;
  onTimeout: UnansweredReview;
}

export type ConvergenceSettings = Required<ConvergenceSpec>;

export type RevisionSettings = Required<Omit<RevisionSpec, 'maxRevisionTokens'>> &
  Pick<RevisionSpec, 'maxRevisionTokens'>;

/** A spec's settings with every default filled in and every duration in milliseconds, as `prepare` resolves them. */
export interface LoopSettings {
  maxIterations: number;
  /** Versions at most, however often it is extended; present in a loop that runs inside another workflow. */
  mostIterations?: number;
  qualityThreshold: number;
  onFailure: FailurePolicy;
  bestVersionSelection: BestVersionSelection;
  preserveAllVersions: boolean;
  /** Absent: the spec sets none. */
  budget?: Budget;
  /** Absent: nobody is waited for. */
  review?: ReviewSettings;
  /** Bytes of an output as JSON at most. Absent: what fits into a history. */
  maximumOutputBytes?: number;
  /** Values of so many bytes or more are stored outside of the history. Absent: those of 64 KiB, where any are. */
  storedFromBytes?: number;
  /** Absent: the spec sets none. */
  triggers?: TriggersSpec;
  /** Absent: the threshold stays. */
  relaxation?: RelaxationSpec;
  revision: RevisionSettings;
  /** The loop chooses the way of each revision: `hybrid`, with the built-in revision. */
  choosesStrategy: boolean;
  /** Absent: the spec turned it off. */
  convergence?: ConvergenceSettings;
  /** Registered actions that run as local activities; absent: none. */
  localActions?: string[];
  /** Heartbeats are by the recovery profile of the worker that prepared the run. */
  timeouts: Heartbeats & {
    modelCallMs: number;
    stepMs: number;
    retryForMs: number;
  };
}

/** Where a part of an evaluator does its work. */
export type PartPlan = Pick<EvaluatorPlan, 'local' | 'asksModel'>;

/** What the loop has to know of an evaluator beside its configuration. */
export interface EvaluatorPlan {
  name: string;
  type: string;
  weight: number;
  gate: boolean;
  /** Cheap and deterministic: runs as a local activity. */
  local: boolean;
  /** False: neither local nor a judge, so it costs no budget and runs where ordinary steps do. */
  asksModel?: false;
  /** Present when it falls into parts (`partsOf`): the same of each, in their order. */
  parts?: PartPlan[];
}

/** What `prepare` found out before anything was paid for. */
export interface Preparation extends ListedRun {
  settings: LoopSettings;
  /** The run list changes with each version; absent: at the start, when the run waits, and at its end. */
  runList?: 'each_version';
  /** In the spec's order. */
  evaluators: EvaluatorPlan[];
  /** The judge that confirms doubtful passes; absent without one. */
  second?: EvaluatorPlan;
  /** State keys that registered actions declare, by action name; an action that declares none is not listed. */
  actionNeeds: Record<string, string[]>;
  /** What its author should know of the spec; absent: nothing. */
  warnings?: string[];
}
