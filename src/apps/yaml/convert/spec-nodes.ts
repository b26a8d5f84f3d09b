import { isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isJsonObject, type Json } from '../../../lib/json/json';
import { jsonPointer } from '../../../lib/json/json-pointer';
import { camelCase, type Shape, shapeAt, snakeCase } from '../../../lib/yaml/key-names';
import { nameOf, type WrittenPart } from './written-parts';

/** The nodes of the new file that a part of the written file became. */
export interface BuiltPart {
  /** The node that comments are put before: the key, or the item of a list. */
  place: Node;
  value: Node;
  /** True for a part in braces or brackets, where no comment can be read. */
  isInline: boolean;
}

type Segments = readonly (string | number)[];

interface Place {
  segments: Segments;
  shape: Shape;
  isInline: boolean;
}

/**
 * The nodes of a YAML document for a spec. Each part of it is written as the file wrote the part that it comes from: with its comments,
 * its quotes and its name, in the order of the file.
 */
export class SpecNodes {
  readonly built = new Map<WrittenPart, BuiltPart>();
  /** By JSON Pointer into the spec. */
  readonly byPointer = new Map<string, BuiltPart>();

  constructor(
    /** Returns the parts of the file that a pointer of the spec may come from, the likeliest first. */
    private readonly writtenAt: (pointer: string) => WrittenPart[],
    /** True for a file that is all in braces, as JSON is. */
    private readonly isJson: boolean,
  ) {}

  /** @param shape of the value, for the names of keys that the file does not have */
  build(value: Json, shape: Shape): Node {
    return this.#node(value, { segments: [], shape, isInline: false }).node;
  }

  #node(value: Json, place: Place): { node: Node; part?: WrittenPart; at: number } {
    const part = this.writtenAt(jsonPointer(place.segments)).find(
      (each) => !this.built.has(each) && fits(each, value, place.segments.at(-1)),
    );
    // Known before its parts are looked for: none of them comes from the same.
    if (part) this.#note(place, part, new Scalar(null));
    const written = part?.value;
    const isFlow = !this.isJson && (isMap(written) || isSeq(written)) && written.flow === true;
    const isInline = place.isInline || isFlow;
    const within = { ...place, isInline };
    const made = Array.isArray(value)
      ? this.#list(value, within)
      : isJsonObject(value)
        ? this.#map(value, within)
        : { node: scalar(value, written), at: Infinity };
    if (isMap(made.node) || isSeq(made.node)) made.node.flow = isFlow || (!written && made.node.items.length === 0);
    if (written) takeComments(made.node, written);
    this.#note(place, part, made.node);
    return { node: made.node, ...(part && { part }), at: part?.offset ?? made.at };
  }

  #list(values: Json[], { segments, shape, isInline }: Place): { node: Node; at: number } {
    const list = new YAMLSeq();
    const items = values.map((value, index) => this.#node(value, { segments: [...segments, index], shape, isInline }));
    list.items = items.map(({ node }) => node);
    return { node: list, at: Math.min(Infinity, ...items.map(({ at }) => at)) };
  }

  #map(object: Record<string, Json>, { segments, shape: given, isInline }: Place): { node: Node; at: number } {
    const text = (key: string): string | undefined => (typeof object[key] === 'string' ? object[key] : undefined);
    const shape = given.kind === 'object' && given.choose ? given.choose(text) : given;
    const pairs = Object.entries(object).map(([name, value]) => {
      const inner = { segments: [...segments, name], shape: shapeAt(shape, [name]), isInline };
      const { node, part, at } = this.#node(value, inner);
      const key = keyFor(name, this.isJson ? undefined : part?.key, shape);
      this.#note(inner, part, node, key);
      return { pair: new Pair(key, node), at };
    });
    // What the file does not say comes last.
    pairs.sort((one, other) => (one.at === other.at ? 0 : one.at - other.at));
    const map = new YAMLMap();
    map.items = pairs.map(({ pair }) => pair);
    return { node: map, at: Math.min(Infinity, ...pairs.map(({ at }) => at)) };
  }

  #note({ segments, isInline }: Place, part: WrittenPart | undefined, value: Node, place = value): void {
    const built = { place, value, isInline };
    this.byPointer.set(jsonPointer(segments), built);
    if (part) this.built.set(part, built);
  }
}

/**
 * Returns whether a value may come from a part: the part is of its kind, and one of an object has its name, too, which others
 * only replace.
 */
function fits({ key, value, path }: WrittenPart, target: Json, name: string | number | undefined): boolean {
  if (Array.isArray(target)) return isSeq(value);
  if (!isJsonObject(target)) return value === null || isScalar(value);
  return isMap(value) && (path === '' || typeof name !== 'string' || !key || isName(nameOf(key), name));
}

function isName(written: string, name: string): boolean {
  return written === name || camelCase(written) === name;
}

/** Returns the key as the file writes it, if it means the same. */
function keyFor(name: string, written: Scalar | undefined, shape: Shape): Scalar {
  const isSame = written !== undefined && isName(nameOf(written), name);
  const key = isSame ? plainCopy(written) : new Scalar(ownName(name, shape));
  if (written) takeComments(key, written);
  return key;
}

function ownName(name: string, shape: Shape): string {
  const snake = snakeCase(name);
  return shape.kind === 'object' && camelCase(snake) === name ? snake : name;
}

function scalar(value: Json, written: Node | null | undefined): Scalar {
  if (!isScalar(written)) return new Scalar(value);
  if (written.value === value) return plainCopy(written);
  const changed = new Scalar(value);
  if (typeof value === 'string' && written.type) changed.type = written.type;
  return changed;
}

function plainCopy(written: Scalar): Scalar {
  const copy = written.clone() as Scalar;
  delete copy.anchor;
  return copy;
}

function takeComments(node: Node, { commentBefore, comment, spaceBefore }: Node): void {
  if (commentBefore) node.commentBefore = commentBefore;
  if (comment) node.comment = comment;
  if (spaceBefore) node.spaceBefore = spaceBefore;
}
