import { z } from 'zod';
import { COMMAND_SCHEMAS } from './commands';
import { formOf } from './forms';
import { evaluationSchema, progressSchema, resultSchema, versionSchema } from './results';
import { specSchema } from './spec';

/** A JSON Schema, as an object. */
export type JsonSchema = Record<string, unknown>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function replaced(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}

/** The JSON Schema of what a zod schema takes. What a schema does by hand is put in from its description. */
function converted(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const form = formOf(zodSchema);
      if (form?.json) replaced(jsonSchema as JsonSchema, structuredClone(form.json));
      if (form?.also) Object.assign(jsonSchema, structuredClone(form.also));
      if (form?.forms) replaced(jsonSchema as JsonSchema, { anyOf: form.forms().map(converted) });
    },
  });
  return rest;
}

function titled(title: string, description: string, schema: z.ZodType): JsonSchema {
  return { $schema: DRAFT, title, description, ...converted(schema) };
}

/**
 * JSON Schemas (draft 2020-12) of what goes over the wire, by file name. They check the form, as `parseSpec` does; names of
 * actions and models, templates and patterns are checked by the worker.
 */
export function jsonSchemas(): Record<string, JsonSchema> {
  return {
    'spec.json': titled('ReflectionSpec', 'The argument of reflectionLoop.', specSchema),
    'evaluation.json': titled('ReflectionEvaluation', 'The judgement of one version.', evaluationSchema),
    'version.json': titled('ReflectionVersion', 'One output of a loop, with its evaluation.', versionSchema),
    'result.json': titled('ReflectionResult', 'The result of reflectionLoop.', resultSchema),
    'progress.json': titled(
      'Progress',
      'Where a run stands: the answer to the query `progress` and to every update.',
      progressSchema,
    ),
    ...Object.fromEntries(
      Object.entries(COMMAND_SCHEMAS).map(([name, schema]) => [
        `command-${name}.json`,
        titled(`Command ${name}`, `The payload of the signal and the update \`${name}\`.`, schema),
      ]),
    ),
  };
}
