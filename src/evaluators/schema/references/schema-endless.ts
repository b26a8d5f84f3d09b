import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { type JsonSchema, localReference, subschemas } from '../schema-walk';

/** Keywords whose schemas judge the same value, if it fulfils a condition. */
const CONDITIONAL = ['else', 'if', 'not', 'then', 'anyOf', 'oneOf'];

/** The parts of a schema that judge the same value, and count only if the value meets a condition. */
export function conditionalParts(schema: JsonObject): JsonObject[] {
  const { dependentSchemas: byName } = schema;
  const dependent = isJsonObject(byName) ? Object.values(byName) : [];
  return [...CONDITIONAL.flatMap((keyword) => schema[keyword] ?? []), ...dependent].filter(isJsonObject);
}

function besides(root: JsonSchema, schema: JsonObject): JsonObject[] {
  const always = [localReference(root, schema.$ref), ...[schema.allOf ?? []].flat()].filter(isJsonObject);
  return [...always, ...conditionalParts(schema)];
}

export function partsOfSameValue(root: JsonSchema, schema: JsonObject): JsonObject[] {
  const parts = new Set([schema]);
  // What is added while they are gone through is gone through, too.
  for (const part of parts) for (const next of besides(root, part)) parts.add(next);
  return [...parts];
}

/** No validator ends where references lead back without going into the value (2020-12 Core, 9.4.1). Iterative: schemas nest deeply. */
export function endlessReferences(root: JsonSchema): SpecProblem[] {
  const paths = new Map([...subschemas(root)].map(({ schema, path }) => [schema, path]));
  const [open, done] = [new Set<JsonObject>(), new Set<JsonObject>()];
  const problems: SpecProblem[] = [];
  for (const start of paths.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const schema = stack.at(-1)!;
      if (open.has(schema) || done.has(schema)) {
        stack.pop();
        open.delete(schema);
        done.add(schema);
        continue;
      }
      open.add(schema);
      for (const next of besides(root, schema)) {
        if (!open.has(next)) stack.push(next);
        else if (localReference(root, schema.$ref) === next) {
          const message = `refers to "${String(schema.$ref)}", which leads back here without end`;
          problems.push({ path: `${paths.get(schema) ?? ''}/$ref`, message });
        }
      }
    }
  }
  return problems;
}
