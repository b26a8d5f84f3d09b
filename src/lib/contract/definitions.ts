import { isJsonObject } from '../json/json';
import { type JsonSchema, meaningOf } from './convert';

/** Keys that hold one schema. A schema under `allOf`, `not` or `contains` is a condition, no type. */
const ONE = ['items', 'additionalProperties'];
const LISTS = ['anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties'];

/** Characters of a union below which it is easier to read in place than under a name. */
const SHORT = 100;

function pascalCase(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function singular(name: string): string {
  if (name.endsWith('Criteria')) return name.replace(/Criteria$/, 'Criterion');
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /(?:[^su]s|ses|xes)$/.test(name) ? name.replace(/(?:(?<=[sx])e)?s$/, '') : name;
}

function withoutMeaning(schema: JsonSchema): JsonSchema {
  const meaning = meaningOf(schema);
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !(key in meaning)));
}

function isObjectType({ type, properties }: JsonSchema): boolean {
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isObject && isJsonObject(properties) && Object.keys(properties).length > 0;
}

/** The constant of a form of a union, such as `regex` of a `type`, else the first field that the form needs. */
function kindOf({ properties, required = [] }: JsonSchema): string | undefined {
  if (!isJsonObject(properties)) return undefined;
  const constants = Object.values(properties).flatMap((property) =>
    isJsonObject(property) ? [property['const']] : [],
  );
  return constants.find((constant) => typeof constant === 'string') ?? (required as string[])[0];
}

/** The names of types: one name means the same in all JSON Schemas that are published. */
class TypeNames {
  readonly #nameOf = new Map<string, string>();
  readonly #taken: Set<string>;

  /** Creates a registry of names. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** Gives a type its name. */
  addName(schema: JsonSchema, name: string): void {
    this.#nameOf.set(JSON.stringify(schema), name);
  }

  /** Returns the name of a type: the first of the candidates that means nothing else. */
  of(schema: JsonSchema, wishes: readonly string[]): string {
    const form = JSON.stringify(schema);
    const known = this.#nameOf.get(form);
    if (known !== undefined) return known;
    let name = wishes.find((wish) => !this.#taken.has(wish));
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${wishes.at(-1)}${number}`;
      if (!this.#taken.has(numbered)) name = numbered;
    }
    this.#nameOf.set(form, name);
    this.#taken.add(name);
    return name;
  }
}

class Document {
  readonly types = new Map<string, JsonSchema>();
  readonly #names: TypeNames;
  readonly #title: string;

  constructor(names: TypeNames, title: string) {
    this.#names = names;
    this.#title = title;
  }

  /** Returns a schema whose parts refer to their types. */
  parts(schema: JsonSchema, name: string): JsonSchema {
    // A condition without a type describes no type, either.
    if ('properties' in schema && !('type' in schema)) return schema;
    const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
      if (ONE.includes(key) && isJsonObject(value)) {
        return [key, this.reference(value as JsonSchema, key === 'items' ? singular(name) : `${name}Value`, name)];
      }
      if (LISTS.includes(key) && Array.isArray(value)) {
        return [key, value.map((form: JsonSchema) => this.reference(form, this.#formName(form, name), name))];
      }
      if (BY_NAME.includes(key) && isJsonObject(value)) {
        const named = Object.entries(value as Record<string, JsonSchema>).map(
          ([property, content]) => [property, this.reference(content, pascalCase(property), name)] as const,
        );
        return [key, Object.fromEntries(named)];
      }
      return [key, value];
    });
    return Object.fromEntries(entries);
  }

  #formName(form: JsonSchema, union: string): string {
    const kind = kindOf(form);
    return kind === undefined ? union : `${pascalCase(kind)}${union}`;
  }

  /** Returns what replaces a schema: a reference to its type, if it is one. */
  reference(schema: JsonSchema, name: string, around: string): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const parts = this.parts(schema, name);
    const bare = withoutMeaning(parts);
    const isUnion = 'anyOf' in bare || 'oneOf' in bare;
    if (!isObjectType(bare) && !(isUnion && JSON.stringify(bare).length > SHORT)) return parts;
    const forms = (bare['anyOf'] ?? []) as JsonSchema[];
    const wish = forms.some(({ type }) => type === 'array') ? `${name}OrList` : name;
    const type = this.#names.of(bare, [wish, `${this.#title.replace(/Spec$/, '')}${name}`, `${around}${name}`]);
    this.types.set(type, bare);
    return { ...meaningOf(parts), $ref: `#/$defs/${type}` };
  }
}

/** Declares each object type and longer union once under `$defs`, with a title from which generators name types. */
function defineTypes(schema: JsonSchema, names: TypeNames): JsonSchema {
  const { $schema, title, description, $defs: own = {}, ...form } = schema;
  const document = new Document(names, pascalCase(String(title)));
  const root = document.parts(form, pascalCase(String(title)));
  const types = [...document.types]
    .map(([name, type]) => [name, { ...type, title: name }] as const)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  const $defs = { ...Object.fromEntries(types), ...(own as JsonSchema) };
  return { $schema, title, description, ...root, ...(Object.keys($defs).length > 0 ? { $defs } : {}) };
}

/**
 * JSON Schemas as they are published, by file name: with named types, of which one name means one thing in all of them.
 */
export function nameTypes(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const titled = Object.values(schemas).map((schema) => ({ schema, title: pascalCase(String(schema['title'])) }));
  const names = new TypeNames(titled.map(({ title }) => title));
  // A shape with a schema of its own has its title inside of others, too: smallest first, because others are made of them.
  const size = (schema: JsonSchema): number => JSON.stringify(schema).length;
  for (const { schema, title } of titled.toSorted((one, other) => size(one.schema) - size(other.schema))) {
    const { $schema: _draft, title: _title, $defs: _own, ...form } = schema;
    names.addName(withoutMeaning(new Document(names, title).parts(form, title)), title);
  }
  return Object.fromEntries(Object.entries(schemas).map(([file, schema]) => [file, defineTypes(schema, names)]));
}
