/** A workflow of somebody's own, with loops that fill its history. */
import { reflect, type ReflectionResult, type ReflectionSpec } from '../../src/workflow';

/** Runs loops side by side, and lives to tell how each ended. */
export async function manyLoops(specs: ReflectionSpec[]): Promise<Pick<ReflectionResult, 'convergenceReason'>[]> {
  const results = await Promise.all(specs.map((spec) => reflect(spec)));
  return results.map(({ convergenceReason, iterationsUsed, history, finalOutput }) => ({
    convergenceReason,
    iterationsUsed,
    warnings: history.versions.flatMap(({ warnings }) => warnings),
    length: (finalOutput as string).length,
  }));
}
