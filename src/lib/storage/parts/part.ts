import { createHash } from 'node:crypto';

/**
 * A stored part: bytes under the SHA-256 of these bytes. The first byte is the form of the others:
 *
 * - `J` a piece of JSON text, as it is;
 * - `S` a skeleton: JSON text with holes. Again and again a length (4 bytes, little-endian), so many bytes of text, and the
 *   hash (32 bytes) of the part that fills the hole; after the last text the bytes end;
 * - `P` a whole payload in Temporal's protobuf encoding.
 *
 * References are beside the text and not in it, so no text can look like a reference, and nothing must be escaped.
 */
export interface Part {
  /** SHA-256 of `bytes`, in hex. */
  hash: string;
  bytes: Buffer;
}

/** A place in a text that another part fills. */
export interface Hole {
  start: number;
  end: number;
  hash: string;
}

/** A part as it is read: texts, and between each two of them the hash of what fills the hole. */
export interface PartContent {
  kind: 'json' | 'payload';
  texts: Uint8Array[];
  holes: string[];
}

const HASH_BYTES = 32;
const LENGTH_BYTES = 4;

/** The bytes that a hole costs in a skeleton. */
export const HOLE_BYTES = HASH_BYTES + LENGTH_BYTES;

const JSON_TAG = Buffer.from('J');
const SKELETON_TAG = Buffer.from('S');
const PAYLOAD_TAG = Buffer.from('P');

/** Returns the address of these bytes. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function part(...pieces: Uint8Array[]): Part {
  const bytes = Buffer.concat(pieces);
  return { hash: hashOf(bytes), bytes };
}

/** Returns a part that holds a payload as it is. */
export function payloadPart(encodedPayload: Uint8Array): Part {
  return part(PAYLOAD_TAG, encodedPayload);
}

/** Returns a part that holds `text` from `start` to `end`, without what fills the holes (in order, not overlapping). */
export function jsonPart(text: Uint8Array, start: number, end: number, holes: readonly Hole[]): Part {
  if (holes.length === 0) return part(JSON_TAG, text.subarray(start, end));
  const pieces: Uint8Array[] = [SKELETON_TAG];
  let from = start;
  for (const hole of holes) {
    pieces.push(lengthBytes(hole.start - from), text.subarray(from, hole.start), Buffer.from(hole.hash, 'hex'));
    from = hole.end;
  }
  pieces.push(lengthBytes(end - from), text.subarray(from, end));
  return part(...pieces);
}

/** Reads a part; undefined if its form is wrong. The caller has checked its hash. */
export function readPart(bytes: Uint8Array): PartContent | undefined {
  const tag = bytes[0];
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(1);
  if (tag === PAYLOAD_TAG[0]) return { kind: 'payload', texts: [rest], holes: [] };
  if (tag === JSON_TAG[0]) return { kind: 'json', texts: [rest], holes: [] };
  return tag === SKELETON_TAG[0] ? readSkeleton(rest) : undefined;
}

function readSkeleton(bytes: Buffer): PartContent | undefined {
  const content: PartContent = { kind: 'json', texts: [], holes: [] };
  let at = 0;
  for (;;) {
    if (at + LENGTH_BYTES > bytes.length) return undefined;
    const end = at + LENGTH_BYTES + bytes.readUInt32LE(at);
    if (end > bytes.length) return undefined;
    content.texts.push(bytes.subarray(at + LENGTH_BYTES, end));
    if (end === bytes.length) return content;
    at = end + HASH_BYTES;
    if (at > bytes.length) return undefined;
    content.holes.push(bytes.toString('hex', end, at));
  }
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeUInt32LE(length);
  return bytes;
}
