import { isJsonObject, type Json, type JsonObject } from '../../lib/json/json';
import { type JsonSchema, subschemas } from './schema-walk';

const PROTO = '__proto__';

export function judgedAlike(schema: JsonSchema): JsonSchema {
  if (![...subschemas(schema)].some((each) => CHANGES.some(({ isFor }) => isFor(each.schema)))) return schema;
  const copy = structuredClone(schema);
  const asksWhatWasEvaluated = [...subschemas(copy)].some(
    ({ schema: each }) => 'unevaluatedItems' in each || 'unevaluatedProperties' in each,
  );
  for (const { schema: each } of subschemas(copy)) {
    for (const { isFor, change, onlyEvaluated } of CHANGES) {
      if (isFor(each) && (asksWhatWasEvaluated || !onlyEvaluated)) change(each);
    }
  }
  return copy;
}

interface Change {
  isFor(schema: JsonObject): boolean;
  change(schema: JsonObject): void;
  /** Whether the keyword matters only if another one asks which parts were evaluated. */
  onlyEvaluated?: true;
}

const CHANGES: readonly Change[] = [
  {
    // The validator leaves out an `if` without `then`, and with it what that has evaluated.
    isFor: (schema) => 'if' in schema && !('then' in schema),
    change(schema) {
      const { if: condition, else: otherwise = {} } = schema;
      delete schema.else;
      const branches: Json = [{ allOf: [condition!] }, { allOf: [{ not: condition! }, otherwise] }];
      schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), { anyOf: branches }];
    },
    onlyEvaluated: true,
  },
  {
    isFor: ({ properties }) => isJsonObject(properties) && Object.hasOwn(properties, PROTO),
    change(schema) {
      const { [PROTO]: ofProto, ...properties } = schema.properties as JsonObject;
      const byPattern = isJsonObject(schema.patternProperties) ? schema.patternProperties : {};
      schema.properties = properties;
      schema.patternProperties = { ...byPattern, [`^${PROTO}$`]: ofProto! };
    },
  },
  {
    isFor: (schema) => Array.isArray(schema.enum) && schema.enum.length === 0,
    change(schema) {
      delete schema.enum;
      schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), false];
    },
  },
];
