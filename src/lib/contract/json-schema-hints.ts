import type { z } from 'zod';

interface JsonSchemaHints {
  /** The schema picks one by hand, so that problems are reported for the form that the author intended. */
  forms?: () => readonly z.ZodType[];
  /** The JSON Schema of what the schema checks with a function, as far as a JSON Schema can say it. */
  json?: Record<string, unknown>;
  also?: Record<string, unknown>;
}

const descriptions = new WeakMap<object, JsonSchemaHints>();

export function addJsonSchemaHints(schema: object, description: JsonSchemaHints): void {
  descriptions.set(schema, description);
}

/** Returns the hints of a schema, or of the one that it refines. */
export function jsonSchemaHintsOf(schema: z.core.$ZodType): JsonSchemaHints | undefined {
  const { parent } = schema._zod;
  return descriptions.get(schema) ?? (parent && jsonSchemaHintsOf(parent));
}
