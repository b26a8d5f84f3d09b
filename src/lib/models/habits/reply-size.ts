import { AnswerTooLarge, MOST_ANSWER_BYTES } from '../../fetch/errors';
import type { ModelConfig } from '../types';

const MOST_CALLS = 1_000;
const MOST_PARTS = 10_000;

/** Bounds of `maxReplyBytes` of a model: what a string of Node can hold, and a worker should. */
export const LEAST_REPLY_BYTES = 1_024;
export const MOST_REPLY_BYTES = 256 * 1024 * 1024;

/** @throws TypeError for an invalid `maxReplyBytes`, such as a text: compared with it, no reply would be too large */
export function assertReplyBytes(configs: readonly Pick<ModelConfig, 'name' | 'maxReplyBytes'>[]): void {
  for (const { name, maxReplyBytes: most } of configs) {
    if (most === undefined) continue;
    if (Number.isInteger(most) && most >= LEAST_REPLY_BYTES && most <= MOST_REPLY_BYTES) continue;
    const range = `a whole number of bytes from ${LEAST_REPLY_BYTES} to ${MOST_REPLY_BYTES}`;
    throw new TypeError(`maxReplyBytes of the model "${name}" must be ${range}, and is ${JSON.stringify(most)}`);
  }
}

export function mostBytesOf({ maxReplyBytes = MOST_ANSWER_BYTES }: Pick<ModelConfig, 'maxReplyBytes'>): number {
  return maxReplyBytes;
}

/** @throws AnswerTooLarge for more calls of tools than any reply has */
export function assertFewCalls(calls: number): void {
  if (calls > MOST_CALLS) throw new AnswerTooLarge(`calls more than ${MOST_CALLS} tools`, 0);
}

/** @throws AnswerTooLarge for more parts than any reply has */
export function assertFewParts(parts: number): void {
  if (parts > MOST_PARTS) throw new AnswerTooLarge(`has more than ${MOST_PARTS} parts`, 0);
}

export class ReadBytes {
  #bytes = 0;

  constructor(private readonly most: number) {}

  /** @throws AnswerTooLarge as soon as there are too many */
  add(...texts: readonly string[]): void {
    for (const text of texts) this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.most) throw new AnswerTooLarge(`has more than ${this.most} bytes`, this.#bytes);
  }
}
