import type { Json } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import type { KeptCalls } from '../contract/calls';
import type { ReflectionEvaluation } from '../contract/evaluation';
import {
  boundCalls,
  EVALUATION_CALLS_BYTES,
  keptCalls,
  VERSION_CALLS_BYTES,
  withoutResults,
} from '../evidence/bounded-calls';
import type { ReflectionVersion } from '../state/loop-state';

export function withoutOutput(version: ReflectionVersion): ReflectionVersion {
  if (version.omittedBytes !== undefined) return version;
  return { ...version, output: null satisfies Json, omittedBytes: jsonBytes(version.output) };
}

function withCalls<T extends KeptCalls>({ calls: _calls, callsOmitted: _omitted, ...rest }: T, kept: KeptCalls) {
  return { ...rest, ...keptCalls(kept) };
}

function withoutCalls<T extends KeptCalls>({
  calls,
  callsOmitted = 0,
  ...rest
}: T): Omit<T, keyof KeptCalls> & KeptCalls {
  const omitted = callsOmitted + (calls?.length ?? 0);
  return { ...rest, ...(omitted > 0 && { callsOmitted: omitted }) };
}

/** Removes the findings of the evaluation from a version: outcome and score stay. */
export function withoutDetails(version: ReflectionVersion): ReflectionVersion {
  const { evaluation, reflections: _reflections, ...others } = version;
  const { reason: _reason, proofs: _proofs, ...rest } = withoutCalls(evaluation);
  return {
    ...withoutCalls(others),
    improvementsApplied: [],
    warnings: [],
    evaluation: { ...rest, criteriaScores: {}, issues: [], suggestions: [], evaluators: [] },
  };
}

export function withoutJudgeResults(evaluation: ReflectionEvaluation): ReflectionEvaluation {
  return evaluation.calls ? { ...evaluation, ...withoutResults(evaluation) } : evaluation;
}

export function withoutCallResults(version: ReflectionVersion): ReflectionVersion {
  const own = version.calls ? { ...version, ...withoutResults(version) } : version;
  return version.evaluation.calls ? { ...own, evaluation: withoutJudgeResults(version.evaluation) } : own;
}

/** Calls are cut to what one version may have, those of judges to two evaluations; versions to keep, and the latest, lose theirs last. */
export function boundCallsOfVersions(
  versions: readonly ReflectionVersion[],
  keep: ReadonlySet<number>,
): ReflectionVersion[] {
  let left = VERSION_CALLS_BYTES;
  let leftOfJudges = 2 * EVALUATION_CALLS_BYTES;
  const bounded = new Map<number, ReflectionVersion>();
  const order = [...versions].toSorted(
    (one, other) =>
      Number(keep.has(other.iteration)) - Number(keep.has(one.iteration)) || other.iteration - one.iteration,
  );
  for (const version of order) {
    let reduced = version;
    if (version.calls) {
      const kept = boundCalls(version, left);
      left -= jsonBytes(kept.calls);
      reduced = withCalls(version, kept);
    }
    if (version.evaluation.calls) {
      const kept = boundCalls(version.evaluation, leftOfJudges);
      leftOfJudges -= jsonBytes(kept.calls);
      reduced = { ...reduced, evaluation: withCalls(version.evaluation, kept) };
    }
    if (reduced !== version) bounded.set(version.iteration, reduced);
  }
  return versions.map((version) => bounded.get(version.iteration) ?? version);
}

const LONG_MS = 1_000_000_000;

/** Times must not decide what is kept: a run that was held up ends as one that was not. */
function timelessBytes(version: ReflectionVersion): number {
  const { evaluation } = version;
  const evaluators = evaluation.evaluators.map((evaluator) => ({ ...evaluator, ms: LONG_MS }));
  return jsonBytes({ ...version, evaluation: { ...evaluation, evaluators } });
}

/** The others lose results of their calls, then their output, then their evaluation's details, then themselves, oldest first. */
export function truncateVersions(
  versions: readonly ReflectionVersion[],
  keep: ReadonlySet<number>,
  budgetBytes: number,
): ReflectionVersion[] {
  const slim: (ReflectionVersion | undefined)[] = [...versions];
  const sizes = versions.map((version) => (keep.has(version.iteration) ? 0 : timelessBytes(version)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const reduce of [withoutCallResults, withoutOutput, withoutDetails, () => undefined]) {
    for (const [index, version] of slim.entries()) {
      if (total <= budgetBytes) break;
      if (!version || keep.has(version.iteration)) continue;
      const reduced = reduce(version);
      const size = reduced ? timelessBytes(reduced) : 0;
      total += size - sizes[index]!;
      sizes[index] = size;
      slim[index] = reduced;
    }
  }
  return slim.filter((version) => version !== undefined);
}
