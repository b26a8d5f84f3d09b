import type { BlockerCheck } from '../contract/blockers';
import type { Origin, Reflection, ReflectionVersion, Trigger } from '../contract/results';
import type { KeptCalls } from '../contract/calls';
import type { CommandName, Decision } from '../base/command-payloads';
import type { ConvergenceReason } from '../base/convergence';
import type { OutputReading, Verdict } from './evaluation';
import type { Json } from '../../lib/json/json';
import type { WrittenReply } from './model-reply';
import type { ParkedStep, WaitRecord } from './parked-step';
import type { PeopleRecord } from './command-log';
import type { Ruled } from '../base/rules';
import { NO_USAGE } from '../../lib/base/tokens';
import type { TokenUsage } from '../../lib/contract/values';

export type { Origin, Reflection, ReflectionVersion, Trigger };

export interface PendingOutput extends KeptCalls {
  output: Json;
  origin: Origin;
  strategy?: string;
  askedStrategy?: string;
  /** The iteration that it was revised from, where that is not the one before. */
  basedOn?: number;
  /** Verdicts so far; those that were inconclusive are asked once more. */
  verdicts: Verdict[];
  /** Verdicts of the parts of evaluators that have several, by index of the evaluator and of the part. */
  parts?: Record<number, Record<number, Verdict>>;
  /** The calls of the tools of judges, by index of the evaluator and of the part, both in three digits. */
  judgeCalls?: Record<string, KeptCalls>;
  /** The time of the latest of them, ISO 8601; undefined while none has one. */
  judgedAt?: string;
  rounds: number;
  reading?: OutputReading;
  tokenUsage: TokenUsage;
  /** The part of the token usage that belongs to its evaluators, if they used any. */
  evaluationUsage?: TokenUsage;
  warnings: string[];
  /** The reply that it is was cut off at its token limit. */
  cutOff?: true;
  /** Reasons for which it is not in the requested form, as its reader found: it fails, and no evaluator is asked. */
  faults?: string[];
  /** The check of whether a revision can repair it, where every serious issue has a blocker. */
  blocked?: BlockerCheck;
  /** It was made by the guidance of a reviewer. */
  isGuided?: true;
  /** The threshold that it is judged by, where it is not the spec's. */
  qualityThreshold?: number;
  reflections?: Reflection[];
  trigger?: Trigger;
  /** The version that this output is, with its former judgement: it is judged again. */
  former?: ReflectionVersion;
  conversation?: Json;
  /** Undefined where anything but a model call made it. */
  reply?: WrittenReply;
}

export interface PendingCommands {
  /** Return this version, or the best. */
  accept?: { iteration?: number };
  abort?: true;
  /** Outputs that become the next versions, in the order in which they arrived. */
  overrides?: Json[];
  /** Judge the current version again. */
  reflect?: true;
  /** The decision about the step after the evaluation of this iteration. Kept until another one is judged. */
  decision?: { iteration: number; decision: Decision };
}

export interface PendingReview {
  /** The latest one when the wait began. */
  iteration: number;
  /** The iteration of the version under review: the one that is shown, and that `accept` takes. */
  version?: number;
  /** Why the loop would end without it; undefined if it would go on. */
  reason?: ConvergenceReason;
  /** Epoch milliseconds. */
  until: number;
  /** Undefined if no notification of the wait is sent. */
  notice?: WaitRecord;
}

export interface SettledReview {
  /** The version that was under review. */
  version: number;
  name: CommandName;
  by?: string;
  /** ISO 8601. */
  at: string;
  /** The loop goes on, so that a further word to the next revision takes nothing back. */
  goesOn?: true;
}

export interface Extensions {
  iterations?: number;
  tokens?: number;
  usd?: number;
}

/** The whole state of a loop, as plain JSON: it continues a run, and all decisions are made from it. */
export interface LoopState extends PeopleRecord, Ruled {
  /** Epoch milliseconds of the start of the first run of the chain. */
  startedAt: number;
  /** Versions of this run and what is still known of those of earlier runs, which may have lost their outputs. */
  versions: ReflectionVersion[];
  /** Last iteration of the earlier runs of the chain; 0 in the first run. */
  carriedThrough: number;
  /** The iteration of an earlier run that this run judges again: the history of this run contains it, too. */
  judgedAgain?: number;
  /** The replies that the latest versions were made of, by iteration. */
  replies?: Record<number, WrittenReply>;
  /** The conversations of the agents that made the best and the latest version, by iteration. */
  conversations?: Record<number, Json>;
  /** The latest iterations that were made anew by an agent that went on with the conversation of the version before. */
  continued?: number[];
  /** Iteration of the best version so far by the spec's selection; null before the first. */
  bestIteration: number | null;
  pending?: PendingOutput;
  /** A hint for the next generation, in the corrector's `hint` mode. */
  hint?: { text: Json; tokenUsage: TokenUsage; warnings: string[] };
  /** Edits that did not apply to the output: the same revision is made once more, as a whole. */
  unappliedEdit?: { problem: string; tokenUsage: TokenUsage; warnings: string[]; cutOff?: true };
  /** Edits failed to apply once: this run requests no edits any more. */
  editsFailed?: true;
  /** Calls at temperature 0 that were answered, by `callKey`: the latest ones. */
  answered?: string[];
  /** The iteration after which the next call would be one of those. */
  repeatsAfter?: number;
  /** The spending on an output that is not there yet, and the findings on the way. */
  underway?: KeptCalls & { tokenUsage: TokenUsage; warnings: string[]; reflections: Reflection[] };
  /** The calls of versions that others were made from and that this run did not take over, by the iteration of the latter. */
  inherited?: Record<number, KeptCalls>;
  tokenUsage: TokenUsage;
  /** A call ended because the time budget did: there is no use in another, however little time is left. */
  timeIsUp?: true;
  /** The insights of earlier runs, as they were recalled before the draft; undefined in runs without memory. */
  recalled?: string[];
  /** The decision of a hook about a version; counts only while that version is the latest. */
  ruling?: { iteration: number; decision: 'continue' | 'stop' };
  commands: PendingCommands;
  /** The guidance of reviewers that no revision has had yet, the oldest first. */
  guidance?: string[];
  extended?: Extensions;
  review?: PendingReview;
  /** The step that waits for the answer of a person: the move that began it goes on from there. */
  parked?: ParkedStep;
  /** Number of questions that were asked, and of approvals that were requested, in the whole chain. */
  asked?: { question?: number; approval?: number };
  /** The latest decision that ended a wait, with its author. Kept until another version is judged, or the loop waits again. */
  decided?: SettledReview;
  /** The version that was under review when a person let the loop go on: the next one is made from it. */
  guidedFrom?: number;
  /** The latest iteration that was judged when a person last requested another output than that version's. */
  steeredAfter?: number;
  /** A step failed permanently after the draft; the loop ends with it unless a reviewer lets it go on. */
  failure?: StepFailure;
  /** Ids of commands that were carried out; a repeated id does nothing. */
  seenCommandIds: string[];
  stopped?: {
    reason: ConvergenceReason;
    message?: string;
    failure?: StepFailure;
    /** Silence accepted this version. */
    accepted?: number;
    /** No reviewer answered, and the spec says that the run fails then. */
    unanswered?: true;
    /** The insights of the run are being stored; false once a user would not wait for that. Undefined before and after. */
    keeping?: boolean;
  };
}

export interface StepFailure {
  type: string;
  message: string;
}

export function initialState(startedAt: number): LoopState {
  return {
    startedAt,
    versions: [],
    carriedThrough: 0,
    bestIteration: null,
    tokenUsage: NO_USAGE,
    commands: {},
    people: [],
    seenCommandIds: [],
  };
}

/** The number of the latest output, judged or not: the iteration that users see. 0 before the draft. */
export function currentIteration(state: Pick<LoopState, 'versions' | 'pending'>): number {
  const judged = state.versions.at(-1)?.iteration ?? 0;
  return state.pending ? judged + 1 : judged;
}

export function versionOf(state: Pick<LoopState, 'versions'>, iteration: number | null): ReflectionVersion | undefined {
  return iteration === null ? undefined : state.versions.find((version) => version.iteration === iteration);
}

export function bestSoFar(state: LoopState): ReflectionVersion | undefined {
  return versionOf(state, state.bestIteration);
}

export function guidedVersion(state: LoopState): ReflectionVersion | undefined {
  const version = state.pending ? undefined : versionOf(state, state.guidedFrom ?? null);
  return version?.omittedBytes === undefined ? version : undefined;
}
