import type { TaskResult } from '../reflector/types';
import { jsonBytes } from '../base/json-bytes';

/**
 * Results within a number of bytes as JSON: the largest outputs are left out, and say so, until they fit. What a task
 * made was handed to those that depend on it already.
 */
export function slimResults(results: readonly TaskResult[], limit: number): TaskResult[] {
  const sizes = results.map(({ output }) => (output === undefined ? 0 : jsonBytes(output)));
  // Each output is written once only: there may be a whole history of them, and workflow code has two seconds.
  let total =
    jsonBytes(results.map(({ output: _output, ...rest }) => rest)) + sizes.reduce((sum, size) => sum + size, 0);
  const left = new Set<number>();
  const largestFirst = sizes.map((_, index) => index).sort((a, b) => sizes[b]! - sizes[a]!);
  for (const index of largestFirst) {
    if (total <= limit) break;
    left.add(index);
    total -= sizes[index]!;
  }
  return results.map((result, index) =>
    left.has(index) ? { ...result, output: `(${sizes[index]} bytes of output are left out)` } : result,
  );
}
