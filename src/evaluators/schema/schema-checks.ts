import type { ErrorObject } from 'ajv';
import type { Json, JsonObject } from '../../domain/base/json';
import { isJsonObject } from '../../domain/base/json';
import { jsonPointer } from '../../domain/base/json-pointer';
import type { CompiledSchema } from './schema-compile';
import { localReference } from './schema-walk';

const CHECKS_OF_ANY = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'not', 'if'];
const CHECKS_OF_TEXT = ['minLength', 'maxLength', 'pattern', 'format'];
const CHECKS_OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const CHECKS_OF_LISTS = ['minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems'];
const CHECKS_OF_OBJECTS = [
  'additionalProperties',
  'dependencies',
  'dependentRequired',
  'maxProperties',
  'minProperties',
  'propertyNames',
  'unevaluatedProperties',
];
/** A ranking does not get better by looking at more than this. */
const MAX_VISITS = 20_000;
const MAX_DEPTH = 100;

interface Tally {
  total: number;
  failed: number;
}

/**
 * The share of checks that a value passes, 0 to 1, and 1 only when it is valid. A check is one keyword at one place of the
 * value, and each required property. A property that is missing, or that has the wrong type, fails also for all that is
 * required inside of it, so that an empty object is never worse than none.
 */
export function shareOfChecksPassed(compiled: CompiledSchema, value: Json, errors: ErrorObject[]): number {
  if (errors.length === 0) return 1;
  const { total, failed } = new CheckCounter(compiled, errors).count(compiled.schema, value, [], 0);
  // Some keywords are not counted; a value that only they reject has still failed a check.
  const failures = Math.max(1, failed);
  return 1 - failures / Math.max(total, failures);
}

class CheckCounter {
  private readonly failures = new Map<unknown, Set<string>>();
  private visits = 0;

  constructor(
    private readonly compiled: CompiledSchema,
    errors: ErrorObject[],
  ) {
    for (const error of errors) {
      const { missingProperty } = error.params as { missingProperty?: string };
      const keys = this.failures.get(error.parentSchema) ?? new Set();
      keys.add(failureKey(error.instancePath, error.keyword, missingProperty));
      this.failures.set(error.parentSchema, keys);
    }
  }

  count(schema: Json | undefined, value: Json, path: (string | number)[], depth: number): Tally {
    const tally: Tally = { total: 0, failed: 0 };
    if (!isJsonObject(schema) || depth > MAX_DEPTH || ++this.visits > MAX_VISITS) return tally;
    const place = jsonPointer(path);
    if (this.fails(schema, place, 'type')) {
      const lost = Math.max(1, this.required(schema, 0));
      return { total: lost, failed: lost };
    }
    for (const keyword of checksOf(value)) {
      if (!(keyword in schema)) continue;
      tally.total++;
      if (this.fails(schema, place, keyword)) tally.failed++;
    }
    const add = (child: Json | undefined, entry: Json, segment?: string | number): void => {
      addTo(tally, this.count(child, entry, segment === undefined ? path : [...path, segment], depth + 1));
    };
    for (const part of this.partsAtSamePlace(schema)) add(part, value);
    if (isJsonObject(value)) {
      addTo(tally, this.requiredHere(schema, place));
      for (const [name, entry] of Object.entries(value)) add(schemaOfProperty(schema, name), entry, name);
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => add(schemaOfItem(schema, index), entry, index));
    }
    return tally;
  }

  private fails(schema: JsonObject, place: string, keyword: string, missing?: string): boolean {
    return this.failures.get(schema)?.has(failureKey(place, keyword, missing)) ?? false;
  }

  private partsAtSamePlace(schema: JsonObject): Json[] {
    const referred = localReference(this.compiled.schema, schema.$ref);
    return [...(Array.isArray(schema.allOf) ? schema.allOf : []), ...(referred === undefined ? [] : [referred])];
  }

  private requiredHere(schema: JsonObject, place: string): Tally {
    const tally: Tally = { total: 0, failed: 0 };
    for (const name of requiredNames(schema)) {
      const isMissing = this.fails(schema, place, 'required', name);
      const lost = 1 + (isMissing ? this.required(schemaOfProperty(schema, name), 0) : 0);
      addTo(tally, { total: lost, failed: isMissing ? lost : 0 });
    }
    return tally;
  }

  /** How many checks anything valid passes at least here. */
  private required(schema: Json | undefined, depth: number): number {
    if (!isJsonObject(schema) || depth > MAX_DEPTH || ++this.visits > MAX_VISITS) return 0;
    const own = 'type' in schema ? 1 : 0;
    const parts = this.partsAtSamePlace(schema).reduce<number>((sum, part) => sum + this.required(part, depth + 1), 0);
    return requiredNames(schema).reduce(
      (sum, name) => sum + 1 + this.required(schemaOfProperty(schema, name), depth + 1),
      own + parts,
    );
  }
}

function addTo(tally: Tally, more: Tally): void {
  tally.total += more.total;
  tally.failed += more.failed;
}

function failureKey(place: string, keyword: string, missing?: string): string {
  return `${place} ${keyword} ${missing ?? ''}`;
}

function checksOf(value: Json): string[] {
  if (typeof value === 'string') return [...CHECKS_OF_ANY, ...CHECKS_OF_TEXT];
  if (typeof value === 'number') return [...CHECKS_OF_ANY, ...CHECKS_OF_NUMBERS];
  if (Array.isArray(value)) return [...CHECKS_OF_ANY, ...CHECKS_OF_LISTS];
  return isJsonObject(value) ? [...CHECKS_OF_ANY, ...CHECKS_OF_OBJECTS] : CHECKS_OF_ANY;
}

function requiredNames(schema: JsonObject): string[] {
  return Array.isArray(schema.required) ? [...new Set(schema.required as string[])] : [];
}

function schemaOfProperty(schema: JsonObject, name: string): Json | undefined {
  const { properties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties;
}

function schemaOfItem(schema: JsonObject, index: number): Json | undefined {
  const { prefixItems, items, additionalItems } = schema;
  const fixed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  if (index < fixed.length) return fixed[index];
  return Array.isArray(items) ? additionalItems : items;
}
