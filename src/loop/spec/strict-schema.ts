import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';

const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

const KNOWN = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  '$defs',
  'definitions',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
]);

const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);

const MOST_LEVELS = 10;

const ALONE = ['$ref', 'anyOf'];
const BESIDE_THEM = new Set(['title', 'description', '$defs', 'definitions']);

/** Every valid output stays valid: annotations go, and objects are closed that mention no other properties. Undefined otherwise. */
export function strictSchema(schema: Json, levels = 0): JsonObject | undefined {
  if (!isJsonObject(schema) || levels > MOST_LEVELS) return undefined;
  const bare = Object.fromEntries(Object.entries(schema).filter(([key]) => !ANNOTATIONS.has(key)));
  const definitions = strictEach(bare, ['$defs', 'definitions'], levels);
  if (!definitions) return undefined;
  const [alone] = ALONE.filter((key) => Object.hasOwn(bare, key));
  if (alone !== undefined) {
    if (!Object.keys(bare).every((key) => key === alone || BESIDE_THEM.has(key))) return undefined;
    if (alone === '$ref') return { ...bare, ...definitions };
    const forms = strictList(bare['anyOf'], levels);
    return forms && { ...bare, ...definitions, anyOf: forms };
  }
  if (!Object.keys(bare).every((key) => KNOWN.has(key))) return undefined;
  if (bare['format'] !== undefined && !FORMATS.has(String(bare['format']))) return undefined;
  const type = bare['type'] ?? typeOfValues(bare);
  if (type === undefined) return undefined;
  const types = [type].flat();
  const object = types.includes('object') ? closedObject(bare, levels) : {};
  const list = types.includes('array') ? strictEntries(bare, levels) : {};
  return object && list && { ...bare, type, ...definitions, ...object, ...list };
}

function typeOfValues(schema: JsonObject): string | undefined {
  const { enum: listed = Object.hasOwn(schema, 'const') ? [schema['const']!] : undefined } = schema;
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const types = new Set(listed.map((value) => (value === null ? 'null' : typeof value)));
  const [only] = types;
  return types.size === 1 && only !== 'object' ? only : undefined;
}

function strictList(schemas: Json | undefined, levels: number): JsonObject[] | undefined {
  if (!Array.isArray(schemas) || schemas.length === 0) return undefined;
  const strict = schemas.map((each) => strictSchema(each, levels)).filter((each) => each !== undefined);
  return strict.length === schemas.length ? strict : undefined;
}

function strictEach(schema: JsonObject, keys: readonly string[], levels: number): JsonObject | undefined {
  const made: JsonObject = {};
  for (const key of keys) {
    const named = schema[key];
    if (named === undefined) continue;
    if (!isJsonObject(named)) return undefined;
    const strict = strictList(Object.values(named), levels);
    if (!strict && Object.keys(named).length > 0) return undefined;
    made[key] = Object.fromEntries(Object.keys(named).map((name, index) => [name, strict![index]!]));
  }
  return made;
}

function closedObject(schema: JsonObject, levels: number): JsonObject | undefined {
  const { properties, required = [], additionalProperties = false } = schema;
  if (!isJsonObject(properties) || additionalProperties !== false || !Array.isArray(required)) return undefined;
  const names = Object.keys(properties);
  const isComplete = required.length === names.length && names.every((name) => required.includes(name));
  const made = isComplete ? strictEach(schema, ['properties'], levels + 1) : undefined;
  return made && { ...made, required, additionalProperties };
}

function strictEntries({ items }: JsonObject, levels: number): JsonObject | undefined {
  const strict = items === undefined ? undefined : strictSchema(items, levels + 1);
  return strict && { items: strict };
}
