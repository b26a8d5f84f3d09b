import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { strictSchema } from './strict-schema';

/** The form that a model's reply is to have, as it is sent to the model: a JSON Schema. */
export interface ReplyForm {
  /** Always one of an object. */
  schema: JsonObject;
  /** Whether strict structured output accepts the schema. */
  strict: boolean;
  /** The property that holds the value, where the value need not be an object. */
  wrapper?: string;
}

const TELLING = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'items',
  'prefixItems',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
];

const OF_TEXTS = ['enum', 'const', 'pattern', 'format'];

/** Keywords by which the root of a schema of an object may be something else as well. */
const CHOICES = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const', 'not', 'if'];

const WRAPPERS = ['value', 'result', 'output', 'reply'];

/** Keywords that say nothing about a value, and that not every endpoint knows. */
const OF_NO_VALUE = new Set(['$schema', '$id', '$comment']);

function has(schema: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(schema, key));
}

function isSelfContained(value: Json, depth = 0): boolean {
  if (Array.isArray(value)) return value.every((each) => isSelfContained(each, depth + 1));
  if (!isJsonObject(value)) return true;
  const { $ref: reference, $id: name } = value;
  if (typeof reference === 'string' && !/^#(?:\/|$)/.test(reference)) return false;
  if (depth > 0 && typeof name === 'string') return false;
  if (typeof value['$dynamicRef'] === 'string' || typeof value['$recursiveRef'] === 'string') return false;
  return Object.values(value).every((each) => isSelfContained(each, depth + 1));
}

function withRootInlined(schema: JsonObject): JsonObject {
  const { $ref: reference, ...rest } = schema;
  const [, kind, name] = /^#\/(\$defs|definitions)\/([^/%~]+)$/.exec(String(reference)) ?? [];
  const isAlone = Object.keys(rest).every((key) => key === '$defs' || key === 'definitions');
  const definitions = kind === undefined ? undefined : schema[kind];
  const target = name !== undefined && isJsonObject(definitions) ? definitions[name] : undefined;
  return isAlone && isJsonObject(target) && !has(target, ['$ref', '$defs', 'definitions'])
    ? { ...target, ...rest }
    : schema;
}

/** Moves the references inside of a schema that is placed one level deeper; definitions stay at the root. */
function relocateReferences(value: Json, to: string): Json {
  if (Array.isArray(value)) return value.map((each) => relocateReferences(each, to));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key !== '$ref' || typeof each !== 'string') return [key, relocateReferences(each, to)];
      return [key, /^#\/(?:\$defs|definitions)\//.test(each) ? each : `#${to}${each.slice(1)}`];
    }),
  );
}

function wrapSchema(schema: JsonObject, wrapper: string): JsonObject {
  const { $defs, definitions, ...inner } = schema;
  const to = `/properties/${wrapper}`;
  return {
    type: 'object',
    properties: { [wrapper]: relocateReferences(inner, to) },
    required: [wrapper],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs: relocateReferences($defs, to) }),
    ...(definitions === undefined ? {} : { definitions: relocateReferences(definitions, to) }),
  };
}

function withoutNames(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !OF_NO_VALUE.has(key)));
}

function formOf(schema: JsonObject): ReplyForm {
  const strict = strictSchema(schema);
  return strict ? { schema: strict, strict: true } : { schema, strict: false };
}

/** Endpoints require an object: any other value is its only property. Undefined for prose, no rule, and references that lead out. */
export function replyFormOf(given: JsonObject): ReplyForm | undefined {
  if (!has(given, TELLING) || !isSelfContained(given)) return undefined;
  if (given['type'] === 'string' && !has(given, OF_TEXTS)) return undefined;
  const schema = withRootInlined(withoutNames(given));
  if (!has(schema, CHOICES) && (schema['type'] ?? 'object') === 'object' && !isOfList(schema)) {
    return formOf({ type: 'object', ...schema });
  }
  const text = JSON.stringify(schema);
  const wrapper = WRAPPERS.find((name) => !text.includes(`"${name}"`)) ?? WRAPPERS[0]!;
  return { ...formOf(wrapSchema(schema, wrapper)), wrapper };
}

function isOfList(schema: JsonObject): boolean {
  return schema['type'] === undefined && has(schema, ['items', 'prefixItems']);
}

export function replyInWords(schema: JsonObject): string {
  return [
    'Reply with JSON that matches this JSON Schema, and with nothing else: no introduction, no code fence.',
    JSON.stringify(withoutNames(schema)),
  ].join('\n');
}
