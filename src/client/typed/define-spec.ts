import { z, type ZodType } from 'zod';
import { omitUndefined } from '../../lib/base/defined';
import { isZod, foreignSchemaProblem } from '../../lib/contract/foreign-schema';
import type { SchemaEvaluator } from '../../loop/contract/evaluators';
import type { ReflectionSpecInput, ShortEvaluator } from '../../loop/contract/short-spec';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { expandSpec } from '../../loop/spec/short-form';
import { OUTPUT, type TypedSpec } from '../../loop/spec/typed';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { JsonObject } from '../../lib/json/json';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { InvalidSpecError } from '../../loop/errors/errors';

/** Returns whether a schema has a check that only its own code can make. */
function isRefined({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type !== 'custom' && (def.checks ?? []).some((check) => check._zod.def.check === 'custom');
}

const REFINED =
  'a refinement cannot be represented in JSON Schema, so no worker could check it; give a schema with it as `output` to `run` or `result`';

/**
 * The JSON Schema of the input of a zod schema, since the input goes over the wire.
 * @param at the path of the schema in the value that contains it
 * @throws InvalidSpecError with the path of each part that JSON Schema cannot express
 */
function jsonSchemaOf(schema: z.ZodType, at: readonly string[]): JsonObject {
  if (!isZod(schema)) {
    const message = foreignSchemaProblem(schema) ?? 'must be a zod schema';
    throw new InvalidSpecError([{ path: jsonPointer(at), message }]);
  }
  const problems: SpecProblem[] = [];
  const note = (path: (string | number)[], message: string): void => {
    problems.push({ path: jsonPointer([...at, ...path.map(String)]), message });
  };
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: ({ path, message }) => {
      note(path, `${message[0]!.toLowerCase()}${message.slice(1)}, which is what goes to the worker`);
      return 'any';
    },
    override: ({ zodSchema, path }) => {
      if (isRefined(zodSchema)) note(path, REFINED);
    },
  });
  if (problems.length > 0) throw new InvalidSpecError(problems);
  // What zod makes is JSON; it has properties of functions beside it that no enumeration sees.
  return converted as JsonObject;
}

/** An evaluator in its short or its long form; a schema evaluator may have a zod schema. */
export type EvaluatorInput =
  | Exclude<ShortEvaluator, SchemaEvaluator>
  | (Omit<SchemaEvaluator, 'schema' | 'type'> & { type?: 'schema'; schema: SchemaEvaluator['schema'] | ZodType });

/** The zod schema among evaluators; never without one. */
type SchemaIn<Evaluators> = Evaluators extends readonly (infer Each)[]
  ? SchemaIn<Each>
  : Evaluators extends { type?: 'schema'; schema: infer Schema extends ZodType }
    ? Schema
    : Evaluators extends { readonly [OUTPUT]: infer Schema extends ZodType }
      ? Schema
      : never;

/** A spec with the type of its output, where a zod schema judges it. */
export type DefinedSpec<Evaluators> = [SchemaIn<Evaluators>] extends [never]
  ? ReflectionSpec
  : TypedSpec<z.input<SchemaIn<Evaluators>>, z.output<SchemaIn<Evaluators>>>;

/** Returns an evaluator as JSON, and the zod schema in it. */
function convertForWire(given: EvaluatorInput, at: readonly string[]): { evaluator: unknown; output?: unknown } {
  if (typeof given === 'string') return { evaluator: given };
  const { schema } = given as { schema?: SchemaEvaluator['schema'] | ZodType };
  if (!isZod(schema)) return { evaluator: given, output: outputSchemaOf(given) };
  const evaluator = { ...given, schema: jsonSchemaOf(schema as ZodType, [...at, 'schema']), [OUTPUT]: schema };
  return { evaluator, output: schema };
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
 * Returns a spec in its long form; its schema evaluator may have a zod schema. The client then parses the outputs of its runs with the first
 * one, and the results of `run`, `runOnce`, `start`, `result` and `reflect()` have its type. A copy with another evaluator,
 * such as `{ ...spec, evaluator }`, keeps the schema and the type of the first one: pass it to `defineSpec` again.
 *
 * @throws InvalidSpecError with the path of each part that JSON Schema cannot express
 */
export function defineSpec<Evaluators extends EvaluatorInput | EvaluatorInput[]>(
  spec: Omit<ReflectionSpecInput, 'evaluator'> & { evaluator: Evaluators },
): DefinedSpec<Evaluators> {
  // A copy of a typed spec has the schema of the evaluator that it had.
  const { evaluator, [OUTPUT]: _former, ...rest } = spec as typeof spec & { [OUTPUT]?: unknown };
  const given = [evaluator].flat() as EvaluatorInput[];
  const isList = Array.isArray(evaluator);
  const evaluators = given.map((each, index) =>
    convertForWire(each, isList ? ['evaluator', `${index}`] : ['evaluator']),
  );
  const output = evaluators.find((each) => each.output !== undefined)?.output;
  const judged = evaluators.map((each) => each.evaluator);
  const short = { ...rest, evaluator: isList ? judged : judged[0] };
  const { value, problems } = expandSpec(short);
  // What has no meaning is refused where the loop is started, by the paths of what was written.
  const wire = problems.length === 0 ? (value as ReflectionSpec) : short;
  return (output ? { ...wire, [OUTPUT]: output } : wire) as DefinedSpec<Evaluators>;
}

/** Returns the schema of a typed spec's output, or of the run of one; undefined for others. */
export function outputSchemaOf(given: string | object): ZodType | undefined {
  return typeof given === 'string' ? undefined : (given as { [OUTPUT]?: ZodType })[OUTPUT];
}
