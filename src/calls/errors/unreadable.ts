import { ExternalStorageNotConfiguredError, ValueError } from '@temporalio/common';

/** The encoding of a payload that our codec wrote, as the SDK reports it where there is no codec. */
const ENCRYPTED = 'binary/encrypted';

/** A payload cannot be read because this process lacks the storage or the encryption keys of the workers. */
export class UnreadablePayloadError extends Error {
  override readonly name = 'UnreadablePayloadError';

  constructor(
    /** The type of the failure: the one that is also reported where this process is configured otherwise than the workers. */
    readonly type: 'UnknownEncryptionKey' | 'StoredDataMissing',
    message: string,
    cause: Error,
  ) {
    super(message, { cause });
  }
}

/** Returns the error for a payload that the SDK cannot read without a codec or a storage; undefined for any other. */
export function unreadableError(error: unknown): UnreadablePayloadError | undefined {
  if (error instanceof ExternalStorageNotConfiguredError) {
    const message =
      'A payload is kept outside of the history, and this process has no storage. Set REFLECT_STORAGE as the workers have it.';
    return new UnreadablePayloadError('StoredDataMissing', message, error);
  }
  if (error instanceof ValueError && error.message.includes(ENCRYPTED)) {
    const message = `A payload is encrypted (${ENCRYPTED}), and this process has no key. Set REFLECT_CODEC_KEYS as the workers have it.`;
    return new UnreadablePayloadError('UnknownEncryptionKey', message, error);
  }
  return undefined;
}
