import type { z, ZodType } from 'zod';
import { UnexpectedOutputError } from '../../loop/errors/errors';
import { OWN_WORDS } from '../../lib/contract/issue-sentence';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { ReflectionResult } from '../../loop/contract/results';
import { OUTPUT, type Typed } from '../../loop/spec/typed';
import type { RunReference } from '../../calls/call-options';
import type { Started } from '../../calls/run-kind';
import { outputSchemaOf } from './define-spec';

/** The expected output of a run. */
export interface OutputOption<Schema extends ZodType> {
  /**
   * Parses the output, so that the result has its type. It does not affect the loop; evaluators do that. If it rejects
   * the final output, the method throws `UnexpectedOutputError`.
   */
  output: Schema;
}

/**
 * Parses the outputs of a result by a schema. If the schema rejects `bestOutput`, it is null; the history has it. Throws
 * UnexpectedOutputError if the schema rejects the final output. A run without any output has null, which is not rejected.
 */
export async function typedResult<Schema extends ZodType>(
  result: ReflectionResult,
  schema: Schema,
): Promise<ReflectionResult<z.output<Schema>>> {
  if (result.history.finalIteration === null) return { ...result, finalOutput: null, bestOutput: null };
  const final = await schema.safeParseAsync(result.finalOutput, OWN_WORDS);
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

/** A run of a typed spec. Its result has the type of the spec's output. */
export type TypedRun<Wire, Parsed = Wire> = Started<ReflectionResult<Parsed>> & Typed<Wire, Parsed>;

/** A run of a typed spec, as far as `result` asks for it. */
export type TypedReference<Parsed> = RunReference & Typed<unknown, Parsed>;

/** Reads a result by the schema of a typed spec, or of its run. Throws UnexpectedOutputError. */
export async function readResult(result: ReflectionResult, given: string | object): Promise<ReflectionResult<unknown>> {
  const schema = outputSchemaOf(given);
  return schema ? typedResult(result, schema) : result;
}

export function typedRun(spec: object, started: Started<ReflectionResult>): Started<ReflectionResult<unknown>> {
  const output = outputSchemaOf(spec);
  if (!output) return started;
  const result = async (waiting = {}) => readResult(await started.result(waiting), spec);
  return Object.assign({ ...started, result }, { [OUTPUT]: output });
}
