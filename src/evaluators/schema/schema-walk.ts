import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { words } from '../replies/words';

export type JsonSchema = JsonObject | boolean;

const SCHEMAS = words(`additionalItems additionalProperties contains contentSchema else if items not propertyNames then
  unevaluatedItems unevaluatedProperties allOf anyOf oneOf prefixItems`);
const SCHEMAS_BY_NAME = words('$defs definitions dependencies dependentSchemas patternProperties properties');

interface Subschema {
  schema: JsonObject;
  path: string;
}

/** Walks all schemas inside a schema, itself included. Iterative: schemas are not trusted and may nest deeply. */
export function* subschemas(root: JsonSchema): Generator<Subschema> {
  const open: { schema: Json | undefined; path: (string | number)[] }[] = [{ schema: root, path: [] }];
  while (open.length > 0) {
    const { schema, path } = open.pop()!;
    if (!isJsonObject(schema)) continue;
    yield { schema, path: jsonPointer(path) };
    const add = (child: Json | undefined, ...segments: (string | number)[]): void => {
      open.push({ schema: child, path: [...path, ...segments] });
    };
    for (const keyword of SCHEMAS) {
      const value = schema[keyword];
      if (Array.isArray(value)) value.forEach((entry, index) => add(entry, keyword, index));
      else add(value, keyword);
    }
    for (const keyword of SCHEMAS_BY_NAME) {
      const map = schema[keyword];
      if (isJsonObject(map)) for (const [name, entry] of Object.entries(map)) add(entry, keyword, name);
    }
  }
}

export function nestsDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((entry) => (Array.isArray(entry) ? entry : isJsonObject(entry) ? Object.values(entry) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** The target of a `$ref` such as `#/$defs/person`; undefined for every other form of reference. */
export function localReference(root: JsonSchema, reference: Json | undefined): Json | undefined {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  let found: Json | undefined = root;
  for (const segment of reference.slice(1).split('/').slice(1)) {
    const key = decodeUriPart(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, Json>)[key];
  }
  return found;
}

/** Decodes the escapes in a part of a URI; a part whose escapes cannot be read stays as it is. */
export function decodeUriPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
