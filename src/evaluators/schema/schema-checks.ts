import type { ErrorObject } from 'ajv';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import { words } from '../replies/words';
import type { CompiledSchema } from './schema-compile';
import { localReference } from './schema-walk';

const OF_ANY = words('type enum const anyOf oneOf not if');
const OF_TEXT = words('minLength maxLength pattern format');
const OF_NUMBERS = words('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf');
const OF_LISTS = words('minItems maxItems uniqueItems contains unevaluatedItems');
const OF_OBJECTS = words(
  'additionalProperties dependencies dependentRequired maxProperties minProperties propertyNames unevaluatedProperties',
);
/** A ranking does not get better by looking at more than this. */
const MAX_VISITS = 20_000;
const MAX_DEPTH = 100;

/**
 * A check is one keyword at one place of the value, and each required property. One that is missing, or of the wrong
 * type, fails also for all that is required inside of it: an empty object is never worse than none. 1 only when valid.
 */
export function shareOfChecksPassed(compiled: CompiledSchema, value: Json, errors: ErrorObject[]): number {
  if (errors.length === 0) return 1;
  const counter = new CheckCounter(compiled, errors);
  counter.count(compiled.schema, value, [], 0);
  // Some keywords are not counted; a value that only they reject has still failed a check.
  const failures = Math.max(1, counter.failed);
  return 1 - failures / Math.max(counter.total, failures);
}

class CheckCounter {
  total = 0;
  failed = 0;
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

  count(schema: Json | undefined, value: Json, path: (string | number)[], depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_DEPTH || ++this.visits > MAX_VISITS) return;
    const place = jsonPointer(path);
    if (this.fails(schema, place, 'type')) {
      this.add(Math.max(1, this.countLeastChecks(schema, 0)), true);
      return;
    }
    for (const keyword of checksOf(value)) if (keyword in schema) this.add(1, this.fails(schema, place, keyword));
    for (const part of this.partsAtSamePlace(schema)) this.count(part, value, path, depth + 1);
    if (isJsonObject(value)) {
      this.countRequired(schema, place);
      for (const [name, entry] of Object.entries(value)) {
        this.count(schemaOfProperty(schema, name), entry, [...path, name], depth + 1);
      }
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => this.count(schemaOfItem(schema, index), entry, [...path, index], depth + 1));
    }
  }

  private add(checks: number, haveFailed: boolean): void {
    this.total += checks;
    if (haveFailed) this.failed += checks;
  }

  private fails(schema: JsonObject, place: string, keyword: string, missing?: string): boolean {
    return this.failures.get(schema)?.has(failureKey(place, keyword, missing)) ?? false;
  }

  private partsAtSamePlace({ $ref: reference, allOf }: JsonObject): Json[] {
    const referred = localReference(this.compiled.schema, reference);
    return [...(Array.isArray(allOf) ? allOf : []), ...(referred === undefined ? [] : [referred])];
  }

  private countRequired(schema: JsonObject, place: string): void {
    for (const name of requiredNames(schema)) {
      const isMissing = this.fails(schema, place, 'required', name);
      this.add(1 + (isMissing ? this.countLeastChecks(schemaOfProperty(schema, name), 0) : 0), isMissing);
    }
  }

  /** Counts the checks that any valid value passes at least here. */
  private countLeastChecks(schema: Json | undefined, depth: number): number {
    if (!isJsonObject(schema) || depth > MAX_DEPTH || ++this.visits > MAX_VISITS) return 0;
    const own = 'type' in schema ? 1 : 0;
    const parts = this.partsAtSamePlace(schema).reduce<number>(
      (sum, part) => sum + this.countLeastChecks(part, depth + 1),
      0,
    );
    return requiredNames(schema).reduce(
      (sum, name) => sum + 1 + this.countLeastChecks(schemaOfProperty(schema, name), depth + 1),
      own + parts,
    );
  }
}

function failureKey(place: string, keyword: string, missing?: string): string {
  return `${place} ${keyword} ${missing ?? ''}`;
}

function checksOf(value: Json): Iterable<string> {
  if (typeof value === 'string') return [...OF_ANY, ...OF_TEXT];
  if (typeof value === 'number') return [...OF_ANY, ...OF_NUMBERS];
  if (Array.isArray(value)) return [...OF_ANY, ...OF_LISTS];
  return isJsonObject(value) ? [...OF_ANY, ...OF_OBJECTS] : OF_ANY;
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
