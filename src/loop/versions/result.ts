import { omitUndefined } from '../../lib/base/defined';
import type { AttemptSummary, HistoryEntry, ReflectionEvaluation } from '../contract/evaluation';
import type { ReflectionHistory, ReflectionResult } from '../contract/results';
import type { ConvergenceReason } from '../base/convergence';
import { needsOf } from '../evaluation/blockers';
import { flagsOf } from '../evaluation/flags';
import type { LoopSettings } from '../state/loop-settings';
import { bestSoFar, type LoopState, versionOf, type ReflectionVersion } from '../state/loop-state';
import { reportOf } from './report';
import { isJsonObject, type Json } from '../../lib/json/json';
import { outputToReturn, type Judges } from './handed-back';
import { payloadLimit } from '../../lib/limits/payload-limit';
import { reduceToFit, latestWithin, jsonBytes } from '../../lib/json/json-bytes';
import { failsGate } from './ranking';
import { wholeVersions } from './selection';
import {
  boundCallsOfVersions,
  truncateVersions,
  withoutCallResults,
  withoutDetails,
  withoutJudgeResults,
  withoutOutput,
} from './truncate';
import { hasSettled, hasSucceeded, passingVersion } from '../state/success';

export function bestVersion(history: ReflectionHistory): ReflectionVersion | undefined {
  return history.versions.find((version) => version.iteration === history.bestIteration);
}

/** Whether a loop ended without success because no evaluator could judge the version that it returns. */
export function isUnjudged({
  success,
  finalEvaluation,
}: Pick<ReflectionResult, 'success' | 'finalEvaluation'>): boolean {
  return !success && finalEvaluation?.outcome === 'inconclusive';
}

export function finalVersion(history: ReflectionHistory): ReflectionVersion | undefined {
  return history.versions.find((version) => version.iteration === history.finalIteration);
}

export function finalOf(
  state: LoopState,
  settings: LoopSettings,
  reason: ConvergenceReason,
): ReflectionVersion | undefined {
  const last = state.versions.at(-1);
  if (reason === 'user_accepted') return versionOf(state, state.commands.accept?.iteration ?? null) ?? bestSoFar(state);
  if (reason === 'quality_met') return last;
  if (reason === 'aborted') return bestSoFar(state);
  if (reason === 'review_timeout') return versionOf(state, state.stopped?.accepted ?? null) ?? bestSoFar(state);
  const passing = passingVersion(state);
  if (passing) return passing;
  return settings.onFailure === 'return_last' ? lastAllowed(state) : bestSoFar(state);
}

function lastAllowed(state: LoopState): ReflectionVersion | undefined {
  const last = state.versions.at(-1);
  if (!last || !failsGate(last)) return last;
  const best = bestSoFar(state);
  // The best version is always complete, although a chain of runs does not pass on all versions.
  const instead = wholeVersions(state.versions).findLast((version) => !failsGate(version));
  return instead ?? (best && !failsGate(best) ? best : last);
}

/** The size of a result in bytes above which versions other than the best and the final one are shortened. */
const RESULT_BYTES = 1024 * 1024;

/** The bytes that the other versions may take in any case, which suffices for them without their outputs. */
const OTHERS_BYTES = 128 * 1024;

function versionsWithin(
  state: Pick<LoopState, 'versions'>,
  settings: LoopSettings,
  keep: ReadonlySet<number>,
  othersBytes: number,
): ReflectionVersion[] {
  const versions = boundCallsOfVersions(state.versions, keep);
  const kept = versions.filter(({ iteration }) => keep.has(iteration));
  if (!settings.preserveAllVersions) return kept;
  const budget = Math.max(OTHERS_BYTES, RESULT_BYTES - othersBytes - jsonBytes(kept));
  return truncateVersions(versions, keep, budget);
}

const PEOPLE_BYTES = 64 * 1024;

const MESSAGE_CHARACTERS = 4_000;

const FEW_ISSUES = 10;

/** Versions lose their outputs first; of the best and the final output the returned one stays; small ones go last. */
function reduceResult(result: ReflectionResult, most: number): ReflectionResult {
  const { versions, people, finalIteration, bestIteration } = result.history;
  const told = versions.filter(({ iteration }) => iteration === finalIteration || iteration === bestIteration);
  const withVersions = (kept: ReflectionVersion[]) => (each: ReflectionResult) => ({
    ...each,
    history: { ...each.history, versions: kept },
  });
  const withoutBest = (each: ReflectionResult) => ({ ...each, bestOutput: null });
  const withoutResults = withVersions(versions.map(withoutCallResults));
  return reduceToFit(result, most, [
    ({ finalEvaluation, ...each }) =>
      withoutResults({ ...each, finalEvaluation: finalEvaluation && withoutJudgeResults(finalEvaluation) }),
    withVersions(versions.map(withoutCallResults).map(withoutOutput)),
    (each) => (jsonBytes(each.bestOutput) > most / 4 ? withoutBest(each) : each),
    withVersions(versions.map(withoutOutput).map(withoutDetails)),
    (each) => ({ ...each, history: { ...each.history, people: latestWithin(people, PEOPLE_BYTES) } }),
    ({ report, ...each }) => ({
      ...each,
      report: { ...report, issues: [], issuesOmitted: report.issuesOmitted + report.issues.length },
    }),
    withVersions(told.map(withoutOutput).map(withoutDetails)),
    (each) => ({ ...each, finalEvaluation: each.finalEvaluation && fewIssues(each.finalEvaluation) }),
    withoutBest,
  ]);
}

function fewIssues(evaluation: ReflectionEvaluation): ReflectionEvaluation {
  const { reason: _reason, calls: _calls, ...rest } = evaluation;
  const issues = evaluation.issues.slice(0, FEW_ISSUES).map(({ suggestion: _suggestion, ...issue }) => issue);
  return { ...rest, issues, suggestions: [], criteriaScores: {} };
}

export function reduceEvaluation(evaluation: ReflectionEvaluation, settings: LoopSettings): ReflectionEvaluation {
  return reduceToFit(evaluation, payloadLimit(settings), [
    withoutJudgeResults,
    ({ unreadReplies: _replies, ...each }) => each,
    (each) => ({ ...each, suggestions: latestWithin(each.suggestions, PEOPLE_BYTES) }),
    fewIssues,
  ]);
}

/** @param now epoch milliseconds */
export function resultOf(
  state: LoopState,
  settings: LoopSettings,
  now: number,
  { evaluators, second, schemas = [] }: Judges = { evaluators: [] },
): ReflectionResult {
  if (!state.stopped) throw new TypeError('a loop that goes on has no result');
  const { reason, failure } = state.stopped;
  const best = bestSoFar(state);
  const final = finalOf(state, settings, reason);
  const isAccepted = reason === 'user_accepted' || reason === 'review_timeout';
  const outputOf = (version: ReflectionVersion | undefined): Json => {
    if (!version) return null;
    return outputToReturn(version, schemas, version.origin === 'override' || (isAccepted && version === final));
  };
  const success = hasSucceeded(state);
  const iterations = state.versions.at(-1)?.iteration ?? 0;
  const needs = needsOf(state);
  const result: ReflectionResult = {
    success,
    exhausted: !success,
    finalOutput: outputOf(final),
    bestOutput: outputOf(best),
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
    ...(hasSettled(state, settings) && { settled: true as const }),
    ...(failure && { failure: { ...failure, message: failure.message.slice(0, MESSAGE_CHARACTERS) } }),
    ...(needs.length > 0 && { needs }),
    tokenUsage: state.tokenUsage,
    executionTime: Math.max(0, now - state.startedAt),
    flags: flagsOf(state.versions, best, evaluators, settings.qualityThreshold, second),
    report: reportOf(state.versions, final),
  };
  const keep = new Set([best?.iteration ?? 0, final?.iteration ?? 0]);
  result.history.versions = versionsWithin(state, settings, keep, jsonBytes(result));
  return reduceResult(result, payloadLimit(settings));
}

/** The attempts of a loop that raises, as many and as whole as fit. */
export function failedAttempts(state: LoopState, settings: LoopSettings): AttemptSummary[] {
  const best = bestSoFar(state)?.iteration ?? 0;
  const final = finalOf(state, settings, state.stopped?.reason ?? 'error')?.iteration ?? 0;
  const versions = versionsWithin(state, settings, new Set([best, final]), 0);
  const isBest = ({ iteration }: { iteration: number }): boolean => iteration === best;
  return reduceToFit(versions.map(attemptOf), payloadLimit(settings), [
    () => versions.map((version) => (isBest(version) ? version : withoutOutput(version))).map(attemptOf),
    (attempts) => attempts.map((attempt) => (isBest(attempt) ? attempt : { ...attempt, errors: [] })),
    (attempts) => attempts.map((attempt) => ({ ...attempt, errors: attempt.errors.slice(0, FEW_ISSUES) })),
  ]);
}

function attemptOf({ iteration, output, evaluation }: ReflectionVersion): AttemptSummary {
  const { overallScore: score, satisfactory: valid } = evaluation;
  return { iteration, output, score, valid, errors: errorsOf(evaluation) };
}

export function historyEntry(version: ReflectionVersion): HistoryEntry {
  const attempt = attemptOf(version);
  const { score, valid, errors } = attempt;
  const { calls: _calls, callsOmitted: _omitted, ...evaluation } = version.evaluation;
  return { ...attempt, evaluation: { ...evaluation, score, valid, errors, reason: evaluation.reason ?? '' } };
}

export function errorsOf(evaluation: Pick<ReflectionEvaluation, 'issues'>): AttemptSummary['errors'] {
  return evaluation.issues.map(({ message, path, type, suggestion }) =>
    omitUndefined({ message, path, type, suggestion }),
  );
}

/** A workflow that runs a loop inside of it returns any result that its owner likes. */
export function isLoopResult(result: unknown): result is ReflectionResult {
  const history = isJsonObject(result) ? result['history'] : undefined;
  return isJsonObject(history) && Array.isArray(history['versions']);
}
