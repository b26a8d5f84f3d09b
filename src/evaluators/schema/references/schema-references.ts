import { isJsonObject, type JsonObject } from '../../../domain/base/json/json';
import { jsonPointer } from '../../../domain/base/json/json-pointer';
import type { SpecProblem } from '../../../domain/base/spec-problem';
import { readSchemaFile, type SchemaFile, SchemaFileRefused } from './schema-file';
import { type Dialect, dialectOf, dialectOfMetaSchema } from '../schema-dialect';
import { judgedAlike } from '../judged-alike';
import { withLocalReferences } from './local-references';
import { localPointer } from './schema-resources';
import { decoded, type JsonSchema, localReference, type Subschema, subschemas } from '../schema-walk';

const KEY = 'file-';
const MAX_FILES = 50;
const MAX_CHAIN = 20;

const NOT_ALLOWED =
  'this worker reads no schema files; it does with `schemaRoot` or REFLECT_SCHEMA_ROOT, the folder that they are in';

/** A schema with the files that it refers to inside of it. */
export interface BundledSchema {
  schema: JsonSchema;
  /** Of references; paths begin at the schema. */
  problems: SpecProblem[];
}

/**
 * The schema as the validator judges it rightly: all references to parts of it are pointers, and the files that it refers to stand
 * under its `$defs`. Files may refer to each other, and to themselves. The result depends on nothing outside of it.
 */
export function bundledSchema(schema: JsonSchema, root: string | undefined): BundledSchema {
  const dialect = dialectOf(schema);
  if (!dialect) return { schema, problems: [] };
  const local = withLocalReferences(schema, dialect);
  if (local.problems.length > 0) return local;
  const { schema: whole, problems } = withFiles(local.schema, root, dialect);
  return { schema: judgedAlike(whole), problems };
}

function withFiles(schema: JsonSchema, root: string | undefined, dialect: Dialect): BundledSchema {
  if (!isJsonObject(schema) || !refersToFiles(schema)) return { schema, problems: [] };
  const copy = structuredClone(schema);
  const bundler = new Bundler(root, dialect);
  bundler.rewrite(copy);
  const { definitions, problems } = bundler;
  if (Object.keys(definitions).length === 0) return { schema, problems };
  return { schema: { ...copy, $defs: { ...(isJsonObject(copy.$defs) ? copy.$defs : {}), ...definitions } }, problems };
}

/** True for a schema with references that nothing inside of it answers. */
export function refersToFiles(schema: JsonSchema): boolean {
  return foreignReferences(schema).length > 0;
}

/** The schemas with references that are neither local nor to a name inside of the whole. */
function foreignReferences(root: JsonSchema): (Subschema & { reference: string })[] {
  const all = [...subschemas(root)];
  const names = new Set(all.map(({ schema }) => schema.$id));
  return all.flatMap(({ schema, path }) => {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string' || reference.startsWith('#') || names.has(reference)) return [];
    if (dialectOfMetaSchema(reference.split('#', 1)[0]!)) return [];
    return names.has(reference.split('#', 1)[0]) ? [] : [{ schema, path, reference }];
  });
}

class Bundler {
  readonly problems: SpecProblem[] = [];
  readonly definitions: JsonObject = {};
  readonly #chains = new Map<string, number>();

  constructor(
    private readonly root: string | undefined,
    private readonly dialect: Dialect,
  ) {}

  /** Makes references of the schema that was given local; those of files, too, as they are read. */
  rewrite(root: JsonSchema): void {
    for (const { schema, path, reference } of foreignReferences(root)) {
      try {
        schema.$ref = this.#localOf(reference, '');
      } catch (error) {
        if (!(error instanceof SchemaFileRefused)) throw error;
        this.problems.push({ path: `${path}/$ref`, message: `refers to "${reference}": ${error.message}` });
      }
    }
  }

  #localOf(reference: string, from: string): string {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(reference)) {
      throw new SchemaFileRefused('addresses are never read; refer to a file in the schema folder');
    }
    if (this.root === undefined) throw new SchemaFileRefused(NOT_ALLOWED);
    const [path, fragment = ''] = reference.split('#', 2) as [string, string?];
    const file = readSchemaFile(this.root, from, path);
    this.#add(file, (this.#chains.get(from) ?? 0) + 1);
    return this.#pointerTo(file, fragment);
  }

  /** Where a fragment of a file is inside of the bundle. */
  #pointerTo(file: SchemaFile, fragment: string): string {
    return localPointer(jsonPointer(['$defs', `${KEY}${file.name}`]) + this.#within(file, fragment));
  }

  /** Where a fragment of a file is, from the file's top: a pointer, or a name. */
  #within({ name, schema }: SchemaFile, fragment: string): string {
    if (fragment === '' || fragment.startsWith('/')) {
      if (localReference(schema, `#${fragment}`) !== undefined) return decoded(fragment);
    } else {
      const named = [...subschemas(schema)].find((each) => each.schema.$anchor === fragment);
      if (named) return named.path;
    }
    throw new SchemaFileRefused(`there is no #${fragment} in ${name}`);
  }

  #add(file: SchemaFile, chain: number): void {
    const key = `${KEY}${file.name}`;
    if (Object.hasOwn(this.definitions, key)) return;
    if (Object.keys(this.definitions).length >= MAX_FILES) throw new SchemaFileRefused(`more than ${MAX_FILES} files`);
    if (chain > MAX_CHAIN) throw new SchemaFileRefused(`files refer to files more than ${MAX_CHAIN} deep`);
    const schema = structuredClone(file.schema);
    if (isJsonObject(schema) && schema.$schema !== undefined && dialectOf(schema) !== this.dialect) {
      throw new SchemaFileRefused(`${file.name} is of another $schema than the schema that refers to it`);
    }
    // Known before its references are followed: files may refer to each other.
    this.definitions[key] = schema;
    this.#chains.set(file.name, chain);
    if (isJsonObject(schema)) this.#adopt(schema, file);
  }

  /** A file's own local references begin at the file; inside of the bundle they must say so. */
  #adopt(schema: JsonObject, file: SchemaFile): void {
    const { $id: own } = schema;
    delete schema.$id;
    delete schema.$schema;
    for (const { schema: inner } of subschemas(schema)) {
      if (inner.$id !== undefined) throw new SchemaFileRefused(`${file.name} has an $id below its top`);
      const { $ref: reference } = inner;
      delete inner.$anchor;
      if (typeof reference !== 'string') continue;
      const [path, fragment = ''] = reference.split('#', 2) as [string, string?];
      const isOwn = path === '' || path === own;
      inner.$ref = isOwn ? this.#pointerTo(file, fragment) : this.#localOf(reference, file.name);
    }
  }
}

/** The file that a key of `$defs` stands for. */
export function fileOfKey(key: string | undefined): string | undefined {
  return key?.startsWith(KEY) ? key.slice(KEY.length) : undefined;
}
