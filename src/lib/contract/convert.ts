import { z } from 'zod';
import { jsonSchemaHintsOf } from './json-schema-hints';

const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
/** ASCII that is neither a letter nor a digit: no language but JavaScript and Go has `\p` in its own patterns. */
const SIGNS = '\\x00-/:-@\\[-`{-\\x9f';

/** Forms that other languages lack, and their replacements, which take the same or a little more: the worker checks all of it. */
const FORMS: readonly [RegExp, string][] = [
  // Conditions without brackets in them.
  [/\(\?[=!](?:[^()\\]|\\.)*\)/g, ''],
  [/\\P\{Cc\}/g, `[^${CONTROL}]`],
  [/\\p\{Cc\}/g, CONTROL],
  [/\[\\p\{L\}\\p\{N\}\]/g, `[^${SIGNS}]`],
  [/\\\//g, '/'],
];

/**
 * Returns a pattern of a published JSON Schema in the forms that the regular expressions of all languages share: programs make
 * types of the schemas, and the patterns of Python, Go (RE2), Rust and Java differ from those of JavaScript.
 */
export function portablePattern(pattern: string): string {
  const shared = FORMS.reduce((text, [form, other]) => text.replace(form, () => other), pattern);
  return shared.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

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
