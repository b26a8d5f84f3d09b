import { z } from 'zod';
import { jsonSchemaHintsOf } from './json-schema-hints';
import { portablePattern } from './portable-pattern';

/** A JSON Schema, as an object. */
export type JsonSchema = Record<string, unknown>;

/** The keys of a schema that say what a field means, beside those that say what it holds. */
const MEANING = ['description', 'default'];

export function meaningOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => MEANING.includes(key)));
}

export function takesAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => MEANING.includes(key));
}

function replaceContent(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) if (!MEANING.includes(key)) delete target[key];
  Object.assign(target, content);
}

/** Returns the JSON Schema of the values that a zod schema takes. Hints add what a schema checks by hand. */
export function convertSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const form = jsonSchemaHintsOf(zodSchema);
      if (form?.json) replaceContent(jsonSchema as JsonSchema, structuredClone(form.json));
      if (form?.also) Object.assign(jsonSchema, structuredClone(form.also));
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = portablePattern(jsonSchema.pattern);
      if (form?.forms) replaceContent(jsonSchema as JsonSchema, { anyOf: form.forms().map(convertSchema) });
    },
  });
  return rest;
}
