import { QUESTION_DEFAULTS } from '../base/defaults';
import type { Notify } from '../base/notify';
import type { Heartbeats } from '../../lib/limits/recovery';
import type { ListedRun } from '../../lib/names/search-attributes';
import type {
  BestVersionSelection,
  ConvergenceSpec,
  FailurePolicy,
  TriggersSpec,
  ReviewOccasion,
  RevisionSpec,
  UnansweredReview,
} from '../contract/loop-options';
import type { RelaxationSpec } from '../contract/judge';

/** The amounts that a run may spend. A limit that is left out does not apply. */
export interface Budget {
  tokens?: number;
  usd?: number;
  modelCalls?: number;
  /** Milliseconds from the start of the first run of the chain, waiting included. */
  wallClockMs?: number;
  /** Author and judges are informed when little is left. */
  announce?: boolean;
}

/** The cases in which the loop waits for a person, for how long, and the end of the wait if no person answers. */
export interface ReviewSettings {
  when: Exclude<ReviewOccasion, 'never'>;
  timeoutMs: number;
  onTimeout: UnansweredReview;
}

/** Questions of steps to a person, and approvals of calls. */
export interface QuestionSettings {
  most: number;
  timeoutMs: number;
  defaultAnswer?: string;
  asks?: true;
  /** Names of the tools whose calls may need the approval of a person. */
  approvals?: string[];
}

/** The settings of a run whose worker found an approval that the check of its spec did not know. */
export const DEFAULT_QUESTIONS: QuestionSettings = { most: QUESTION_DEFAULTS.most, timeoutMs: 24 * 60 * 60 * 1_000 };

export type ConvergenceSettings = Required<Omit<ConvergenceSpec, 'endsWith'>> & Pick<ConvergenceSpec, 'endsWith'>;

export type RevisionSettings = Required<Omit<RevisionSpec, 'maxRevisionTokens'>> &
  Pick<RevisionSpec, 'maxRevisionTokens'>;

/** A spec's settings with every default filled in and every duration in milliseconds, as `prepare` resolves them. */
export interface LoopSettings {
  maxIterations: number;
  /** The maximum number of versions, however often the loop is extended; set for a loop that runs inside another workflow. */
  mostIterations?: number;
  qualityThreshold: number;
  onFailure: FailurePolicy;
  bestVersionSelection: BestVersionSelection;
  preserveAllVersions: boolean;
  budget?: Budget;
  review?: ReviewSettings;
  /** Left out if the spec neither asks a person nor names an action that may need approval. */
  questions?: QuestionSettings;
  /** The maximum size of an output as JSON, in bytes. By default as much as fits into a history. */
  maximumOutputBytes?: number;
  /** The size from which values are stored outside of the history, in bytes. By default 64 KiB, if any are. */
  storedFromBytes?: number;
  triggers?: TriggersSpec;
  relaxation?: RelaxationSpec;
  revision: RevisionSettings;
  /** The loop chooses the way of each revision: `hybrid`, with the built-in revision. */
  choosesStrategy: boolean;
  convergence?: ConvergenceSettings;
  /** Registered actions that run as local activities; none by default. */
  localActions?: string[];
  /** Heartbeats are by the recovery profile of the worker that prepared the run. */
  timeouts: Heartbeats & {
    modelCallMs: number;
    stepMs: number;
    retryForMs: number;
  };
}

export type PartPlan = Pick<EvaluatorPlan, 'local' | 'asksModel'>;

export interface EvaluatorPlan {
  name: string;
  type: string;
  weight: number;
  gate: boolean;
  /** Cheap and deterministic: runs as a local activity. */
  local: boolean;
  /** False if it is neither local nor a judge, so that it needs no budget and runs where ordinary steps run. */
  asksModel?: false;
  /** The plans of its parts (`partsOf`), in their order; left out for an evaluator of one part. */
  parts?: PartPlan[];
}

/** The findings of `prepare`, before anything was paid for. */
export interface Preparation extends ListedRun {
  settings: LoopSettings;
  /** The run list changes with each version; by default at the start, when the run waits, and at its end. */
  runList?: 'each_version';
  /** In the spec's order. */
  evaluators: EvaluatorPlan[];
  second?: EvaluatorPlan;
  /** State keys that registered actions declare, by action name; an action that declares none is not listed. */
  actionNeeds: Record<string, string[]>;
  warnings?: string[];
  /** How the run notifies of its waits; left out if it does not, or never waits. */
  notify?: Notify;
}
