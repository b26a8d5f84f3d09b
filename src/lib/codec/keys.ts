import { createSecretKey, type KeyObject } from 'node:crypto';

import { InvalidCodecKeys } from './errors';

const KEY_BYTES = 32;
const ID = /^[\w.-]{1,64}$/;

/** A key for AES-256 and the name it has in payloads. */
export interface CodecKey {
  /** 1 to 64 letters, digits, `_`, `.`, `-`. Readable in every payload. */
  id: string;
  /** 32 bytes, or 32 bytes as base64. */
  key: Uint8Array | string;
}

/** Keys ready for use. A `KeyObject` shows nothing of its key when it is logged. */
export interface KeyRing {
  /** Encrypts. */
  current: { id: string; key: KeyObject };
  /** Decrypt. */
  all: ReadonlyMap<string, KeyObject>;
}

/** @throws InvalidCodecKeys when there are no keys, one is invalid, or two have the same id */
export function keyRing(keys: readonly CodecKey[]): KeyRing {
  const all = new Map<string, KeyObject>();
  for (const [index, { id, key }] of keys.entries()) {
    const place = `Encryption key ${index + 1} of ${keys.length}`;
    if (!ID.test(id))
      throw new InvalidCodecKeys(`${place} has no usable id: take letters, digits, "_", "." and "-", at most 64`);
    if (all.has(id)) throw new InvalidCodecKeys(`${place} has the same id as an earlier one`);
    const bytes = bytesOf(key);
    if (bytes?.length !== KEY_BYTES) {
      throw new InvalidCodecKeys(
        `${place} must be ${KEY_BYTES} bytes as base64: \`openssl rand -base64 ${KEY_BYTES}\` makes one`,
      );
    }
    all.set(id, createSecretKey(bytes));
  }
  const [first] = all;
  if (first === undefined) throw new InvalidCodecKeys('There is no encryption key: give at least one');
  return { current: { id: first[0], key: first[1] }, all };
}

/** Reads `id:base64,id:base64`. Throws InvalidCodecKeys. */
export function parseKeys(setting: string): CodecKey[] {
  const entries = setting.split(',').map((entry) => entry.trim());
  return entries.map((entry, index) => {
    const colon = entry.indexOf(':');
    if (colon < 0) throw new InvalidCodecKeys(`Entry ${index + 1} of REFLECT_CODEC_KEYS is not <id>:<key as base64>`);
    return { id: entry.slice(0, colon), key: entry.slice(colon + 1) };
  });
}

function bytesOf(key: Uint8Array | string): Uint8Array | undefined {
  if (typeof key !== 'string') return key;
  const bytes = Buffer.from(key, 'base64');
  // Buffer.from skips what is not base64: out of a typing mistake would come another key.
  return bytes.toString('base64') === key ? bytes : undefined;
}
