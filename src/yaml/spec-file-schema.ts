import { isJsonObject } from '../domain/json';
import { type JsonSchema, jsonSchemas } from '../schemas/index';
import { FLAT_KEYS } from './key-names';

const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A required key is there in either way of writing. */
function requiredEitherWay(required: readonly string[]): JsonSchema {
  const plain = required.filter((key) => snakeCase(key) === key);
  const written = required.filter((key) => snakeCase(key) !== key);
  const both = written.map((key) => ({ anyOf: [{ required: [key] }, { required: [snakeCase(key)] }] }));
  return { ...(plain.length > 0 ? { required: plain } : {}), ...(both.length > 0 ? { allOf: both } : {}) };
}

/** The same schema, for files: every key may be written in snake_case. What has no properties is a user's data. */
function eitherCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(eitherCase);
  if (!isJsonObject(schema)) return schema;
  const { properties, required, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, eitherCase(value)]));
  if (!isJsonObject(properties)) return inner;
  const doubled = Object.entries(properties).flatMap(([key, value]) => {
    const content = eitherCase(value);
    return [...new Set([key, snakeCase(key)])].map((name) => [name, content]);
  });
  return { ...inner, properties: Object.fromEntries(doubled), ...requiredEitherWay((required ?? []) as string[]) };
}

/** Flat keys of files, which stand for a field of an object: those whose object is built. */
function flatProperties(properties: JsonSchema): JsonSchema {
  const entries = Object.entries(FLAT_KEYS).flatMap(([flat, [object, field]]) => {
    const holder = properties[object];
    const inside = isJsonObject(holder) ? holder['properties'] : undefined;
    const content = isJsonObject(inside) ? inside[field] : undefined;
    return content === undefined ? [] : [flat, snakeCase(flat)].map((name) => [name, content]);
  });
  return Object.fromEntries(entries) as JsonSchema;
}

/** What `quality_criteria` at the top may hold: the criteria of an evaluator. */
function criteriaSchema(evaluator: unknown): unknown {
  if (Array.isArray(evaluator)) return evaluator.map(criteriaSchema).find((found) => found !== undefined);
  if (!isJsonObject(evaluator)) return undefined;
  const { properties, anyOf } = evaluator;
  return isJsonObject(properties) ? properties['criteria'] : criteriaSchema(anyOf);
}

/** The JSON Schema of a YAML file that holds a spec, for editors. */
export function specFileSchema(): JsonSchema {
  const wire = jsonSchemas()['spec.json']!;
  const { properties, required, ...rest } = eitherCase(wire) as JsonSchema & { properties: JsonSchema };
  const criteria = criteriaSchema(properties['evaluator']);
  const judges = ['evaluator', 'qualityCriteria', 'quality_criteria'].map((key) => ({ required: [key] }));
  return {
    ...rest,
    title: 'Reflection spec file',
    description: 'A YAML file with the spec of a loop. Keys may be written in camelCase or snake_case.',
    properties: {
      ...flatProperties(properties),
      ...properties,
      qualityCriteria: criteria,
      quality_criteria: criteria,
    },
    required: (required as string[]).filter((key) => key !== 'evaluator'),
    anyOf: judges,
  };
}
