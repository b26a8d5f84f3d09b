import type { z, ZodType } from 'zod';
import { UnexpectedOutputError } from '../domain/errors/errors';
import { jsonPointer } from '../domain/base/json-pointer';
import type { ReflectionResult } from '../domain/versions/result';

/** What the output of a run is expected to be. */
export interface OutputOption<Schema extends ZodType> {
  /**
   * Reads the output: the result then has its type. It does not judge versions, which is what evaluators are for: a result
   * whose final output it refuses is an `UnexpectedOutputError`.
   */
  output: Schema;
}

/**
 * A result whose outputs were read by a schema. A `bestOutput` that the schema refuses is null; the history has it.
 *
 * @throws UnexpectedOutputError when it refuses the final output. A run without any output has null and is not refused
 */
export async function typedResult<Schema extends ZodType>(
  result: ReflectionResult,
  schema: Schema,
): Promise<ReflectionResult<z.output<Schema>>> {
  if (result.history.finalIteration === null) return { ...result, finalOutput: null, bestOutput: null };
  const final = await schema.safeParseAsync(result.finalOutput);
  if (!final.success) {
    const problems = final.error.issues.map(({ path, message }) => ({
      path: jsonPointer(path.map(String)),
      message,
    }));
    throw new UnexpectedOutputError(problems, result);
  }
  const best = await schema.safeParseAsync(result.bestOutput);
  return { ...result, finalOutput: final.data, bestOutput: best.success ? best.data : null };
}
