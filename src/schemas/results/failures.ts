import { z } from 'zod';
import type { Assert, SameType } from '../../domain/base/same-type';
import type { SpecProblem } from '../../domain/base/spec-problem';
import { attempt } from '../../contract/evaluation';

// The first detail of a failure, by its type. More details may stand behind it, such as the node of a pipeline that failed.

const problem = z.object({ path: z.string(), message: z.string() });

/** Of a pipeline. */
const place = { node: z.string().optional(), index: z.int().min(0).optional() };

/** Of `InvalidSpec`, `UnknownAction` and `UnknownModel`: all mistakes. */
export const specFailureSchema = z.array(problem).min(1);

/** Of `ReflectionFailedError`: every attempt. */
export const reflectionFailureSchema = z.object({ history: z.array(attempt), ...place });

/** Of `StepFailed`, `Model.…` and `OutputTooLarge`: what failed. */
export const stepFailureSchema = z.union([
  z.object({ step: z.string(), iteration: z.int().min(1).optional(), ...place }),
  z.object({ ...place, node: z.string(), index: z.int().min(0) }),
]);

/** Of inline code that failed: behind the step that it was, or in it. */
export const codeFailureSchema = z.object({ language: z.string(), line: z.int().min(1).nullable(), ...place });

/** Does not compile when a schema and its interface differ, in either direction. */
export type FailureSchemasFit = Assert<SameType<z.output<typeof problem>, SpecProblem>>;
