/** Encryption of payloads and failure messages. */
export { encryptionCodecFrom } from './encryption-codec';
export { failureConverterPath } from './failure-converter-path';
