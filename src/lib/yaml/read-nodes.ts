import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
} from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../json/json';
import { largeIntegerText, losesDigits } from '../json/large-integers';
import { jsonPointer } from '../json/json-pointer';
import { pathFor, type Shape, shapeAt } from './key-names';

/** The source of a value: offset in the text, and its path as the file writes it. */
export interface Origin {
  offset: number;
  path: string;
}

interface Reading {
  value: Json;
  origins: Map<string, Origin[]>;
  problems: (Origin & { message: string })[];
}

/** Characters that aliases may add to a file, so that a few lines cannot stand for gigabytes. */
const ALIAS_BUDGET = 256 * 1024;
const NODE_COST = 16;

/** Aliases can nest what the parser let pass one by one; deeper values would exhaust the stack later on. */
const MAXIMUM_DEPTH = 500;

interface Place {
  segments: (string | number)[];
  written: string;
  offset: number;
  shape: Shape;
}

/** Turns a parsed document into plain JSON. Only keys that are words of this package are renamed, never a user's data. */
export function readNodes(document: Document.Parsed, shape: Shape): Reading {
  const reader = new Reader(document);
  const value = reader.read(document.contents, { segments: [], written: '', offset: 0, shape });
  return { value, origins: reader.origins, problems: reader.problems };
}

class Reader {
  readonly origins: Reading['origins'] = new Map();
  readonly problems: Reading['problems'] = [];
  readonly #targets: Map<Alias, Node>;
  readonly #used: ReadonlySet<unknown>;
  /** Targets of the aliases that are being expanded: one that comes again contains itself. */
  readonly #expanding = new Set<Node>();
  #aliasBudget = ALIAS_BUDGET;

  constructor(document: Document.Parsed) {
    this.#targets = aliasTargets(document);
    this.#used = new Set(this.#targets.values());
  }

  read(node: unknown, place: Place): Json {
    this.#note(place.segments, place);
    if (place.segments.length > MAXIMUM_DEPTH) return this.#problem(place.offset, '', 'is nested too deeply');
    if (this.#expanding.size > 0) this.#spend(NODE_COST, place);
    if (this.#aliasBudget < 0 && (isAlias(node) || this.#expanding.size > 0)) return null;
    if (isAlias(node)) return this.#readAlias(node, place);
    if (isMap(node)) return this.#readMap(node.items as Pair<unknown, unknown>[], place);
    if (isSeq(node)) {
      return node.items.map((item, index) =>
        this.read(item, {
          segments: [...place.segments, index],
          written: `${place.written}[${index}]`,
          offset: offsetOf(item) ?? place.offset,
          shape: place.shape,
        }),
      );
    }
    // Only lists with a tag of another type hold these.
    if (isPair(node)) return this.#problem(place.offset, place.written, 'is not a value that JSON has');
    return isScalar(node) ? this.#readScalar(node, place) : null;
  }

  #note(segments: Place['segments'], { offset, written }: Pick<Place, 'offset' | 'written'>): void {
    const pointer = jsonPointer(segments);
    this.origins.set(pointer, [...(this.origins.get(pointer) ?? []), { offset, path: written }]);
  }

  #problem(offset: number, path: string, message: string): null {
    this.problems.push({ offset, path, message });
    return null;
  }

  #readAlias(alias: Alias, place: Place): Json {
    const offset = offsetOf(alias) ?? place.offset;
    const target = this.#targets.get(alias);
    if (!target) return this.#problem(offset, place.written, `there is no anchor &${alias.source} before this alias`);
    if (this.#expanding.has(target)) {
      return this.#problem(offset, place.written, `the alias *${alias.source} stands inside its own anchor`);
    }
    this.#expanding.add(target);
    const value = this.read(target, place);
    this.#expanding.delete(target);
    return value;
  }

  /** Notes once that the budget is spent; from then on aliases are not followed. */
  #spend(characters: number, { offset, written }: Place): void {
    if (this.#aliasBudget < 0) return;
    this.#aliasBudget -= characters;
    if (this.#aliasBudget < 0) {
      this.#problem(offset, written, 'aliases repeat too much of this file; write the values out');
    }
  }

  #readScalar(scalar: Scalar, place: Place): Json {
    const { value, source, range } = scalar;
    const offset = range?.[0] ?? place.offset;
    if (typeof value === 'string') {
      const lost = lostPart(scalar, this.#used);
      if (lost !== undefined) this.#problem(offset, place.written, `${lost}; a text with it must stand in quotes`);
      if (this.#expanding.size > 0) this.#spend(value.length, place);
      return value;
    }
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'number') return this.#problem(offset, place.written, 'is not a value that JSON has');
    if (!Number.isFinite(value)) return this.#problem(offset, place.written, `${source} is not a number that JSON has`);
    if (losesDigits(source ?? '')) return this.#problem(offset, place.written, largeIntegerText(source!));
    return value;
  }

  #readMap(pairs: Pair<unknown, unknown>[], place: Place): Json {
    const entries = new Map<string, Json>();
    const names = new Set<string>();
    const shape = this.#choose(place.shape, pairs);
    for (const { key, value } of pairs) {
      const offset = offsetOf(key) ?? place.offset;
      const name = this.#keyOf(key);
      if (name === undefined) {
        this.#problem(offset, place.written, keyProblem(key));
        continue;
      }
      if (names.has(name)) {
        if (this.#expanding.size === 0) this.#problem(offset, '', 'this key stands here twice; keep one');
        continue;
      }
      names.add(name);
      const written = place.written === '' ? name : `${place.written}.${name}`;
      const path = pathFor(name, shape);
      const inner: Place = {
        segments: [...place.segments, ...path],
        written,
        offset,
        shape: shapeAt(shape, path),
      };
      const outer = path.length > 1 ? entries.get(path[0]!) : undefined;
      if (outer !== undefined && !isJsonObject(outer)) {
        this.#problem(offset, written, `is a setting of ${path[0]!}, which is ${JSON.stringify(outer)} here; keep one`);
        continue;
      }
      if (path.length > 1) this.#note([...place.segments, path[0]!], inner);
      const clash = this.origins.get(jsonPointer(inner.segments))?.[0];
      if (clash && shape.kind === 'object' && clash.path !== written) {
        this.#problem(offset, written, `says the same as ${clash.path}; keep one`);
        continue;
      }
      put(entries, path, this.read(value, inner));
    }
    // fromEntries defines own properties: a key such as __proto__ stays an ordinary key.
    return Object.fromEntries(entries);
  }

  #choose(shape: Shape, pairs: Pair<unknown, unknown>[]): Shape {
    if (shape.kind === 'data' || !shape.choose) return shape;
    return shape.choose((key) => {
      const value = pairs.find((pair) => this.#keyOf(pair.key) === key)?.value;
      const node = isAlias(value) ? this.#targets.get(value) : value;
      return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
    });
  }

  #keyOf(key: unknown): string | undefined {
    const node = isAlias(key) ? this.#targets.get(key) : key;
    if (!isScalar(node)) return undefined;
    return node.value === null ? (node.source ?? '') : String(node.value);
  }
}

/** Describes what YAML takes off a sentence without quotes: its end as a comment, or its first word. */
function lostPart(scalar: Scalar, used: ReadonlySet<unknown>): string | undefined {
  const { value, type, comment = '', anchor, tag } = scalar;
  if (type !== 'PLAIN' || !/\S \S/.test(String(value))) return undefined;
  // A comment that goes on with the sentence.
  const isCut = /^\d|^ \p{Ll}.*[.!?]$/u.test(comment ?? '') && !/[.!?:;]$/.test(String(value));
  if (isCut) return `ends at ${JSON.stringify(` #${comment}`)}, which is a comment`;
  if (anchor !== undefined && !used.has(scalar)) return `loses "&${anchor}", which would be an anchor`;
  return tag === undefined ? undefined : 'loses its first word, which would be a tag';
}

function keyProblem(key: unknown): string {
  // `{{ state.name }}` without quotes is a map whose key is a map.
  return isMap(key) ? 'a text that starts with {{ must stand in quotes' : 'a key must be a text';
}

function put(entries: Map<string, Json>, path: readonly string[], value: Json): void {
  const [first, second] = path;
  if (second === undefined) return void entries.set(first!, value);
  const before = entries.get(first!);
  const outer: JsonObject = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  entries.set(first!, { ...outer, [second]: value });
}

function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
      } else if ('anchor' in node && typeof node.anchor === 'string') anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] } | null)?.range?.[0];
}
