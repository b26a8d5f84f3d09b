import { z } from 'zod';
import { MOST_ANSWER_BYTES } from '../../fetch/errors';
import { assertFewParts, ReadBytes } from '../habits/reply-size';
import { ModelCallError } from '../own/model-call-error';
import { ModelReplyError } from '../reply-error';
import { answeredByPage, errorInside } from './typed-error';

/** A part of what `doStream` gives, as far as it is used: the same in the specifications v2, v3 and v4. */
const PART = z.looseObject({ type: z.string(), delta: z.unknown().optional(), error: z.unknown().optional() });

const STREAMED = z.object({
  stream: z.custom<AsyncIterable<unknown>>(isIterable, 'must be a stream'),
  response: z
    .object({ headers: z.record(z.string(), z.unknown()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Reasons of providers whose stream just ended. */
const NO_REASON: readonly unknown[] = ['other', 'unknown'];

/** Returns the error of a stream, which may report it as the provider did, or as a text. */
function errorOf(told: unknown): unknown {
  if (typeof told === 'string') return new ModelCallError('Interrupted', told);
  if (!(told instanceof Error)) return errorInside({ error: told }) ?? told;
  // It ended without a reason.
  return told.name === 'AI_InvalidResponseDataError'
    ? new ModelCallError('Interrupted', told.message, { cause: told })
    : told;
}

function hasReason(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return !NO_REASON.includes(given);
  const { unified, raw } = given as { unified?: unknown; raw?: unknown };
  return typeof raw === 'string' || !NO_REASON.includes(unified);
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The parts whose pieces make up one part of a reply, which is not repeated as a whole. */
const PIECES: Readonly<Record<string, 'text' | 'reasoning'>> = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' };

/** Parts that are a part of the reply as they are. */
const WHOLE: readonly string[] = ['tool-call', 'tool-result', 'file', 'source'];

/**
 * Reads the stream of `doStream` to its end.
 *
 * @param onText takes the pieces of the text
 * @returns the result that `doGenerate` would have returned
 * @throws ModelReplyError `InvalidReply` for a value that is not a stream; ModelCallError `Interrupted` for a stream that
 *   ended before the reply did, `NotFound` for a page; the error that the stream reports
 */
export async function readStream(streamed: unknown, onText: (piece: string) => void): Promise<unknown> {
  const read = STREAMED.safeParse(streamed);
  if (!read.success)
    throw new ModelReplyError('InvalidReply', "What doStream of the AI SDK's model returned is no stream.");
  const { stream, response } = read.data;
  if (String(response?.headers?.['content-type']).includes('text/html')) throw answeredByPage();
  const content: ({ type: string; text?: string; providerMetadata?: object } & object)[] = [];
  const bytes = new ReadBytes(MOST_ANSWER_BYTES);
  let warnings: unknown;
  let end: { usage?: unknown; finishReason?: unknown } | undefined;
  for await (const given of stream) {
    const { type, delta, error, ...more } = PART.catch({ type: 'unknown' }).parse(given);
    const kind = PIECES[type];
    if (type === 'error') throw errorOf(error);
    // Signatures come with the pieces of reasoning, or at its end; what is not readable has no pieces.
    if (type === 'reasoning-start') content.push({ type: 'reasoning', text: '' });
    const thought = type.startsWith('reasoning-') ? content.findLast((part) => part.type === 'reasoning') : undefined;
    const { providerMetadata } = more;
    if (thought && typeof providerMetadata === 'object')
      thought.providerMetadata = { ...thought.providerMetadata, ...providerMetadata };
    if (kind && typeof delta === 'string') {
      bytes.add(delta);
      const last = content.at(-1);
      if (last?.type === kind) last.text += delta;
      else content.push({ type: kind, text: delta });
    }
    if (kind === 'text' && typeof delta === 'string' && delta !== '') onText(delta);
    if (WHOLE.includes(type)) content.push({ ...(given as object), type });
    assertFewParts(content.length);
    if (type === 'stream-start') ({ warnings } = more);
    if (type === 'finish') end = more;
  }
  if (!end || !hasReason(end.finishReason))
    throw new ModelCallError('Interrupted', 'The stream ended before the reply did.');
  const { usage, finishReason } = end;
  return { content, usage, finishReason, warnings };
}
