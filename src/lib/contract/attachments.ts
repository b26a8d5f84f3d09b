import { z } from 'zod';
import type { Infer } from './infer';
import { MOST_ATTACHED_BYTES } from '../base/maxima';
import { nameText, optional } from './values';

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

const mediaType = z.string().regex(MEDIA_TYPE, 'must be a media type such as `image/png`');

const MOST_ATTACHMENTS = 100;

export const attachmentReference = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex')
    .describe('SHA-256 of the bytes, in hex.'),
  stored: z
    .string()
    .regex(/^[0-9a-f]{64}:\d{1,12}$/, 'must be what `client.attach` wrote')
    .describe('Where the storage keeps the bytes.'),
  mediaType: mediaType.describe('Media type, such as `image/png`.'),
  bytes: z.int().min(0).max(MOST_ATTACHED_BYTES).describe('Length in bytes.'),
  name: optional(nameText, 'Name of the file.'),
});

/** A picture or a file in the storage of large payloads, as a state refers to it. `client.attach` makes it. */
export interface AttachmentReference extends Infer<typeof attachmentReference> {}

const source = z.union([z.string().min(1), attachmentReference]);

const imageAttachment = z.strictObject({
  image: source.describe(
    'The picture: an https URL, a `data:` URL, a reference of `client.attach`, or a template that gives one of these or a list of them.',
  ),
  mediaType: optional(mediaType, 'Media type of the picture. Default: that of the source.'),
});

const fileAttachment = z.strictObject({
  file: source.describe('The file; as `image` says.'),
  name: optional(nameText, 'Name that the model sees. Default: that of the source.'),
  mediaType: optional(mediaType, 'Media type of the file. Default: that of the source.'),
});

/** A picture or a file that a model sees beside the text of its prompt. */
export type Attachment = Infer<typeof imageAttachment> | Infer<typeof fileAttachment>;

const attachment = z.union([imageAttachment, fileAttachment], 'must be an object with `image` or `file`');

export const attachments = z.array(attachment).max(MOST_ATTACHMENTS);

/** The description of a file beside its bytes. */
export interface AttachmentDetails {
  /** The media type, such as `image/png`. */
  mediaType: string;
  /** The name of the file. Default: none. */
  name?: string | undefined;
}
