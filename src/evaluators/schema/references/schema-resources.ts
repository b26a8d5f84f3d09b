import { isJsonObject, type Json, type JsonObject } from '../../../domain/base/json/json';
import { type Dialect, idKeyword, readsBesideReferences } from '../schema-dialect';
import { decoded, localReference, subschemas } from '../schema-walk';

/** A schema somewhere inside of another one. */
export interface Place {
  schema: JsonObject;
  /** JSON Pointer. */
  path: string;
  /** The address that its references are relative to, without a fragment. */
  base: string;
}

interface Anchor {
  path: string;
  isDynamic: boolean;
}

/** What a reference refers to. */
export type Target = { path: string; anchor?: Anchor } | 'missing' | 'elsewhere';

/** Where a schema that does not name itself is. `.invalid` never resolves. */
const NOWHERE = 'https://schema.invalid/schema';

/** What the schemas inside a schema are called, and where they are (JSON Schema Core 2020-12, 8.2). */
export class SchemaResources {
  readonly places: Place[] = [];
  readonly #bases = new Map<string, string>();
  readonly #roots = new Map<string, string>();
  readonly #anchors = new Map<string, Anchor>();

  constructor(
    readonly root: JsonObject,
    readonly dialect: Dialect,
  ) {
    this.#bases.set('', NOWHERE);
    this.#roots.set(NOWHERE, '');
    this.#addAll(root, '');
  }

  /** Where a dynamic anchor of a name leads: what is judged begins at the top, which comes first where it has one. */
  dynamicTarget(name: string): { path: string } | 'unforeseeable' {
    const found = [...this.#anchors].filter(([address, { isDynamic }]) => isDynamic && address.endsWith(`#${name}`));
    const [, first] = found.find(([address]) => address === `${this.#bases.get('')}#${name}`) ?? [];
    const [, only] = found.length === 1 ? found[0]! : [];
    return first ?? only ?? 'unforeseeable';
  }

  /** Where `$recursiveRef` leads from a place: to the schema that gives it its address, unless that says who is around decides. */
  recursiveTarget({ base }: Place): { path: string } | 'unforeseeable' {
    const path = this.#roots.get(base) ?? '';
    const paths = new Set(this.#roots.values());
    const open = this.places.filter((each) => paths.has(each.path) && each.schema.$recursiveAnchor === true);
    if (!open.some((each) => each.path === path)) return { path };
    const target = this.root.$recursiveAnchor === true ? '' : open.length === 1 ? path : undefined;
    return target === undefined ? 'unforeseeable' : { path: target };
  }

  /** What a reference at a place refers to: a part of this schema, nothing in it, or something elsewhere. */
  find(reference: string, { base }: Pick<Place, 'base'>): Target {
    const address = addressOf(reference, base);
    if (!address) return 'elsewhere';
    const path = this.#roots.get(address.base);
    if (path === undefined) return 'elsewhere';
    const { fragment } = address;
    if (fragment === '') return { path };
    if (!fragment.startsWith('/')) {
      const anchor = this.#anchors.get(`${address.base}#${fragment}`);
      return anchor ? { path: anchor.path, anchor } : 'missing';
    }
    const whole = path + fragment;
    const value = localReference(this.root, localPointer(whole));
    if (value === undefined) return 'missing';
    // A keyword that says nothing may hold schemas, which count once somebody refers to them.
    if (!this.#bases.has(whole)) this.#addAll(value, whole);
    return { path: whole };
  }

  #addAll(schema: Json, top: string): void {
    if (!isJsonObject(schema)) return;
    for (const { schema: each, path } of subschemas(schema)) this.#add(each, top + path);
  }

  #add(schema: JsonObject, path: string): void {
    const outer = this.#baseAround(path);
    const id = this.#isOnlyReference(schema) ? undefined : schema[idKeyword(this.dialect)];
    const own = typeof id === 'string' ? addressOf(id, outer) : undefined;
    const base = own?.base ?? outer;
    this.#bases.set(path, base);
    this.places.push({ schema, path, base });
    if (base !== outer && !this.#roots.has(base)) this.#roots.set(base, path);
    if (own && own.fragment !== '') this.#name(base, own.fragment, { path, isDynamic: false });
    const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    if (typeof anchor === 'string') this.#name(base, anchor, { path, isDynamic: false });
    if (typeof dynamic === 'string') this.#name(base, dynamic, { path, isDynamic: true });
  }

  #isOnlyReference(schema: JsonObject): boolean {
    return typeof schema.$ref === 'string' && !readsBesideReferences(this.dialect);
  }

  #name(base: string, name: string, anchor: Anchor): void {
    const address = `${base}#${name}`;
    if (!this.#anchors.has(address)) this.#anchors.set(address, anchor);
  }

  #baseAround(path: string): string {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const base = this.#bases.get(at);
      if (base !== undefined) return base;
    }
  }
}

/** An address as a whole, by what it is relative to; undefined for what is none. */
export function addressOf(reference: string, base: string): { base: string; fragment: string } | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  const fragment = decoded(url.hash.slice(1));
  url.hash = '';
  return { base: url.href, fragment };
}

/** A reference from the top of a schema to a place inside of it. */
export function localPointer(path: string): string {
  return `#${path.split('/').map(encodeURIComponent).join('/')}`;
}
