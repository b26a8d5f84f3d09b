import type { SpecProblem } from '../../domain/base/spec-problem';
import { isJsonObject } from '../../domain/base/json';
import { jsonPointer, pointerSegments } from '../../domain/base/json-pointer';
import {
  compiledSchema,
  compilePattern,
  type Dialect,
  dialectOf,
  validatorOf,
  withinCompileTime,
} from './schema-compile';
import { endlessReferences } from './schema-endless';
import { bundledSchema, fileOfKey } from './schema-references';
import type { JsonSchema } from './schema-walk';
import { stepsOfPattern } from './standard-pattern';
import { schemaSizeProblem } from './schema-size';
import { localReference, subschemas } from './schema-walk';

/**
 * Of the compiled patterns of a schema, together: some hundredths of a second. Patterns that people write have less than a hundred, but
 * each repetition counts as often as it may occur: `.{1,255}` has 513.
 */
const MAX_STEPS_OF_ALL = 50_000;
/** More than anybody reads. */
const MAX_PROBLEMS = 100;

/** Everything wrong with a schema, and with the files that it refers to; paths begin at the schema. */
export function schemaProblems({ schema, schemaRoot }: { schema: JsonSchema; schemaRoot?: string }): SpecProblem[] {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return [{ path: '', message: 'a JSON Schema is an object or a boolean' }];
  }
  const tooLarge = schemaSizeProblem(schema);
  if (tooLarge !== undefined) return [{ path: '', message: tooLarge }];
  const { schema: bundle, problems } = bundledSchema(schema, schemaRoot);
  const tooLargeAsWhole = problems.length > 0 ? undefined : schemaSizeProblem(bundle);
  if (tooLargeAsWhole !== undefined) return [{ path: '', message: `with its files, ${tooLargeAsWhole}` }];
  return problems.length > 0 ? problems : problemsOfWhole(bundle).map(inFile);
}

/** A mistake in a file has no place in the spec, so its message says where it is. */
function inFile({ path, message }: SpecProblem): SpecProblem {
  const [, key, ...rest] = pointerSegments(path);
  const file = path.startsWith('/$defs/') ? fileOfKey(key) : undefined;
  return file === undefined ? { path, message } : { path: '', message: `${file}, ${jsonPointer(rest)}: ${message}` };
}

function problemsOfWhole(schema: JsonSchema): SpecProblem[] {
  const dialect = dialectOf(schema);
  if (!dialect) {
    return [{ path: '/$schema', message: 'must be JSON Schema draft-07, 2019-09 or 2020-12' }];
  }
  // Made before the clock runs.
  validatorOf(dialect);
  try {
    return withinCompileTime(() => problemsOfMeaning(schema, dialect));
  } catch (error) {
    return [{ path: '', message: `cannot be compiled: ${(error as Error).message}` }];
  }
}

/** @throws what ajv throws for a schema that it cannot compile */
function problemsOfMeaning(schema: JsonSchema, dialect: Dialect): SpecProblem[] {
  const validator = validatorOf(dialect);
  if (validator.validateSchema(schema) !== true) return uniqueProblems(validator.errors ?? []);
  const problems = [...referenceProblems(schema), ...endlessReferences(schema), ...patternProblems(schema)];
  if (problems.length === 0) compiledSchema(schema);
  return problems;
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
    // Anything else is found by name inside the schema, or not at all: files are inside by now.
    const name = reference.replace(/^#/, '');
    const [base, anchor] = reference.split('#', 2);
    if (names.has(name) || (names.has(base) && (anchor === '' || anchor?.startsWith('/')))) return [];
    return [{ path: at, message: `refers to "${reference}", which is not in the schema` }];
  });
}

function patternsOf(schema: JsonSchema): { path: string; text: string }[] {
  return [...subschemas(schema)].flatMap((each) => {
    const { pattern, patternProperties } = each.schema;
    const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    return [
      ...(typeof pattern === 'string' ? [{ path: `${each.path}/pattern`, text: pattern }] : []),
      ...names.map((name) => ({ path: `${each.path}/patternProperties${jsonPointer([name])}`, text: name })),
    ];
  });
}

function patternProblems(schema: JsonSchema): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const sizes = new Map<string, number>();
  let steps = 0;
  for (const { path, text } of patternsOf(schema)) {
    if (!sizes.has(text)) {
      sizes.set(text, stepsOfPattern(text));
      steps += sizes.get(text)!;
      if (steps > MAX_STEPS_OF_ALL) {
        return [{ path, message: 'is one too many: the patterns of this schema are too large together; repeat less' }];
      }
    }
    try {
      compilePattern(text, 'u');
    } catch (error) {
      problems.push({ path, message: `is not a regular expression: ${(error as Error).message}` });
    }
  }
  return problems;
}

function uniqueProblems(errors: { instancePath: string; message?: string; params?: unknown }[]): SpecProblem[] {
  const messages = new Map<string, Set<string>>();
  for (const { instancePath, message, params } of errors) {
    const allowed = (params as { allowedValues?: unknown[] } | undefined)?.allowedValues;
    const text = allowed ? `must be one of ${allowed.join(', ')}` : (message ?? 'is invalid');
    messages.set(instancePath, (messages.get(instancePath) ?? new Set()).add(text));
  }
  // The meta-schemas of the newer drafts repeat an error at each level that leads to it: the deepest ones say it.
  const levelsAbove = new Set<string>();
  for (const path of messages.keys()) {
    for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
      levelsAbove.add(path.slice(0, end));
      if (end === 0) break;
    }
  }
  return [...messages]
    .filter(([path]) => !levelsAbove.has(path))
    .slice(0, MAX_PROBLEMS)
    .map(([path, texts]) => ({
      path,
      message: [...texts].find((text) => text.startsWith('must be one of')) ?? [...texts].join(' or '),
    }));
}
