import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from 'yaml';

/** A value that a file writes, with its key if it is in an object. */
export interface WrittenPart {
  /** The path as the file writes it, such as `nodes[0].with`. */
  path: string;
  /** Characters from the beginning of the file. */
  offset: number;
  key?: Scalar;
  value: Node | null;
  /** The part around it; undefined for the whole file. */
  parent?: WrittenPart;
}

/** The parts of a file, and where each begins. */
interface WrittenFile {
  document: Document.Parsed;
  /** In the order of the file, those that contain others first. */
  parts: WrittenPart[];
  partAt(place: { path: string; line: number; column: number }): WrittenPart | undefined;
}

/** Reads a file that can be read as a spec. The value of an alias is a part at each location of the alias. */
export function writtenFile(text: string): WrittenFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, uniqueKeys: false });
  const parts: WrittenPart[] = [];
  const byPlace = new Map<string, WrittenPart>();

  const visit = (given: unknown, part: Omit<WrittenPart, 'value'>): void => {
    const value = isAlias(given) ? given.resolve(document) : given;
    const whole = { ...part, value: (value ?? null) as Node | null };
    parts.push(whole);
    const { line, col } = lineCounter.linePos(part.offset);
    byPlace.set(idOf(part.path, line, col), whole);
    if (isMap(value)) {
      for (const { key: written, value: inner } of value.items) {
        const key = isAlias(written) ? written.resolve(document) : written;
        if (!isScalar(key)) continue;
        const path = part.path === '' ? nameOf(key) : `${part.path}.${nameOf(key)}`;
        visit(inner, { path, offset: offsetOf(written) ?? part.offset, key, parent: whole });
      }
    } else if (isSeq(value)) {
      for (const [index, item] of value.items.entries()) {
        visit(item, { path: `${part.path}[${index}]`, offset: offsetOf(item) ?? part.offset, parent: whole });
      }
    }
  };
  visit(document.contents, { path: '', offset: 0 });
  return {
    document,
    parts,
    partAt: ({ path, line, column }) => byPlace.get(idOf(path, line, column)),
  };
}

/** Returns the name that a key gives. */
export function nameOf({ value, source }: Scalar): string {
  return value === null ? (source ?? '') : String(value);
}

function idOf(path: string, line: number, column: number): string {
  return `${Math.max(1, line)}:${Math.max(1, column)} ${path}`;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] } | null)?.range?.[0];
}
