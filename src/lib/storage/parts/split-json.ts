import { HOLE_BYTES, jsonPart, type Hole, type Part } from './part';

/** Deeper than anything that `JSON.stringify` writes in practice; text beyond it is kept in one piece. */
const MAX_DEPTH = 2_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** An array or object that is being read. */
interface Frame {
  start: number;
  holes: Hole[];
  /** Bytes of text that the holes stand for. */
  cut: number;
}

/** A text as parts: putting `root` together again gives exactly the same bytes. */
export interface SplitText {
  root: Part;
  /** All of them, the root included, each once. */
  parts: Part[];
}

/**
 * Cuts JSON text into parts, so that a value that occurs in several documents is the same part in all of them: every string of at
 * least `partBytes`, and every array or object that is still so long when what was cut out of it is left out. So a part holds at
 * least `partBytes` (the root excepted), and deep nesting does not make many of them.
 *
 * Works on the bytes and parses nothing: order and repetition of keys, escapes, digits of numbers and spaces come back as they
 * were. Text that is not JSON comes back too; it is kept in one piece as soon as its brackets do not match.
 */
export function splitJson(text: Uint8Array, partBytes: number): SplitText {
  const parts = new Map<string, Part>();
  const add = (part: Part): Part => {
    parts.set(part.hash, part);
    return part;
  };
  const whole = (): SplitText => {
    const root = jsonPart(text, 0, text.length, []);
    return { root, parts: [root] };
  };

  let frame: Frame = { start: 0, holes: [], cut: 0 };
  const outer: Frame[] = [];
  const cutOut = (start: number, end: number, holes: readonly Hole[]): void => {
    const { hash } = add(jsonPart(text, start, end, holes));
    frame.holes.push({ start, end, hash });
    frame.cut += end - start;
  };

  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === QUOTE) {
      const end = endOfString(text, at);
      if (end === undefined) return whole();
      if (end - at >= partBytes) cutOut(at, end, []);
      at = end - 1;
    } else if (OPENING.has(byte)) {
      if (outer.push(frame) > MAX_DEPTH) return whole();
      frame = { start: at, holes: [], cut: 0 };
    } else if (CLOSING.has(byte)) {
      const closed = frame;
      const parent = outer.pop();
      if (parent === undefined) return whole();
      frame = parent;
      const end = at + 1;
      if (end - closed.start - closed.cut + closed.holes.length * HOLE_BYTES >= partBytes) {
        cutOut(closed.start, end, closed.holes);
      } else {
        for (const hole of closed.holes) frame.holes.push(hole);
        frame.cut += closed.cut;
      }
    }
  }
  if (outer.length > 0) return whole();
  return {
    root: rootOf(text, frame.holes, parts) ?? add(jsonPart(text, 0, text.length, frame.holes)),
    parts: [...parts.values()],
  };
}

/**
 * Returns the root part; undefined for a text that is one part from its first byte to its last, and needs no skeleton around it.
 */
function rootOf(text: Uint8Array, holes: readonly Hole[], parts: ReadonlyMap<string, Part>): Part | undefined {
  const [only] = holes;
  if (holes.length !== 1 || only?.start !== 0 || only.end !== text.length) return undefined;
  return parts.get(only.hash);
}

/**
 * Returns the index at which the string that starts at `start` ends, its closing quote included; undefined if it does not end.
 */
function endOfString(text: Uint8Array, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const byte = text[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  return undefined;
}
