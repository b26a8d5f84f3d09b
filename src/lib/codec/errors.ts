/** The keys as they were given cannot be used. Never shows anything of an entry but its place: it could be a key. */
export class InvalidCodecKeys extends Error {
  readonly type = 'InvalidCodecKeys';
  override readonly name = this.type;
}

export class UnknownEncryptionKey extends Error {
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
export class PayloadDecryptionFailed extends Error {
  readonly type = 'PayloadDecryptionFailed';

  constructor(readonly keyId: string) {
    super(
      `A payload cannot be decrypted with key "${keyId}": the payload was changed or cut, or another key has this id here ` +
        'than where it was encrypted.',
    );
    this.name = this.type;
  }
}
