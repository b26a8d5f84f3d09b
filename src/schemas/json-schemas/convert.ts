import { z } from 'zod';
import { jsonSchemaHintsOf } from '../json-schema-hints';

/** A JSON Schema, as an object. */
export type JsonSchema = Record<string, unknown>;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function replaced(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}

/** The JSON Schema of what a zod schema takes. What a schema does by hand is put in from its description. */
export function converted(schema: z.ZodType): JsonSchema {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const form = jsonSchemaHintsOf(zodSchema);
      if (form?.json) replaced(jsonSchema as JsonSchema, structuredClone(form.json));
      if (form?.also) Object.assign(jsonSchema, structuredClone(form.also));
      if (form?.forms) replaced(jsonSchema as JsonSchema, { anyOf: form.forms().map(converted) });
    },
  });
  return rest;
}

export function titled(title: string, description: string, schema: JsonSchema): JsonSchema {
  return { $schema: DRAFT, title, description, ...schema };
}
