import type { ConvergenceReason } from './convergence';
import type { OutputReading, Verdict } from './evaluation';
import type { Json } from './json';
import type { PersonEntry } from './people';
import type { TokenUsage } from './tokens';
import { NO_USAGE } from './tokens';
import type { Origin, ReflectionVersion } from './version';

/** An output that has not been judged yet. */
export interface PendingOutput {
  output: Json;
  origin: Origin;
  strategy?: string;
  /** Verdicts so far; those that were inconclusive are asked once more. */
  verdicts: Verdict[];
  /** Rounds of evaluation that were started. */
  rounds: number;
  /** How a structured value was read out of it. */
  reading?: OutputReading;
  tokenUsage: TokenUsage;
  warnings: string[];
}

/** What a person asked for and the loop has not carried out yet. */
export interface PendingCommands {
  /** Return this version, or the best. */
  accept?: { iteration?: number };
  abort?: true;
}

/** Everything a loop knows, as plain JSON: what continues a run, and what all decisions are made from. */
export interface LoopState {
  /** Epoch milliseconds of the start of the first run of the chain. */
  startedAt: number;
  /** Versions of this run and what is still known of those of earlier runs, which may have lost their outputs. */
  versions: ReflectionVersion[];
  /** Last iteration of the earlier runs of the chain; 0 in the first run. */
  carriedThrough: number;
  /** Iteration of the best version so far by the spec's selection; null before the first. */
  bestIteration: number | null;
  pending?: PendingOutput;
  /** A hint for the next generation, in the corrector's `hint` mode. */
  hint?: { text: Json; tokenUsage: TokenUsage; warnings: string[] };
  tokenUsage: TokenUsage;
  /** A call ended because the time budget did: there is no use in another, however little time is left. */
  timeIsUp?: true;
  /** What a hook decided about a version; counts only while that version is the latest. */
  ruling?: { iteration: number; decision: 'continue' | 'stop' };
  commands: PendingCommands;
  people: PersonEntry[];
  /** Ids of commands that were carried out or refused; a repeated id does nothing. */
  seenCommandIds: string[];
  stopped?: { reason: ConvergenceReason; message?: string; failure?: StepFailure };
}

/** A failure of a step after the draft, for the result and for `raise`. */
export interface StepFailure {
  type: string;
  message: string;
}

/** The state of a loop that has done nothing yet. */
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

/** Number of the latest output, judged or not: the iteration that people see. 0 before the draft. */
export function currentIteration(state: LoopState): number {
  const judged = state.versions.at(-1)?.iteration ?? 0;
  return state.pending ? judged + 1 : judged;
}

/** The version of an iteration. */
export function versionOf(state: LoopState, iteration: number | null): ReflectionVersion | undefined {
  return iteration === null ? undefined : state.versions.find((version) => version.iteration === iteration);
}

/** The best version so far. */
export function bestSoFar(state: LoopState): ReflectionVersion | undefined {
  return versionOf(state, state.bestIteration);
}
