import type { ConvergenceReason } from './convergence';
import type { ReflectionEvaluation } from './evaluation';
import type { Json } from './json';
import { flagsOf, type ResultFlag } from './flags';
import type { LoopSettings, Preparation } from './loop-settings';
import { bestSoFar, type LoopState, versionOf } from './loop-state';
import type { PersonEntry } from './people';
import { reportOf, type ReflectionReport } from './report';
import { payloadLimit } from './payload-limit';
import { jsonBytes, slimVersions, withoutOutput } from './slim-versions';
import { hasSucceeded, passingVersion } from './success';
import type { TokenUsage } from './tokens';
import type { ReflectionVersion } from './version';

/** Every version, and which of them is best and which was handed back. */
export interface ReflectionHistory {
  versions: ReflectionVersion[];
  bestIteration: number | null;
  finalIteration: number | null;
  convergenceReason: ConvergenceReason;
  totalIterations: number;
  people: PersonEntry[];
}

/** What a loop came to. `Output`: what the client read the outputs as, where it was given a schema. */
export interface ReflectionResult<Output = Json> {
  /** A version passed, or a person (or an unanswered review, where the spec says so) accepted one. */
  success: boolean;
  /** Any other stop. */
  exhausted: boolean;
  /** What is handed back: the accepted version, the passing one, or what `onFailure` names. Null before a draft. */
  finalOutput: Output | null;
  bestOutput: Output | null;
  finalEvaluation: ReflectionEvaluation | null;
  history: ReflectionHistory;
  iterationsUsed: number;
  convergenceReason: ConvergenceReason;
  tokenUsage: TokenUsage;
  /** Milliseconds from the start to the end, waiting included. */
  executionTime: number;
  /** What the run says about its judge. */
  flags: ResultFlag[];
  report: ReflectionReport;
}

/** The version with the best rank by the spec's selection. */
export function bestVersion(history: ReflectionHistory): ReflectionVersion | undefined {
  return history.versions.find((version) => version.iteration === history.bestIteration);
}

/** The version that was handed back. */
export function finalVersion(history: ReflectionHistory): ReflectionVersion | undefined {
  return history.versions.find((version) => version.iteration === history.finalIteration);
}

/** The version that is handed back when the loop stops for a reason. */
export function finalOf(
  state: LoopState,
  settings: LoopSettings,
  reason: ConvergenceReason,
): ReflectionVersion | undefined {
  const last = state.versions.at(-1);
  if (reason === 'user_accepted') return versionOf(state, state.commands.accept?.iteration ?? null) ?? bestSoFar(state);
  if (reason === 'quality_met') return last;
  if (reason === 'aborted') return bestSoFar(state);
  if (reason === 'review_timeout') return bestSoFar(state);
  const passing = passingVersion(state);
  if (passing) return passing;
  return settings.onFailure === 'return_last' ? last : bestSoFar(state);
}

/** Bytes of a result at most, before versions other than the best and the final one get shorter. */
const RESULT_BYTES = 1024 * 1024;

/** Bytes that those others have in any case: without their outputs they take little. */
const OTHERS_BYTES = 128 * 1024;

/** Versions in so many bytes, beside which others stand in the same payload. */
function versionsWithin(
  { versions }: Pick<LoopState, 'versions'>,
  settings: LoopSettings,
  keep: ReadonlySet<number>,
  othersBytes: number,
): ReflectionVersion[] {
  const kept = versions.filter(({ iteration }) => keep.has(iteration));
  if (!settings.preserveAllVersions) return kept;
  const budget = Math.max(OTHERS_BYTES, RESULT_BYTES - othersBytes - jsonBytes(kept));
  return slimVersions(versions, keep, budget);
}

/**
 * A result that fits into a history: best and final output are there in whole beside their versions, so those are the first to
 * lose theirs. Of two outputs that are too large together, the one that is handed back stays.
 */
function fitting(result: ReflectionResult, most: number): ReflectionResult {
  if (jsonBytes(result) <= most) return result;
  const { history } = result;
  const without = { ...result, history: { ...history, versions: history.versions.map(withoutOutput) } };
  return jsonBytes(without) <= most ? without : { ...without, bestOutput: null };
}

/**
 * The result of a loop that stopped.
 *
 * @param now epoch milliseconds
 * @param judges the evaluators of the run, as they were prepared, and the judge that confirms doubtful passes
 */
export function resultOf(
  state: LoopState,
  settings: LoopSettings,
  now: number,
  { evaluators, second }: Pick<Preparation, 'evaluators' | 'second'> = { evaluators: [] },
): ReflectionResult {
  if (!state.stopped) throw new TypeError('a loop that goes on has no result');
  const { reason } = state.stopped;
  const best = bestSoFar(state);
  const final = finalOf(state, settings, reason);
  const success = hasSucceeded(state);
  const iterations = state.versions.at(-1)?.iteration ?? 0;
  const result: ReflectionResult = {
    success,
    exhausted: !success,
    finalOutput: final?.output ?? null,
    bestOutput: best?.output ?? null,
    finalEvaluation: final?.evaluation ?? null,
    history: {
      versions: [],
      bestIteration: best?.iteration ?? null,
      finalIteration: final?.iteration ?? null,
      convergenceReason: reason,
      totalIterations: iterations,
      people: state.people,
    },
    iterationsUsed: iterations,
    convergenceReason: reason,
    tokenUsage: state.tokenUsage,
    executionTime: Math.max(0, now - state.startedAt),
    flags: flagsOf(state.versions, best, evaluators, settings.qualityThreshold, second),
    report: reportOf(state.versions, settings.revising?.goesByQuality && final),
  };
  const keep = new Set([best?.iteration ?? 0, final?.iteration ?? 0]);
  result.history.versions = versionsWithin(state, settings, keep, jsonBytes(result));
  return fitting(result, payloadLimit(settings));
}

/** One attempt, as the history of a `ReflectionFailedError` and of templates shows it. */
export interface AttemptSummary {
  iteration: number;
  output: Json;
  score: number | null;
  valid: boolean;
  errors: { message: string; path?: string; type?: string; suggestion?: string }[];
}

/** The attempts of a loop that raises, as many and as whole as fit. */
export function failedAttempts(state: LoopState, settings: LoopSettings): AttemptSummary[] {
  const best = bestSoFar(state)?.iteration ?? 0;
  const final = finalOf(state, settings, state.stopped?.reason ?? 'error')?.iteration ?? 0;
  const versions = versionsWithin(state, settings, new Set([best, final]), 0);
  const fits = (list: ReflectionVersion[]): boolean => jsonBytes(list.map(attemptOf)) <= payloadLimit(settings);
  const shorter = fits(versions)
    ? versions
    : versions.map((version) => (version.iteration === best ? version : withoutOutput(version)));
  return shorter.map(attemptOf);
}

/** A version as an attempt. */
export function attemptOf(version: ReflectionVersion): AttemptSummary {
  return {
    iteration: version.iteration,
    output: version.output,
    score: version.evaluation.overallScore,
    valid: version.evaluation.satisfactory,
    errors: errorsOf(version.evaluation),
  };
}

/** An evaluation's issues in the form that templates and inline code see. */
export function errorsOf(evaluation: Pick<ReflectionEvaluation, 'issues'>): AttemptSummary['errors'] {
  return evaluation.issues.map(({ message, path, type, suggestion }) => ({
    message,
    ...(path === undefined ? {} : { path }),
    ...(type === undefined ? {} : { type }),
    ...(suggestion === undefined ? {} : { suggestion }),
  }));
}
