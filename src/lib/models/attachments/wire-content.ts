import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources';
import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses';
import { omitUndefined } from '../../base/defined';
import { ModelReplyError } from '../reply-error';
import type { ChatMessage, ModelAttachment } from '../types';

/** The name of a file without one: some endpoints insist on a name. */
const UNNAMED = 'file';

function urlOf(attachment: ModelAttachment): string {
  if (attachment.url !== undefined) return attachment.url;
  const { buffer, byteOffset, byteLength } = attachment.data;
  return `data:${attachment.mediaType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
}

/** @throws ModelReplyError `BadRequest` for the URL of a file: the protocol has no place for it */
function chatPart(attachment: ModelAttachment): ChatCompletionContentPart {
  if (attachment.kind === 'image') return { type: 'image_url', image_url: { url: urlOf(attachment) } };
  if (attachment.url !== undefined) {
    const message = 'Chat completions take no file by its URL: attach its bytes. Nothing was sent.';
    throw new ModelReplyError('BadRequest', message);
  }
  return { type: 'file', file: { filename: attachment.name ?? UNNAMED, file_data: urlOf(attachment) } };
}

export function chatMessage({ role, content, attachments = [] }: ChatMessage): ChatCompletionMessageParam {
  if (role !== 'user' || attachments.length === 0) return { role, content };
  return { role, content: [...attachments.map(chatPart), { type: 'text', text: content }] };
}

function responsePart(attachment: ModelAttachment): ResponseInputContent {
  const url = urlOf(attachment);
  if (attachment.kind === 'image') return { type: 'input_image', image_url: url, detail: 'auto' };
  if (attachment.url !== undefined) return { type: 'input_file', file_url: url };
  return { type: 'input_file', ...omitUndefined({ filename: attachment.name ?? UNNAMED, file_data: url }) };
}

export function responseMessage({ role, content, attachments = [] }: ChatMessage): ResponseInputItem {
  if (role !== 'user' || attachments.length === 0) return { role, content };
  return { role, content: [...attachments.map(responsePart), { type: 'input_text', text: content }] };
}
