import addFormats from 'ajv-formats';
import { createHash } from 'node:crypto';
import { type Ajv, Ajv as AjvDraft7, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import type { RegExpEngine } from 'ajv/dist/types';
import { isJsonObject, type Json } from '../../lib/json/json';
import { BoundedCache } from '../../lib/threads/bounded-cache';
import { interruptions, TimeLimitExceeded, withTimeLimit } from '../../lib/threads/time-limit';
import { type Dialect, dialectOf, metaSchemaOf } from './schema-dialect';
import { type JsonSchema, subschemas } from './schema-walk';
import { standardPattern } from './standard-pattern';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import { conditionalParts, partsOfSameValue } from './references/schema-endless';

const CACHED_SCHEMAS = 200;
/** The characters of cached schemas, as JSON. A compiled schema takes some 7 bytes for each. */
const CACHED_CHARACTERS = 8_000_000;
/** The time to compile a schema: in a thread, but for small ones. A tenth of it is enough for most that are published. */
const MAX_COMPILE_MILLISECONDS = 550;
/** The factor by which a starved process may take longer: a schema within the limits is not to blame. */
const PATIENCE = 10;
/** Longer lists of names and values are looped over, instead of making code for each entry. */
export const LONGEST_UNROLLED = 10;
/** An instance keeps something of every schema that it compiled, so it is replaced now and then. */
const COMPILED_BY_ONE_INSTANCE = 500;
const CHARACTERS_OF_ONE_INSTANCE = CACHED_CHARACTERS;

export const compilePattern: RegExpEngine = Object.assign(standardPattern, { code: 'new RegExp' });

const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  // Every object inherits a property `constructor`, which is not its own.
  ownProperties: true,
  logger: false,
  // Two specs may use the same `$id` for different schemas.
  addUsedSchema: false,
  // Each reference would copy what it refers to: a thousand references to a thousand properties are a million.
  inlineRefs: false,
  loopRequired: LONGEST_UNROLLED,
  loopEnum: LONGEST_UNROLLED,
  // Optimizing takes as long as making the code, and saves nothing that can be measured.
  code: { regExp: compilePattern, optimize: false },
};

const MAKE: Record<Dialect, () => Ajv> = {
  'draft-07': () => new AjvDraft7(OPTIONS),
  '2019-09': () => new Ajv2019(OPTIONS),
  '2020-12': () => new Ajv2020(OPTIONS),
};

const instances = new Map<Dialect, Ajv>();
let compiled = 0;
let compiledCharacters = 0;
const cache = new BoundedCache<CompiledSchema>({
  entries: CACHED_SCHEMAS,
  size: CACHED_CHARACTERS,
  sizeOf: ({ characters }) => characters,
});

export interface CompiledSchema {
  /** The very schema that errors refer to by `parentSchema`. */
  schema: JsonSchema;
  characters: number;
  validate(value: Json): ErrorObject[];
}

/** A validator is for all schemas: making one costs milliseconds. */
export function validatorOf(dialect: Dialect): Ajv {
  forgetHalfDone();
  const known = instances.get(dialect);
  if (known) return known;
  const made = MAKE[dialect]();
  addFormats(made);
  // Compiles the schema of schemas, which takes longer than most that it is for.
  void made.validateSchema({ $schema: metaSchemaOf(dialect) });
  instances.set(dialect, made);
  return made;
}

/** The compiled schema, from the cache when the same content was compiled before. Throws what ajv throws. */
export function compiledSchema(schema: JsonSchema): CompiledSchema {
  const text = stableText(schema);
  const hash = hashOf(text);
  return cache.getOrMake(hash, () => compile(withName(schema, hash), text.length));
}

export function knownSchema(schema: JsonSchema): CompiledSchema | undefined {
  return cache.get(hashOf(stableText(schema)));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Names a schema that has no name, because ajv finds the root of a recursive schema by its name. `.invalid` never resolves. */
function withName(schema: JsonSchema, hash: string): JsonSchema {
  return isJsonObject(schema) && !schema.$id ? { ...schema, $id: `https://schema.invalid/${hash}` } : schema;
}

function compile(schema: JsonSchema, characters: number): CompiledSchema {
  compiled += 1;
  compiledCharacters += characters;
  if (compiled >= COMPILED_BY_ONE_INSTANCE || compiledCharacters > CHARACTERS_OF_ONE_INSTANCE) {
    instances.clear();
    compiled = 0;
    compiledCharacters = 0;
  }
  const dialect = dialectOf(schema) ?? '2020-12';
  // Made before the clock runs.
  validatorOf(dialect);
  try {
    const validate = withinCompileTime(() => validatorOf(dialect).compile(schema)) as ValidateFunction;
    return { schema, characters, validate: (value) => (validate(value) ? [] : (validate.errors ?? [])) };
  } finally {
    // ajv keeps every schema object that it ever saw; our own cache is the bounded one.
    (instances.get(dialect) as unknown as { _cache: Map<JsonSchema, unknown> } | undefined)?._cache.delete(schema);
  }
}

/** While something is made ready: what had been interrupted before. A limit around it leaves no other trace. */
let underWay: number | undefined;

/** Makes ajv forget the schemas that it was compiling when it was interrupted: it would take them for finished. */
function forgetHalfDone(): void {
  if (underWay === undefined || underWay === interruptions()) return;
  instances.clear();
  underWay = undefined;
}

export function withinCompileTime<Result>(work: () => Result): Result {
  if (underWay === interruptions()) return work();
  let attempts = 0;
  const beginWork = (): Result => {
    if (attempts++ > 0) instances.clear();
    underWay = interruptions();
    return work();
  };
  try {
    return withTimeLimit(MAX_COMPILE_MILLISECONDS, beginWork, PATIENCE);
  } catch (error) {
    if (error instanceof TimeLimitExceeded) instances.clear();
    throw error;
  } finally {
    underWay = undefined;
  }
}

function stableText(value: Json): string {
  return JSON.stringify(value, (_key, entry: Json) =>
    isJsonObject(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([first], [second]) => (first < second ? -1 : 1)))
      : entry,
  );
}

/** Keywords that judge all items, or those that no other keyword has judged. */
const OF_ITEMS = ['items', 'additionalItems', 'unevaluatedItems'];

/** The validator misjudges `unevaluatedItems` beside `contains` (2020-12), an `if` without `then`, or `items` of a conditional part. */
export function unevaluatedProblems(root: JsonSchema, dialect: Dialect): SpecProblem[] {
  return [...subschemas(root)].flatMap(({ schema, path }) => {
    if (!('unevaluatedItems' in schema)) return [];
    const parts = partsOfSameValue(root, schema);
    const conditional = new Set(
      parts.flatMap((part) => conditionalParts(part)).flatMap((part) => partsOfSameValue(root, part)),
    );
    const beside = [
      ...(dialect === '2020-12' && parts.some((part) => 'contains' in part) ? ['contains'] : []),
      ...(parts.some((part) => 'if' in part && !('then' in part)) ? ['if` without `then'] : []),
    ];
    const nested = OF_ITEMS.filter((keyword) => [...conditional].some((part) => isSchemaOfItems(part[keyword])));
    const [keyword] = [...beside, ...nested];
    if (keyword === undefined) return [];
    const place = beside.length > 0 ? 'beside' : 'beside a condition with';
    return [{ path: `${path}/unevaluatedItems`, message: `cannot be judged ${place} \`${keyword}\`` }];
  });
}

function isSchemaOfItems(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value);
}
