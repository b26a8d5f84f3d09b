import { createCipheriv, createDecipheriv, randomBytes, createSecretKey, type KeyObject } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

/** For `failureConverterPath` of a data converter, and of `bundleWorkflowCode` for a bundle that is built beforehand. */
export const failureConverterPath = require.resolve('./failure-converter');

/** The keys as they were given cannot be used. Never shows anything of an entry but its place: it could be a key. */
class InvalidCodecKeys extends Error {
  readonly type = 'InvalidCodecKeys';
  override readonly name = this.type;
}

class UnknownEncryptionKey extends Error {
  readonly type = 'UnknownEncryptionKey';

  constructor(readonly keyId: string) {
    super(
      `A payload is encrypted with key "${keyId}", which this process does not have. Add it to REFLECT_CODEC_KEYS behind ` +
        'the first, and keep it there as long as histories need it.',
    );
    this.name = this.type;
  }
}

/** A payload is not what was encrypted: it was changed, or its key's id now names another key. */
class PayloadDecryptionFailed extends Error {
  readonly type = 'PayloadDecryptionFailed';

  constructor(readonly keyId: string) {
    super(
      `A payload cannot be decrypted with key "${keyId}": the payload was changed or cut, or another key has this id here ` +
        'than where it was encrypted.',
    );
    this.name = this.type;
  }
}

const KEY_BYTES = 32;
const ID = /^[\w.-]{1,64}$/;

export interface CodecKey {
  /** 1 to 64 letters, digits, `_`, `.`, `-`. Readable in every payload. */
  id: string;
  /** 32 bytes, or 32 bytes as base64. */
  key: Uint8Array | string;
}

/** Keys ready for use. A `KeyObject` shows nothing of its key when it is logged. */
interface KeyRing {
  current: { id: string; key: KeyObject };
  all: ReadonlyMap<string, KeyObject>;
}

/** @throws InvalidCodecKeys when there are no keys, one is invalid, or two have the same id */
function keyRing(keys: readonly CodecKey[]): KeyRing {
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

function parseKeys(setting: string): CodecKey[] {
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

const PayloadProto = temporal.api.common.v1.Payload;

const CIPHER = 'aes-256-gcm';
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts whole payloads, their metadata included, with AES-256-GCM. Data is nonce (12 bytes, random), ciphertext, tag (16
 * bytes); the key's id is authenticated with it. A key is good for 2^32 payloads: rotate long before. Payloads that are not
 * encrypted are passed through by `decode`, so that runs from before the keys go on. So it protects what is read out of
 * Temporal's database, and detects changes of what is encrypted; it does not prove that a payload was written by a holder of a
 * key.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: KeyRing;

  /**
   * Creates a codec: the first key encrypts, all decrypt. To rotate: add the new key as the second one everywhere, then move it
   * to the front everywhere, and drop the old one when no history needs it any more. Throws InvalidCodecKeys.
   */
  constructor(keys: readonly CodecKey[]) {
    this.#keys = keyRing(keys);
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypt(payload));
  }

  /** @throws UnknownEncryptionKey, PayloadDecryptionFailed */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      metadata(payload, METADATA_ENCODING_KEY) === ENCODING ? this.#decrypt(payload) : payload,
    );
  }

  #encrypt(payload: Payload): Payload {
    const { id, key } = this.#keys.current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(additionalDataOf(id));
    const encrypted = [cipher.update(PayloadProto.encode(payload).finish()), cipher.final()];
    return {
      metadata: { [METADATA_ENCODING_KEY]: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) },
      data: Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]),
    };
  }

  #decrypt(payload: Payload): Payload {
    const id = metadata(payload, KEY_ID) ?? '';
    const key = this.#keys.all.get(id);
    if (key === undefined) throw new UnknownEncryptionKey(id);
    const data = payload.data ?? new Uint8Array();
    if (data.length < NONCE_BYTES + TAG_BYTES) throw new PayloadDecryptionFailed(id);
    const decipher = createDecipheriv(CIPHER, key, data.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(additionalDataOf(id))
      .setAuthTag(data.subarray(data.length - TAG_BYTES));
    try {
      const plain = [decipher.update(data.subarray(NONCE_BYTES, data.length - TAG_BYTES)), decipher.final()];
      return PayloadProto.decode(Buffer.concat(plain));
    } catch {
      // OpenSSL's own words say nothing more.
      throw new PayloadDecryptionFailed(id);
    }
  }
}

/** The codec with the keys of `REFLECT_CODEC_KEYS`, if it is set. Throws InvalidCodecKeys. */
export function encryptionCodecFrom(
  environment: Readonly<Record<string, string | undefined>>,
): EncryptionCodec | undefined {
  const setting = environment['REFLECT_CODEC_KEYS'] ?? '';
  return setting === '' ? undefined : new EncryptionCodec(parseKeys(setting));
}

/** The authenticated data of a payload names its use: the same key elsewhere cannot make payloads for it. */
function additionalDataOf(keyId: string): Buffer {
  return Buffer.from(`durable-reflection payload 1 ${keyId}`);
}

function metadata(payload: Payload, name: string): string | undefined {
  const value = payload.metadata?.[name];
  return value == null ? undefined : Buffer.from(value).toString();
}
