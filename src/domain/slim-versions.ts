import type { Json } from './json';
import type { ReflectionVersion } from './version';

/** Bytes of a text in UTF-8. Linear, and without Node's `Buffer`: workflow code calls it. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair is counted as 2 of the pair's 4 bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

/** Bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? 'null');
}

/** A version without its output. */
export function withoutOutput(version: ReflectionVersion): ReflectionVersion {
  if (version.omittedBytes !== undefined) return version;
  return { ...version, output: null satisfies Json, omittedBytes: jsonBytes(version.output) };
}

/** A version without what its evaluation found: outcome and score stay. */
export function withoutDetails(version: ReflectionVersion): ReflectionVersion {
  const { evaluation } = version;
  const { reason: _reason, ...rest } = evaluation;
  const { reflections: _reflections, ...others } = version;
  return {
    ...others,
    improvementsApplied: [],
    warnings: [],
    evaluation: { ...rest, criteriaScores: {}, issues: [], suggestions: [], evaluators: [] },
  };
}

/**
 * The versions in at most so many bytes of JSON, those to keep not counted: the others lose their output, then their
 * evaluation's details, then themselves, oldest first.
 */
export function slimVersions(
  versions: readonly ReflectionVersion[],
  keep: ReadonlySet<number>,
  budgetBytes: number,
): ReflectionVersion[] {
  const slim: (ReflectionVersion | undefined)[] = [...versions];
  const sizes = slim.map((version) => (version && keep.has(version.iteration) ? 0 : jsonBytes(version)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (const reduce of [withoutOutput, withoutDetails, () => undefined]) {
    for (const [index, version] of slim.entries()) {
      if (total <= budgetBytes) break;
      if (!version || keep.has(version.iteration)) continue;
      const reduced = reduce(version);
      const size = reduced ? jsonBytes(reduced) : 0;
      total += size - sizes[index]!;
      sizes[index] = size;
      slim[index] = reduced;
    }
  }
  return slim.filter((version) => version !== undefined);
}
