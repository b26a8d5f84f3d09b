import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';

import { PayloadDecryptionFailed, UnknownEncryptionKey } from './errors';
import { keyRing, parseKeys, type CodecKey, type KeyRing } from './keys';

const PayloadProto = temporal.api.common.v1.Payload;

const CIPHER = 'aes-256-gcm';
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts whole payloads, their metadata included, with AES-256-GCM. Data is nonce (12 bytes, random), ciphertext, tag (16
 * bytes); the key's id is authenticated with it. A key is good for 2^32 payloads: rotate long before.
 *
 * Payloads that are not encrypted are passed through by `decode`, so that runs from before the keys go on. So it protects what is
 * read out of Temporal's database, and detects changes of what is encrypted; it does not prove that a payload was written by a
 * holder of a key.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly #keys: KeyRing;

  /**
   * Creates a codec: the first key encrypts, all decrypt. To rotate: add the new key as the second one everywhere, then move it
   * to the front everywhere, and drop the old one when no history needs it any more.
   *
   * @throws InvalidCodecKeys
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

/**
 * Returns the codec with the keys of `REFLECT_CODEC_KEYS` (`id:base64,id:base64`); undefined if it is not set.
 *
 * @throws InvalidCodecKeys
 */
export function encryptionCodecFrom(
  environment: Readonly<Record<string, string | undefined>>,
): EncryptionCodec | undefined {
  const setting = environment['REFLECT_CODEC_KEYS'] ?? '';
  return setting === '' ? undefined : new EncryptionCodec(parseKeys(setting));
}

/**
 * Returns the data that is authenticated with each payload. It names the use beside the key's id: the same key in another program
 * must not make payloads for this one.
 */
function additionalDataOf(keyId: string): Buffer {
  return Buffer.from(`durable-reflection payload 1 ${keyId}`);
}

function metadata(payload: Payload, name: string): string | undefined {
  const value = payload.metadata?.[name];
  return value == null ? undefined : Buffer.from(value).toString();
}
