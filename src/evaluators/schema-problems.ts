import type { SpecProblem } from '../domain/spec-problem';
import { isJsonObject } from '../domain/json';
import { jsonPointer } from '../domain/json-pointer';
import { compiledSchema, compilePattern, dialectOf, validatorOf } from './schema-compile';
import type { JsonSchema } from './schema-walk';
import { localReference, nestsDeeperThan, subschemas } from './schema-walk';

/** Deeper schemas would exhaust the stack of the compiler. */
const MAX_DEPTH = 200;

/** Everything wrong with a schema; paths begin at the schema. */
export function schemaProblems(schema: JsonSchema): SpecProblem[] {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return [{ path: '', message: 'a JSON Schema is an object or a boolean' }];
  }
  if (nestsDeeperThan(schema, MAX_DEPTH)) return [{ path: '', message: `nests deeper than ${MAX_DEPTH} levels` }];
  const dialect = dialectOf(schema);
  if (!dialect) {
    return [{ path: '/$schema', message: 'must be JSON Schema draft-07, 2019-09 or 2020-12' }];
  }
  const validator = validatorOf(dialect);
  if (validator.validateSchema(schema) !== true) return uniqueProblems(validator.errors ?? []);
  const problems = [...referenceProblems(schema), ...patternProblems(schema)];
  if (problems.length > 0) return problems;
  try {
    compiledSchema(schema);
    return [];
  } catch (error) {
    return [{ path: '', message: `cannot be compiled: ${(error as Error).message}` }];
  }
}

function referenceProblems(schema: JsonSchema): SpecProblem[] {
  const all = [...subschemas(schema)];
  const names = new Set(all.flatMap((each) => [each.schema.$id, each.schema.$anchor, each.schema.$dynamicAnchor]));
  return all.flatMap(({ schema: { $ref: reference }, path }) => {
    if (typeof reference !== 'string') return [];
    const at = `${path}/$ref`;
    if (/^#(?:\/|$)/.test(reference)) {
      const isThere = localReference(schema, reference) !== undefined;
      return isThere ? [] : [{ path: at, message: `refers to "${reference}", which is not in the schema` }];
    }
    // Anything else is found by name inside the schema, or not at all: no file and no address is ever read.
    const name = reference.replace(/^#/, '');
    const [base, anchor] = reference.split('#', 2);
    if (names.has(name) || (names.has(base) && (anchor === '' || anchor?.startsWith('/')))) return [];
    return [{ path: at, message: `refers to "${reference}": references to files and addresses are not supported yet` }];
  });
}

function patternProblems(schema: JsonSchema): SpecProblem[] {
  return [...subschemas(schema)].flatMap((each) => {
    const { pattern, patternProperties } = each.schema;
    const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    const all = [
      ...(typeof pattern === 'string' ? [{ path: `${each.path}/pattern`, text: pattern }] : []),
      ...names.map((name) => ({ path: `${each.path}/patternProperties${jsonPointer([name])}`, text: name })),
    ];
    return all.flatMap(({ path, text }) => {
      try {
        compilePattern(text, 'u');
        return [];
      } catch (error) {
        return [{ path, message: `is not a regular expression: ${(error as Error).message}` }];
      }
    });
  });
}

function uniqueProblems(errors: { instancePath: string; message?: string; params?: unknown }[]): SpecProblem[] {
  const messages = new Map<string, Set<string>>();
  for (const { instancePath, message, params } of errors) {
    const allowed = (params as { allowedValues?: unknown[] } | undefined)?.allowedValues;
    const text = allowed ? `must be one of ${allowed.join(', ')}` : (message ?? 'is invalid');
    messages.set(instancePath, (messages.get(instancePath) ?? new Set()).add(text));
  }
  // The meta-schemas of the newer drafts repeat an error at each level that leads to it: the deepest ones say it.
  const paths = [...messages.keys()];
  return paths
    .filter((path) => !paths.some((other) => other !== path && other.startsWith(`${path}/`)))
    .map((path) => ({
      path,
      message:
        [...messages.get(path)!].find((text) => text.startsWith('must be one of')) ??
        [...messages.get(path)!].join(' or '),
    }));
}
