import { isJsonObject, type Json, type JsonObject } from '../../../lib/json/json';
import { jsonPointer } from '../../../lib/json/json-pointer';
import { type Dialect, readsBesideReferences } from '../schema-dialect';
import { decodeUriPart, type JsonSchema, localReference, subschemas } from '../schema-walk';
import { SchemaFileRefused } from './schema-file';

export interface Place {
  schema: JsonObject;
  /** JSON Pointer. */
  path: string;
  /** The address that its references are relative to, without a fragment. */
  base: string;
  file: string;
}

interface Anchor {
  path: string;
  isDynamic: boolean;
}

export interface FoundPlace {
  path: string;
  anchor?: Anchor;
}

type Target = FoundPlace | 'missing' | 'elsewhere';

/** The address of a schema that does not name itself. `.invalid` never resolves. */
const NOWHERE = 'https://schema.invalid/schema';
const FILES = 'https://files.invalid/';

const KEY = 'file-';

/** The addresses and places of the schemas inside a schema (JSON Schema Core 2020-12, 8.2). */
export class SchemaResources {
  readonly places: Place[] = [];
  readonly #bases = new Map<string, string>();
  readonly #roots = new Map<string, string>();
  readonly #anchors = new Map<string, Anchor>();
  readonly #files = new Map<string, string>();

  constructor(
    readonly root: JsonObject,
    readonly dialect: Dialect,
    private readonly folderAddress = FILES,
  ) {
    this.#bases.set('', NOWHERE);
    this.#roots.set(NOWHERE, '');
    this.#addAll(root, '');
  }

  /** The target of a dynamic anchor: judging begins at the top, so an anchor of that name there comes first. */
  dynamicTarget(name: string): { path: string } | 'unforeseeable' {
    const found = [...this.#anchors].filter(([address, { isDynamic }]) => isDynamic && address.endsWith(`#${name}`));
    const [, first] = found.find(([address]) => address === `${this.#bases.get('')}#${name}`) ?? [];
    const [, only] = found.length === 1 ? found[0]! : [];
    return first ?? only ?? 'unforeseeable';
  }

  /** The schema that gives the place its address, unless `$recursiveAnchor` leaves the choice to those around it. */
  recursiveTarget({ base }: Place): { path: string } | 'unforeseeable' {
    const path = this.#roots.get(base) ?? '';
    const paths = new Set(this.#roots.values());
    const open = this.places.filter((each) => paths.has(each.path) && each.schema.$recursiveAnchor === true);
    if (!open.some((each) => each.path === path)) return { path };
    const target = this.root.$recursiveAnchor === true ? '' : open.length === 1 ? path : undefined;
    return target === undefined ? 'unforeseeable' : { path: target };
  }

  find(reference: string, { base }: Pick<Place, 'base'>): Target {
    const address = addressOf(reference, base);
    const path = address && this.#roots.get(address.base);
    return path === undefined ? 'elsewhere' : this.#findIn(path, address!.fragment);
  }

  findInFile(name: string, fragment: string): FoundPlace | 'missing' {
    return this.#findIn(pathOfFile(name), decodeUriPart(fragment));
  }

  /** @throws SchemaFileRefused for a name that another schema has */
  addFile(name: string, content: JsonSchema): void {
    const key = KEY + name;
    const definitions = isJsonObject(this.root.$defs) ? this.root.$defs : {};
    if (Object.hasOwn(definitions, key)) throw new SchemaFileRefused(`the schema has a definition "${key}" already`);
    this.root.$defs = { ...definitions, [key]: content };
    const path = pathOfFile(name);
    const address = this.folderAddress + name.split('/').map(encodeURIComponent).join('/');
    this.#files.set(path, name);
    this.#bases.set(path, address);
    if (!this.#roots.has(address)) this.#roots.set(address, path);
    this.#addAll(content, path);
  }

  #findIn(resource: string, fragment: string): FoundPlace | 'missing' {
    if (fragment === '') return { path: resource };
    if (!fragment.startsWith('/')) {
      const anchor = this.#anchors.get(`${this.#bases.get(resource)}#${fragment}`);
      return anchor ? { path: anchor.path, anchor } : 'missing';
    }
    const path = resource + fragment;
    const value = localReference(this.root, localPointer(path));
    if (value === undefined) return 'missing';
    // An unknown keyword may hold schemas, which count once a reference leads to them.
    if (!this.#bases.has(path)) this.#addAll(value, path);
    return { path };
  }

  #addAll(schema: Json, top: string): void {
    if (!isJsonObject(schema)) return;
    for (const { schema: each, path } of subschemas(schema)) this.#add(each, top + path);
  }

  #add(schema: JsonObject, path: string): void {
    const outer = this.#baseAround(path);
    const id = this.#isOnlyReference(schema) ? undefined : schema.$id;
    const own = typeof id === 'string' ? addressOf(id, outer) : undefined;
    const base = own?.base ?? outer;
    this.#bases.set(path, base);
    const file = this.#fileOf(path);
    this.places.push({ schema, path, base, file });
    if (base !== outer) this.#addRoot(base, path, file);
    if (own && own.fragment !== '') this.#setAnchor(base, own.fragment, { path, isDynamic: false });
    const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
    if (typeof anchor === 'string') this.#setAnchor(base, anchor, { path, isDynamic: false });
    if (typeof dynamic === 'string') this.#setAnchor(base, dynamic, { path, isDynamic: true });
  }

  #addRoot(base: string, path: string, file: string): void {
    const isTaken = this.#roots.has(base);
    // References to it would lead to the other one.
    if (isTaken && file !== '') throw new SchemaFileRefused(`${file} names itself "${base}", as another schema does`);
    if (!isTaken) this.#roots.set(base, path);
  }

  #fileOf(path: string): string {
    return this.#files.get(path.split('/', 3).join('/')) ?? '';
  }

  #isOnlyReference(schema: JsonObject): boolean {
    return typeof schema.$ref === 'string' && !readsBesideReferences(this.dialect);
  }

  #setAnchor(base: string, name: string, anchor: Anchor): void {
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

export function addressOf(reference: string, base: string): { base: string; fragment: string } | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  const fragment = decodeUriPart(url.hash.slice(1));
  url.hash = '';
  return { base: url.href, fragment };
}

export function localPointer(path: string): string {
  return `#${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function fileOfKey(key: string | undefined): string | undefined {
  return key?.startsWith(KEY) ? key.slice(KEY.length) : undefined;
}

function pathOfFile(name: string): string {
  return jsonPointer(['$defs', KEY + name]);
}
