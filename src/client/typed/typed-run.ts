import type { RunReference } from '../../calls/call-options';
import type { Started } from '../../calls/run-kind';
import { OUTPUT, type Typed } from '../../loop/spec/typed';
import type { ReflectionResult } from '../../loop/contract/results';
import { outputSchemaOf } from './define-spec';
import { typedResult } from './typed-result';

/** A run of a typed spec. Its result has the type of the spec's output. */
export type TypedRun<Wire, Parsed = Wire> = Started<ReflectionResult<Parsed>> & Typed<Wire, Parsed>;

/** A run of a typed spec, as far as `result` asks for it. */
export type TypedReference<Parsed> = RunReference & Typed<unknown, Parsed>;

/** Reads a result by the schema of a typed spec, or of its run. Throws UnexpectedOutputError. */
export async function readResult(result: ReflectionResult, given: string | object): Promise<ReflectionResult<unknown>> {
  const schema = outputSchemaOf(given);
  return schema ? typedResult(result, schema) : result;
}

/** Returns a run whose result is read by the schema of its spec, if the spec has one. */
export function typedRun(spec: object, started: Started<ReflectionResult>): Started<ReflectionResult<unknown>> {
  const output = outputSchemaOf(spec);
  if (!output) return started;
  const result = async (waiting = {}) => readResult(await started.result(waiting), spec);
  return Object.assign({ ...started, result }, { [OUTPUT]: output });
}
