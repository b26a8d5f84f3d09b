import type { Client } from '@temporalio/client';
import { MOST_ATTACHED_BYTES } from '../lib/base/maxima';
import { protocolTextProblem } from '../lib/names/protocol-text';
import { MOST_INLINE_CHARACTERS } from '../loop/spec/attachments';
import type { AttachmentDetails, AttachmentReference } from '../lib/contract/attachments';
import { InvalidSpecError } from '../loop/errors/errors';
import { attachmentStorageOf } from '../lib/storage';

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function invalidAttachment(path: string, message: string): InvalidSpecError {
  return new InvalidSpecError([{ path, message }]);
}

/**
 * Puts a picture or a file where the runs of a namespace find it.
 *
 * @throws InvalidSpecError, and what the storage throws
 */
export async function attach(
  { options: { loadedDataConverter: converter, namespace } }: Client,
  bytes: Uint8Array,
  { mediaType, name }: AttachmentDetails,
): Promise<AttachmentReference | string> {
  if (!MEDIA_TYPE.test(mediaType))
    throw invalidAttachment('/mediaType', `must be one such as \`image/png\`, and is "${mediaType}"`);
  if (bytes.length === 0 || bytes.length > MOST_ATTACHED_BYTES) {
    throw invalidAttachment('/bytes', `must be 1 to ${MOST_ATTACHED_BYTES}, and are ${bytes.length}`);
  }
  const misnamed = name === undefined ? undefined : protocolTextProblem(name);
  if (misnamed !== undefined) throw invalidAttachment('/name', misnamed);
  const storage = attachmentStorageOf(converter, () => namespace);
  if (storage) return storage.put(bytes, { mediaType, name });
  const inline = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  if (inline.length <= MOST_INLINE_CHARACTERS) return inline;
  throw invalidAttachment(
    '/bytes',
    `are ${bytes.length}, which is too much for a history: set REFLECT_STORAGE for client and worker, so that they are stored`,
  );
}
