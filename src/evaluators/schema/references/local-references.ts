import { isJsonObject, type JsonObject } from '../../../lib/json/json';
import type { SpecProblem } from '../../../lib/contract/spec-problem';
import { words } from '../../replies/words';
import { type Dialect, dialectOfMetaSchema, metaSchemaOf, readsBesideReferences } from '../schema-dialect';
import { type JsonSchema, subschemas } from '../schema-walk';
import { SchemaFileRefused, type SchemaFolder } from './schema-file';
import { SchemaFiles } from './schema-files';
import { addressOf, type FoundPlace, localPointer, type Place, SchemaResources } from './schema-resources';

/** Keywords that count beside a `$ref` in older drafts: places for references, and texts for readers. */
const BESIDE_REFERENCES = words('$ref $schema $comment $defs definitions title description default examples');

const NAMES = words('$anchor $dynamicAnchor $recursiveAnchor $dynamicRef $recursiveRef');

const MAX_PROBLEMS = 100;

const SEVERAL = 'only the way to it would decide which schema it means';

/** A schema whose references are all pointers into itself, because it contains the files that it refers to. */
interface LocalSchema {
  schema: JsonSchema;
  /** The problems of references; paths begin at the schema. */
  problems: SpecProblem[];
}

/**
 * Writes all references of a schema as pointers from its top, puts the files that they lead to under its `$defs`, and takes away the names
 * by which it called its parts: `$id` below the top, anchors, addresses relative to them. The validator follows only what is written so
 * in the way that the drafts say. A dynamic reference becomes a static one where there is only one schema that it can lead to; where there
 * are several, it is refused. References to the drafts' own schemas stay.
 */
export function withLocalReferences(schema: JsonSchema, dialect: Dialect, folder?: SchemaFolder): LocalSchema {
  if (!isJsonObject(schema) || !isToBeRewritten(schema, dialect)) return { schema, problems: [] };
  const copy = structuredClone(schema);
  const resources = new SchemaResources(copy, dialect, folder?.address);
  const rewriter = new Rewriter(resources, new SchemaFiles(folder, resources));
  rewriter.rewrite();
  return { schema: copy, problems: rewriter.problems };
}

function isToBeRewritten(root: JsonObject, dialect: Dialect): boolean {
  const named = root.$schema;
  if (named !== undefined && named !== metaSchemaOf(dialect)) return true;
  for (const { schema, path } of subschemas(root)) {
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      if (!/^#(?:\/|$)/.test(reference)) return true;
      if (!readsBesideReferences(dialect) && Object.keys(schema).length > 1) return true;
    }
    if (path !== '' && typeof schema.$id === 'string') return true;
    for (const keyword of NAMES) if (keyword in schema) return true;
  }
  return false;
}

class Rewriter {
  readonly problems: SpecProblem[] = [];
  readonly #written = new Map<JsonObject, string[]>();

  constructor(
    private readonly resources: SchemaResources,
    private readonly files: SchemaFiles,
  ) {}

  rewrite(): void {
    const { places, dialect, root } = this.resources;
    // What references lead to may be added while they are followed.
    for (const place of places) {
      if (this.problems.length >= MAX_PROBLEMS) return;
      this.#resolveStatic(place);
      if (dialect === '2020-12') this.#resolveDynamic(place);
      if (dialect === '2019-09') this.#resolveRecursive(place);
    }
    for (const place of places) this.#write(place);
    if (root.$schema !== undefined) root.$schema = metaSchemaOf(dialect);
  }

  #resolveStatic(place: Place): void {
    const { $ref: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const meta = this.#ownMetaSchema(reference, place);
    if (meta !== undefined) {
      this.#addReference(place, meta);
      return;
    }
    const target = this.#find(reference, place, '$ref');
    if (target) this.#addReference(place, localPointer(target.path));
  }

  #resolveDynamic(place: Place): void {
    const { $dynamicRef: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const target = this.#find(reference, place, '$dynamicRef');
    if (!target) return;
    const name = target.anchor?.isDynamic ? reference.split('#', 2)[1]! : undefined;
    const found = name === undefined ? target : this.resources.dynamicTarget(name);
    if (found === 'unforeseeable') this.#refuse(place, '$dynamicRef', `cannot be judged: ${SEVERAL}; use $ref`);
    else this.#addReference(place, localPointer(found.path));
  }

  /** The target of a reference, in the schema or in a file; undefined if it has none, which is a problem. */
  #find(reference: string, place: Place, keyword: string): FoundPlace | undefined {
    const target = this.resources.find(reference, place);
    if (typeof target === 'object') return target;
    const problem = `refers to "${reference}"`;
    if (target === 'missing') this.#refuse(place, keyword, `${problem}, which is not in the schema`);
    if (target === 'missing') return undefined;
    try {
      return this.files.find(reference, place);
    } catch (error) {
      if (!(error instanceof SchemaFileRefused)) throw error;
      this.#refuse(place, keyword, `${problem}: ${error.message}`);
      return undefined;
    }
  }

  /** The validator's form of a reference to the meta-schema of this draft, unless that is a part of the schema. */
  #ownMetaSchema(reference: string, place: Place): string | undefined {
    if (this.resources.find(reference, place) !== 'elsewhere') return undefined;
    const { base = '', fragment = '' } = addressOf(reference, place.base) ?? {};
    const { dialect } = this.resources;
    if (dialectOfMetaSchema(base)?.dialect !== dialect) return undefined;
    return `${base.replace(/^https?/, metaProtocol(dialect))}#${fragment}`;
  }

  #resolveRecursive(place: Place): void {
    const { $recursiveRef: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const found = this.resources.recursiveTarget(place);
    if (found === 'unforeseeable') this.#refuse(place, '$recursiveRef', `cannot be judged: ${SEVERAL}; use $ref`);
    else this.#addReference(place, localPointer(found.path));
  }

  #refuse({ path }: Place, keyword: string, message: string): void {
    this.problems.push({ path: `${path}/${keyword}`, message });
  }

  #addReference({ schema }: Place, reference: string): void {
    this.#written.set(schema, [...(this.#written.get(schema) ?? []), reference]);
  }

  #write({ schema, path }: Place): void {
    const { dialect } = this.resources;
    const [first, ...others] = this.#written.get(schema) ?? [];
    const isAlone = first !== undefined && !readsBesideReferences(dialect);
    for (const keyword of NAMES) delete schema[keyword];
    if (path !== '' || isAlone) delete schema.$id;
    if (isAlone) for (const key of Object.keys(schema)) if (!BESIDE_REFERENCES.has(key)) delete schema[key];
    if (first !== undefined) schema.$ref = first;
    if (others.length === 0) return;
    const all = Array.isArray(schema.allOf) ? schema.allOf : [];
    schema.allOf = [...all, ...others.map((reference) => ({ $ref: reference }))];
  }
}

function metaProtocol(dialect: Dialect): string {
  return metaSchemaOf(dialect).split(':', 1)[0]!;
}
