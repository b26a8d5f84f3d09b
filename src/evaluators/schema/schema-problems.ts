import type { SpecProblem } from '../../lib/contract/spec-problem';
import { isJsonObject } from '../../lib/json/json';
import { jsonPointer, pointerSegments } from '../../lib/json/json-pointer';
import { compiledSchema, compilePattern, unevaluatedProblems, validatorOf, withinCompileTime } from './schema-compile';
import { type Dialect, dialectOf, dialectOfMetaSchema, DIALECTS, oldDraftProblem } from './schema-dialect';
import { endlessReferences } from './references/schema-endless';
import type { SchemaFolder } from './references/schema-file';
import { bundledSchema } from './references/schema-references';
import { fileOfKey } from './references/schema-resources';
import { type JsonSchema, localReference, subschemas } from './schema-walk';
import { stepsOfPattern } from './standard-pattern';
import { schemaSizeProblem } from './schema-size';

/** Some hundredths of a second. Hand-written patterns have less than a hundred each, but `.{1,255}` has 513. */
const MAX_STEPS_OF_ALL = 50_000;
const MAX_PROBLEMS = 100;

export interface PlacedSchema {
  schema: JsonSchema;
  schemaFolder?: SchemaFolder;
}

/** All mistakes in a schema, and in the files that it refers to; paths begin at the schema. */
export function schemaProblems({ schema, schemaFolder }: PlacedSchema): SpecProblem[] {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    return [{ path: '', message: 'a JSON Schema is an object or a boolean' }];
  }
  const tooLarge = schemaSizeProblem(schema);
  if (tooLarge !== undefined) return [{ path: '', message: tooLarge }];
  const oldDraft = oldDraftProblem(schema);
  if (oldDraft) return [oldDraft];
  const { schema: bundle, problems } = bundledSchema(schema, schemaFolder);
  if (problems.length > 0) return problems.map(inFile);
  const tooLargeAsWhole = schemaSizeProblem(bundle);
  if (tooLargeAsWhole !== undefined) return [{ path: '', message: `with its files, ${tooLargeAsWhole}` }];
  return problemsOfWhole(bundle).map(inFile);
}

function inFile({ path, message }: SpecProblem): SpecProblem {
  const [, key, ...rest] = pointerSegments(path);
  const file = path.startsWith('/$defs/') ? fileOfKey(key) : undefined;
  return file === undefined ? { path, message } : { path: '', message: `${file}, ${jsonPointer(rest)}: ${message}` };
}

function problemsOfWhole(schema: JsonSchema): SpecProblem[] {
  const dialect = dialectOf(schema);
  if (!dialect)
    return [
      { path: '/$schema', message: `must be JSON Schema ${DIALECTS.slice(0, -1).join(', ')} or ${DIALECTS.at(-1)}` },
    ];
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
  const problems = [
    ...referenceProblems(schema, dialect),
    ...endlessReferences(schema),
    ...unevaluatedProblems(schema, dialect),
    ...patternProblems(schema),
  ];
  if (problems.length === 0) compiledSchema(schema);
  return problems;
}

function referenceProblems(schema: JsonSchema, dialect: Dialect): SpecProblem[] {
  return [...subschemas(schema)].flatMap(({ schema: { $ref: reference }, path }) => {
    if (typeof reference !== 'string') return [];
    const isThere =
      localReference(schema, reference) !== undefined ||
      dialectOfMetaSchema(reference.split('#', 1)[0]!)?.dialect === dialect;
    return isThere ? [] : [{ path: `${path}/$ref`, message: `refers to "${reference}", which is not in the schema` }];
  });
}

function patternsOf(schema: JsonSchema): { path: string; text: string }[] {
  return [...subschemas(schema)].flatMap((each) => {
    const { pattern, patternProperties: byPattern } = each.schema;
    const own = typeof pattern === 'string' ? [{ path: `${each.path}/pattern`, text: pattern }] : [];
    const names = isJsonObject(byPattern) ? Object.keys(byPattern) : [];
    const place = `${each.path}/patternProperties`;
    return [...own, ...names.map((name) => ({ path: place + jsonPointer([name]), text: name }))];
  });
}

function patternProblems(schema: JsonSchema): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const seen = new Set<string>();
  let steps = 0;
  for (const { path, text } of patternsOf(schema)) {
    steps += seen.has(text) ? 0 : stepsOfPattern(text);
    seen.add(text);
    if (steps > MAX_STEPS_OF_ALL) {
      return [{ path, message: 'is one too many: the patterns of this schema are too large together; repeat less' }];
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
    for (let end = path.length - 1; end >= 0; end--) if (path[end] === '/') levelsAbove.add(path.slice(0, end));
  }
  return [...messages]
    .filter(([path]) => !levelsAbove.has(path))
    .slice(0, MAX_PROBLEMS)
    .map(([path, texts]) => ({
      path,
      message: [...texts].find((text) => text.startsWith('must be one of')) ?? [...texts].join(' or '),
    }));
}
