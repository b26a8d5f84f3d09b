import { isJsonObject, type Json, type JsonObject } from '../lib/json/json';
import { pointerSegments } from '../lib/json/json-pointer';

/** Keywords that endpoints refuse at the top of the parameters of a tool. */
const COMBINED = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', 'if', 'then', 'else', '$ref'] as const;

function resolveReference(root: JsonObject, schema: Json): JsonObject {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return isJsonObject(schema) ? schema : {};
  let found: Json | undefined = root;
  for (const segment of pointerSegments(reference.slice(1)))
    found = isJsonObject(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
  return isJsonObject(found) ? found : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function mergedProperties(branches: readonly JsonObject[]): JsonObject {
  const schemas = new Map<string, Map<string, Json>>();
  for (const { properties } of branches) {
    for (const [name, schema] of isJsonObject(properties) ? Object.entries(properties) : []) {
      const known = schemas.get(name) ?? new Map<string, Json>();
      schemas.set(name, known.set(JSON.stringify(schema), schema ?? {}));
    }
  }
  return Object.fromEntries(
    [...schemas].map(([name, known]) => [
      name,
      known.size === 1 ? [...known.values()][0]! : { anyOf: [...known.values()] },
    ]),
  );
}

/**
 * Writes the parameters of a tool as endpoints take them: an object with all keys of a union's branches, of which those are required
 * that each branch requires. The model sees more keys than it may combine; the action's own check refuses the rest.
 *
 * @returns undefined for parameters that are no object
 */
export function objectParameters(schema: JsonObject): JsonObject | undefined {
  const { type } = schema;
  if (type !== undefined && type !== 'object') return undefined;
  if (!COMBINED.some((keyword) => keyword in schema)) return { properties: {}, ...schema, type: 'object' };
  const root = resolveReference(schema, schema);
  const rest = Object.fromEntries(
    Object.entries({ ...schema, ...root }).filter(([keyword]) => !(COMBINED as readonly string[]).includes(keyword)),
  );
  const choices = [...listOf(root['oneOf']), ...listOf(root['anyOf'])].map((each) => resolveReference(schema, each));
  const parts = [root, ...listOf(root['allOf']).map((each) => resolveReference(schema, each))];
  if ([...choices, ...parts].some((each) => each['type'] !== undefined && each['type'] !== 'object')) return undefined;
  const [first = [], ...others] = choices.map(({ required }) => listOf(required));
  const shared = first.filter((key) => others.every((keys) => keys.includes(key)));
  const required = [...new Set([...parts.flatMap((part) => listOf(part['required'])), ...shared])];
  const { additionalProperties: _closed, ...open } = rest;
  return {
    ...open,
    type: 'object',
    properties: mergedProperties([...parts, ...choices]),
    ...(required.length > 0 && { required }),
  };
}
