import type { z } from 'zod';

/** What a JSON Schema says for a zod schema that zod cannot put into one. */
export interface JsonSchemaHints {
  /** It picks one of these by hand, so that mistakes are told for the form that was meant. */
  forms?: () => readonly z.ZodType[];
  /** It checks with a function; this says the same, as far as a JSON Schema can. */
  json?: Record<string, unknown>;
  /** Beside what zod shows, it asks for this. */
  also?: Record<string, unknown>;
}

const descriptions = new WeakMap<object, JsonSchemaHints>();

/** Says what a schema is that is more than zod shows. */
export function addJsonSchemaHints(schema: object, description: JsonSchemaHints): void {
  descriptions.set(schema, description);
}

/** What was said of a schema, or of the one that it refines. */
export function jsonSchemaHintsOf(schema: z.core.$ZodType): JsonSchemaHints | undefined {
  const { parent } = schema._zod;
  return descriptions.get(schema) ?? (parent && jsonSchemaHintsOf(parent));
}
