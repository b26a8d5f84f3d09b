import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

import { defaultPayloadConverter, type Payload } from '@temporalio/common';

import { type CodecKey, EncryptionCodec, encryptionCodecFrom } from '../../../src/lib/codec/encryption-codec';

const first: CodecKey = { id: 'k1', key: randomBytes(32) };
const second: CodecKey = { id: 'k2', key: randomBytes(32).toString('base64') };

const value = { secret: 'canary', list: [1, null, 'ü😀'] };
const payload = defaultPayloadConverter.toPayload(value);

const meta = ({ metadata }: Payload, name: string): string => String(metadata?.[name]);

async function encoded(codec: EncryptionCodec, plain: Payload = payload): Promise<Payload> {
  const [result] = await codec.encode([plain]);
  return result!;
}

async function decoded(codec: EncryptionCodec, encrypted: Payload): Promise<unknown> {
  const [result] = await codec.decode([encrypted]);
  return defaultPayloadConverter.fromPayload(result!);
}

describe('the encryption codec', () => {
  const codec = new EncryptionCodec([first]);

  test('gives back what it encrypted, metadata included', async () => {
    const encrypted = await encoded(codec);
    expect(meta(encrypted, 'encoding')).toBe('binary/encrypted');
    expect(meta(encrypted, 'encryption-key-id')).toBe('k1');
    expect(Buffer.from(encrypted.data!).includes('canary')).toBe(false);
    expect(await decoded(codec, encrypted)).toEqual(value);
    for (const one of [new Uint8Array([0, 255]), undefined, null, '']) {
      expect(await decoded(codec, await encoded(codec, defaultPayloadConverter.toPayload(one)))).toEqual(one);
    }
    expect(await codec.encode([])).toEqual([]);
  });

  test('encrypts the same payload to other bytes each time', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 50 }, async () => Buffer.from((await encoded(codec)).data!.subarray(0, 12)).toString('hex')),
    );
    expect(new Set(nonces).size).toBe(50);
  });

  test('rotates: the first key encrypts, all decrypt, and what was never encrypted passes', async () => {
    const old = await encoded(codec);
    const rotated = new EncryptionCodec([second, first]);
    expect(meta(await encoded(rotated), 'encryption-key-id')).toBe('k2');
    expect(await decoded(rotated, old)).toEqual(value);
    expect(await decoded(rotated, payload)).toEqual(value);
    const withoutOld = new EncryptionCodec([second]);
    await expect(decoded(withoutOld, old)).rejects.toMatchObject({ name: 'UnknownEncryptionKey', keyId: 'k1' });
  });

  test('notices every changed, cut or added byte, and another key or id', async () => {
    const encrypted = await encoded(codec);
    const data = Buffer.from(encrypted.data!);
    for (let at = 0; at < data.length; at++) {
      const changed = Buffer.from(data);
      changed[at]! ^= 1;
      await expect(decoded(codec, { ...encrypted, data: changed })).rejects.toMatchObject({
        type: 'PayloadDecryptionFailed',
      });
    }
    for (const cut of [
      data.subarray(1),
      data.subarray(0, -1),
      data.subarray(0, 10),
      Buffer.alloc(0),
      Buffer.concat([data, data]),
    ]) {
      await expect(decoded(codec, { ...encrypted, data: cut })).rejects.toMatchObject({
        type: 'PayloadDecryptionFailed',
      });
    }
    // The same key under another name: the name is authenticated.
    const renamed = new EncryptionCodec([{ ...first, id: 'k9' }]);
    const metadata = { ...encrypted.metadata, 'encryption-key-id': Buffer.from('k9') };
    await expect(decoded(renamed, { ...encrypted, metadata })).rejects.toMatchObject({ keyId: 'k9' });
    await expect(decoded(new EncryptionCodec([{ id: 'k1', key: randomBytes(32) }]), encrypted)).rejects.toMatchObject({
      name: 'PayloadDecryptionFailed',
    });
  });

  test.each([
    '',
    'k1',
    'k1:',
    'k1:dG9vIHNob3J0',
    `k1:${randomBytes(31).toString('base64')}`,
    `k1:${randomBytes(32).toString('base64')}=`,
    `k1:${randomBytes(32).toString('hex')}`,
    `a b:${randomBytes(32).toString('base64')}`,
    `:${randomBytes(32).toString('base64')}`,
    `k1:${randomBytes(32).toString('base64')},`,
    `k1:${randomBytes(32).toString('base64')},k1:${randomBytes(32).toString('base64')}`,
  ])('does not take %j for keys, and does not repeat it', (setting) => {
    if (setting === '') return expect(encryptionCodecFrom({ REFLECT_CODEC_KEYS: setting })).toBeUndefined();
    let message = '';
    try {
      encryptionCodecFrom({ REFLECT_CODEC_KEYS: setting });
    } catch (error) {
      message = inspect(error);
    }
    expect(message).toMatch(/InvalidCodecKeys/);
    for (const piece of setting.split(/[:,]/)) if (piece.length > 2) expect(message).not.toContain(piece);
    return undefined;
  });

  test('reads keys from the environment and shows none when it is logged', async () => {
    const setting = `k2:${String(second.key)}, k1:${Buffer.from(first.key as Uint8Array).toString('base64')}`;
    const fromEnvironment = encryptionCodecFrom({ REFLECT_CODEC_KEYS: setting })!;
    expect(await decoded(fromEnvironment, await encoded(codec))).toEqual(value);
    const shown = inspect(fromEnvironment, { depth: 9, showHidden: true }) + JSON.stringify(fromEnvironment);
    expect(shown).not.toContain(String(second.key));
    expect(() => new EncryptionCodec([])).toThrow('at least one');
  });
});
