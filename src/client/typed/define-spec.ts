import type { z, ZodType } from 'zod';
import { omitUndefined } from '../../lib/base/defined';
import type { Evaluator, SchemaEvaluator } from '../../loop/contract/evaluators';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { OUTPUT, type TypedSpec } from '../../loop/spec/typed';
import { jsonSchemaOf } from './json-schema-of';

/** A schema evaluator whose schema is a JSON Schema or a zod schema; any other evaluator as it is. */
export type EvaluatorInput =
  | Exclude<Evaluator, SchemaEvaluator>
  | (Omit<SchemaEvaluator, 'schema'> & { schema: SchemaEvaluator['schema'] | ZodType });

/** The zod schema among evaluators; never without one. */
type SchemaIn<Evaluators> = Evaluators extends readonly (infer Each)[]
  ? SchemaIn<Each>
  : Evaluators extends { type: 'schema'; schema: infer Schema extends ZodType }
    ? Schema
    : Evaluators extends { readonly [OUTPUT]: infer Schema extends ZodType }
      ? Schema
      : never;

/** A spec with the type of its output, where a zod schema judges it. */
export type DefinedSpec<Evaluators> = [SchemaIn<Evaluators>] extends [never]
  ? ReflectionSpec
  : TypedSpec<z.input<SchemaIn<Evaluators>>, z.output<SchemaIn<Evaluators>>>;

/** Returns whether a schema is one of zod's; the caller's copy of zod may be another one than ours. */
function isZod(schema: SchemaEvaluator['schema'] | ZodType): schema is ZodType {
  return typeof schema === 'object' && '_zod' in schema;
}

function convertForWire(evaluator: EvaluatorInput, at: readonly string[]): Evaluator & Partial<{ [OUTPUT]: unknown }> {
  if (evaluator.type !== 'schema' || !isZod(evaluator.schema)) return evaluator as Evaluator;
  const { schema } = evaluator;
  return { ...evaluator, schema: jsonSchemaOf(schema, [...at, 'schema']), [OUTPUT]: schema };
}

/**
 * Returns an evaluator that checks outputs against a zod schema. The JSON Schema of the schema's input goes over the wire;
 * its transforms and defaults are applied by the client.
 *
 * @throws InvalidSpecError with the path of each part that JSON Schema cannot express, such as a `Date` or a refinement
 */
export function schemaEvaluator<Schema extends ZodType>(
  schema: Schema,
  { name, weight, gate, coerce }: Pick<SchemaEvaluator, 'name' | 'weight' | 'gate' | 'coerce'> = {},
): SchemaEvaluator & { readonly [OUTPUT]: Schema } {
  const json = jsonSchemaOf(schema, ['schema']);
  return { type: 'schema', ...omitUndefined({ name, weight, gate, coerce }), schema: json, [OUTPUT]: schema };
}

/**
 * Returns a spec whose schema evaluator may have a zod schema. The client then parses the outputs of its runs with the first
 * one, and the results of `run`, `runOnce`, `start`, `result` and `reflect()` have its type. A copy with another evaluator,
 * such as `{ ...spec, evaluator }`, keeps the schema and the type of the first one: pass it to `defineSpec` again.
 *
 * @throws InvalidSpecError with the path of each part that JSON Schema cannot express
 */
export function defineSpec<Evaluators extends EvaluatorInput | EvaluatorInput[]>(
  spec: Omit<ReflectionSpec, 'evaluator'> & { evaluator: Evaluators },
): DefinedSpec<Evaluators> {
  // A copy of a typed spec has the schema of the evaluator that it had.
  const { evaluator, [OUTPUT]: _former, ...rest } = spec as typeof spec & { [OUTPUT]?: unknown };
  const given = [evaluator].flat() as EvaluatorInput[];
  const isList = Array.isArray(evaluator);
  const evaluators = given.map((each, index) =>
    convertForWire(each, isList ? ['evaluator', `${index}`] : ['evaluator']),
  );
  const output = evaluators.find((each) => each[OUTPUT] !== undefined)?.[OUTPUT];
  const wire = { ...rest, evaluator: isList ? evaluators : evaluators[0]! };
  return (output ? { ...wire, [OUTPUT]: output } : wire) as DefinedSpec<Evaluators>;
}

/** Returns the schema of a typed spec's output, or of the run of one; undefined for others. */
export function outputSchemaOf(given: string | object): ZodType | undefined {
  return typeof given === 'string' ? undefined : (given as { [OUTPUT]?: ZodType })[OUTPUT];
}
