import { isJsonObject } from '../lib/json/json';
import type { JsonSchema } from '../lib/contract/convert';
import { snakeCase } from '../lib/yaml/key-names';
import { FLAT_KEYS } from './shapes';

function requiredEitherWay(required: readonly string[]): JsonSchema {
  const plain = required.filter((key) => snakeCase(key) === key);
  const written = required.filter((key) => snakeCase(key) !== key);
  const both = written.map((key) => ({ anyOf: [{ required: [key] }, { required: [snakeCase(key)] }] }));
  return { ...(plain.length > 0 ? { required: plain } : {}), ...(both.length > 0 ? { allOf: both } : {}) };
}

/** In a step `uses` and `action` mean the same; an evaluator, which may be a gate, has `action` only. */
function isStep(properties: JsonSchema): boolean {
  return 'action' in properties && !('uses' in properties) && !('gate' in properties);
}

export function inFile<Schema>(schema: Schema): Schema {
  return (isJsonObject(schema) && isSpec(schema['properties']) ? specInFile(schema) : eitherCase(schema)) as Schema;
}

const isSpec = (properties: unknown): boolean =>
  isJsonObject(properties) && 'generator' in properties && 'evaluator' in properties;

function eitherCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inFile);
  if (!isJsonObject(schema)) return schema;
  const { properties, required: asked, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inFile(value)]));
  const required = (asked ?? []) as string[];
  if (!isJsonObject(properties)) return { ...inner, ...(asked === undefined ? {} : requiredEitherWay(required)) };
  const doubled = Object.entries(properties).flatMap(([key, value]) => {
    const content = inFile(value);
    return [...new Set([key, snakeCase(key)])].map((name) => [name, content]);
  });
  if (!isStep(properties)) {
    return { ...inner, properties: Object.fromEntries(doubled), ...requiredEitherWay(required) };
  }
  return {
    ...inner,
    properties: Object.fromEntries([...doubled, ['uses', properties['action']]]),
    ...requiredEitherWay(required.filter((key) => key !== 'action')),
    oneOf: [{ required: ['action'] }, { required: ['uses'] }],
  };
}

function fieldOf(holder: unknown, field: string): unknown {
  if (!isJsonObject(holder)) return undefined;
  const { properties, anyOf } = holder;
  if (isJsonObject(properties)) return properties[field];
  return Array.isArray(anyOf)
    ? anyOf.map((form) => fieldOf(form, field)).find((found) => found !== undefined)
    : undefined;
}

function flatProperties(properties: JsonSchema): JsonSchema {
  const entries = Object.entries(FLAT_KEYS).flatMap(([flat, [object, field]]) => {
    const content = fieldOf(properties[object], field);
    return content === undefined ? [] : [flat, snakeCase(flat)].map((name) => [name, content]);
  });
  return Object.fromEntries(entries) as JsonSchema;
}

function criteriaSchema(evaluator: unknown): unknown {
  if (Array.isArray(evaluator)) return evaluator.map(criteriaSchema).find((found) => found !== undefined);
  if (!isJsonObject(evaluator)) return undefined;
  const { properties, anyOf } = evaluator;
  return isJsonObject(properties) ? properties['criteria'] : criteriaSchema(anyOf);
}

function specInFile(spec: JsonSchema): JsonSchema {
  const { properties, required, ...rest } = eitherCase(spec) as JsonSchema & { properties: JsonSchema };
  const criteria = criteriaSchema(properties['evaluator']);
  const judges = ['evaluator', 'qualityCriteria', 'quality_criteria'].map((key) => ({ required: [key] }));
  const { anyOf: forms, ...others } = rest;
  return {
    ...others,
    ...(forms === undefined ? {} : { allOf: [{ anyOf: forms }] }),
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

export function specFileSchema(short: JsonSchema): JsonSchema {
  return {
    ...inFile(short),
    title: 'Reflection spec file',
    description: 'A YAML file with the spec of a loop. Keys may be written in camelCase or snake_case.',
  };
}
