import type { ChatMessage, ModelAttachment } from '../types';

/** Tokens that a picture counts as. Models take from about 85 (small, low detail) to about 1,600. */
const IMAGE_TOKENS = 1_000;

/** The tokens that a file counts as if it is not text: about one or two pages of a PDF file. */
const FILE_TOKENS = 2_000;

const BYTES_OF_A_TOKEN = 3;

function tokensOf({ kind, mediaType = '', data }: ModelAttachment): number {
  if (kind === 'image') return IMAGE_TOKENS;
  if (data && /^text\/|[/+]json$/.test(mediaType)) return Math.ceil(data.length / BYTES_OF_A_TOKEN);
  return FILE_TOKENS;
}

/** Estimates the tokens of the attachments of some messages. Their size as base64 does not count. */
export function attachmentTokens(messages: readonly Pick<ChatMessage, 'attachments'>[]): number {
  return messages.flatMap(({ attachments = [] }) => attachments).reduce((sum, each) => sum + tokensOf(each), 0);
}
