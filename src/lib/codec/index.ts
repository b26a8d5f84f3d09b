/** Encryption of payloads and failure messages. */
export { EncryptionCodec, encryptionCodecFrom } from './encryption-codec';
export { failureConverterPath } from './failure-converter-path';
export type { CodecKey } from './keys';
