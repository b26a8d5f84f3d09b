import type { TaskResult } from '../reflector/types';

/**
 * Results within a number of characters as JSON: the largest outputs are left out, and say so, until they fit. What a task
 * made was handed to those that depend on it already.
 */
export function slimResults(results: readonly TaskResult[], limit: number): TaskResult[] {
  const sizes = results.map(({ output }) => (output === undefined ? 0 : JSON.stringify(output).length));
  let total = JSON.stringify(results).length;
  const left = new Set<number>();
  const largestFirst = sizes.map((_, index) => index).sort((a, b) => sizes[b]! - sizes[a]!);
  for (const index of largestFirst) {
    if (total <= limit) break;
    left.add(index);
    total -= sizes[index]!;
  }
  return results.map((result, index) =>
    left.has(index) ? { ...result, output: `(${sizes[index]} characters of output are left out)` } : result,
  );
}
