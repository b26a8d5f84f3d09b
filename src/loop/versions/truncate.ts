import type { Json } from '../../lib/json/json';
import { jsonBytes } from '../../lib/json/json-bytes';
import { boundCalls, keptCalls, VERSION_CALLS_BYTES, withoutResults } from '../evidence/bounded-calls';
import type { ReflectionVersion } from '../state/loop-state';

/** Removes the output from a version. */
export function withoutOutput(version: ReflectionVersion): ReflectionVersion {
  if (version.omittedBytes !== undefined) return version;
  return { ...version, output: null satisfies Json, omittedBytes: jsonBytes(version.output) };
}

/** Removes the findings of the evaluation from a version: outcome and score stay. */
export function withoutDetails(version: ReflectionVersion): ReflectionVersion {
  const { evaluation } = version;
  const { reason: _reason, ...rest } = evaluation;
  const { reflections: _reflections, calls, callsOmitted = 0, ...others } = version;
  const omitted = callsOmitted + (calls?.length ?? 0);
  return {
    ...others,
    ...(omitted > 0 && { callsOmitted: omitted }),
    improvementsApplied: [],
    warnings: [],
    evaluation: { ...rest, criteriaScores: {}, issues: [], suggestions: [], evaluators: [] },
  };
}

/** Removes the results of its calls from a version. */
export function withoutCallResults(version: ReflectionVersion): ReflectionVersion {
  return version.calls ? { ...version, ...withoutResults(version) } : version;
}

/**
 * Reduces the calls of all versions together to so many bytes as one version may have: those of the versions to keep, and of the
 * latest, stay longest.
 */
export function boundCallsOfVersions(
  versions: readonly ReflectionVersion[],
  keep: ReadonlySet<number>,
): ReflectionVersion[] {
  let left = VERSION_CALLS_BYTES;
  const bounded = new Map<number, ReflectionVersion>();
  const order = [...versions].toSorted(
    (one, other) =>
      Number(keep.has(other.iteration)) - Number(keep.has(one.iteration)) || other.iteration - one.iteration,
  );
  for (const { calls, callsOmitted, ...version } of order) {
    if (!calls) continue;
    const kept = boundCalls({ calls, callsOmitted: callsOmitted ?? 0 }, left);
    left -= jsonBytes(kept.calls);
    bounded.set(version.iteration, { ...version, ...keptCalls(kept) });
  }
  return versions.map((version) => bounded.get(version.iteration) ?? version);
}

/** A duration with more digits than that of any evaluation. */
const LONG_MS = 1_000_000_000;

/**
 * Counts the bytes of a version as JSON, however long its evaluators took. The decision about what is kept must not depend on
 * times: a run that was held up ends as one that was not.
 */
function timelessBytes(version: ReflectionVersion): number {
  const { evaluation } = version;
  const evaluators = evaluation.evaluators.map((evaluator) => ({ ...evaluator, ms: LONG_MS }));
  return jsonBytes({ ...version, evaluation: { ...evaluation, evaluators } });
}

/**
 * Reduces the versions to at most so many bytes of JSON, those to keep not counted: the others lose the results of their calls, then their output, then their
 * evaluation's details, then themselves, oldest first.
 */
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
