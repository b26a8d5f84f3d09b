import { isJsonObject, type JsonObject } from '../../../domain/base/json/json';
import type { SpecProblem } from '../../../domain/base/spec-problem';
import { words } from '../../word-list';
import { type Dialect, dialectOfMetaSchema, idKeyword, metaSchemaOf, readsBesideReferences } from '../schema-dialect';
import { type JsonSchema, subschemas } from '../schema-walk';
import { addressOf, localPointer, type Place, SchemaResources } from './schema-resources';

/** What counts beside a `$ref` in the drafts that read nothing else there: places that others refer to, and words for people. */
const BESIDE_REFERENCES = words('$ref $schema $comment $defs definitions title description default examples');

const NAMES = words('$anchor $dynamicAnchor $recursiveAnchor $dynamicRef $recursiveRef');

const SEVERAL = 'only the way to it would decide which schema it means';

/** A schema that refers to parts of itself by pointers only. */
export interface LocalSchema {
  schema: JsonSchema;
  /** Of references; paths begin at the schema. */
  problems: SpecProblem[];
}

/**
 * Writes all references of a schema to parts of itself as pointers from its top, and takes away the names by which it called them:
 * `$id` below the top, anchors, addresses relative to them. The validator follows only what is written so in the way that the
 * drafts say. A dynamic reference becomes a static one where there is only one schema that it can lead to; where there are several,
 * it is refused. What is not in the schema stays as it is.
 */
export function withLocalReferences(schema: JsonSchema, dialect: Dialect): LocalSchema {
  if (!isJsonObject(schema) || !isToBeRewritten(schema, dialect)) return { schema, problems: [] };
  const copy = structuredClone(schema);
  const rewriter = new Rewriter(new SchemaResources(copy, dialect));
  rewriter.rewrite();
  return { schema: copy, problems: rewriter.problems };
}

function isToBeRewritten(root: JsonObject, dialect: Dialect): boolean {
  const id = idKeyword(dialect);
  const named = root.$schema;
  if (named !== undefined && named !== metaSchemaOf(dialect)) return true;
  for (const { schema, path } of subschemas(root)) {
    const { $ref: reference } = schema;
    if (typeof reference === 'string') {
      if (!/^#(?:\/|$)/.test(reference)) return true;
      if (!readsBesideReferences(dialect) && Object.keys(schema).length > 1) return true;
    }
    if (path !== '' && typeof schema[id] === 'string') return true;
    for (const keyword of NAMES) if (keyword in schema) return true;
  }
  return false;
}

class Rewriter {
  readonly problems: SpecProblem[] = [];
  readonly #written = new Map<JsonObject, string[]>();

  constructor(private readonly resources: SchemaResources) {}

  rewrite(): void {
    const { places, dialect, root } = this.resources;
    // What references lead to may be added while they are followed.
    for (const place of places) {
      this.#static(place);
      if (dialect === '2020-12') this.#dynamic(place);
      if (dialect === '2019-09') this.#recursive(place);
    }
    for (const place of places) this.#write(place);
    if (root.$schema !== undefined) root.$schema = metaSchemaOf(dialect);
  }

  #static(place: Place): void {
    const { $ref: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const target = this.resources.find(reference, place);
    if (target === 'missing') {
      this.#refuse(place, '$ref', `refers to "${reference}", which is not in the schema`);
    } else if (target === 'elsewhere') {
      const address = addressOf(reference, place.base);
      const meta = address && dialectOfMetaSchema(address.base);
      const isOwn = meta?.dialect === this.resources.dialect;
      this.#refer(
        place,
        isOwn ? `${address!.base.replace(/^https?/, metaProtocol(meta.dialect))}#${address!.fragment}` : reference,
      );
    } else {
      this.#refer(place, localPointer(target.path));
    }
  }

  #dynamic(place: Place): void {
    const { $dynamicRef: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const target = this.resources.find(reference, place);
    if (typeof target === 'string') {
      this.#refuse(place, '$dynamicRef', `refers to "${reference}", which is not in the schema`);
      return;
    }
    const name = target.anchor?.isDynamic ? reference.split('#', 2)[1]! : undefined;
    const found = name === undefined ? target : this.resources.dynamicTarget(name);
    if (found === 'unforeseeable') this.#refuse(place, '$dynamicRef', `cannot be judged: ${SEVERAL}; use $ref`);
    else this.#refer(place, localPointer(found.path));
  }

  #recursive(place: Place): void {
    const { $recursiveRef: reference } = place.schema;
    if (typeof reference !== 'string') return;
    const found = this.resources.recursiveTarget(place);
    if (found === 'unforeseeable') this.#refuse(place, '$recursiveRef', `cannot be judged: ${SEVERAL}; use $ref`);
    else this.#refer(place, localPointer(found.path));
  }

  #refuse({ path }: Place, keyword: string, message: string): void {
    this.problems.push({ path: `${path}/${keyword}`, message });
  }

  #refer({ schema }: Place, reference: string): void {
    this.#written.set(schema, [...(this.#written.get(schema) ?? []), reference]);
  }

  #write({ schema, path }: Place): void {
    const { dialect } = this.resources;
    const [first, ...others] = this.#written.get(schema) ?? [];
    const isAlone = first !== undefined && !readsBesideReferences(dialect);
    for (const keyword of NAMES) delete schema[keyword];
    if (path !== '' || isAlone) delete schema[idKeyword(dialect)];
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
