import { isError } from '../circuits/failure-type';
import { ModelReplyError } from '../reply-error';
import type { ChatRequest, ModelAttachment, ModelConfig } from '../types';

/** The ways in which endpoints report that a model sees no pictures, or reads no files. Some report it with status 500. */
const REFUSED = [
  /(?:image|vision|multi-?modal|picture|file|document|pdf)(?:_url|s|\(s\))?\b.{0,80}(?:not (?:be )?support|unsupported|not allowed|not accept|not enabled|only supported|cannot be|may be provided|not available)/is,
  /(?:not support|unsupported|n[o']t accept|cannot (?:process|read|handle|see)|not a|no) .{0,60}(?:image|vision|multi-?modal|picture|file|document|pdf)/is,
  /(?:unknown|invalid|unsupported|unexpected).{0,60}(?:image_url|input_image|content (?:type|part)|type.{0,10}file)/is,
];

const SEARCHED_CHARACTERS = 2_000;
const TOLD_CHARACTERS = 300;

/** Requests that were not carried out; 500 is what some servers answer with when they have no part for pictures. */
const STATUSES = [400, 404, 415, 422, 500, 501];

export function refusalOf(kind: ModelAttachment['kind'], config: ModelConfig | undefined): string | undefined {
  const field = `${kind}s` as const;
  return config?.[field] === false ? `the model "${config.name}" takes no ${field}` : undefined;
}

/** Throws `BadRequest` for unfit attachments: a fallback, which a spec does not name, was not checked before. */
export function refuseUnfit({ messages }: Pick<ChatRequest, 'messages'>, config: ModelConfig): void {
  const kinds = messages.flatMap(({ attachments = [] }) => attachments.map(({ kind }) => kind));
  const refusal = kinds.map((kind) => refusalOf(kind, config)).find((message) => message !== undefined);
  if (refusal !== undefined) throw new ModelReplyError('BadRequest', `Nothing was sent: ${refusal}.`);
}

export function refusesAttachments(error: unknown, { messages }: Pick<ChatRequest, 'messages'>): error is Error {
  if (!isError(error) || !messages.some(({ attachments = [] }) => attachments.length > 0)) return false;
  const { status, statusCode } = error as { status?: unknown; statusCode?: unknown };
  const said = error.message.slice(0, SEARCHED_CHARACTERS);
  return STATUSES.includes(Number(status ?? statusCode)) && REFUSED.some((form) => form.test(said));
}

/** Makes the error that replaces such a refusal: trying again would change nothing. */
export function attachmentsRefused(error: Error, model: string): ModelReplyError {
  const message =
    `The endpoint takes no such attachment for the model "${model}": ${error.message.slice(0, TOLD_CHARACTERS)} ` +
    '(`images: false` or `files: false` of the model refuses such specs before they run)';
  return new ModelReplyError('BadRequest', message, undefined, { cause: error });
}
