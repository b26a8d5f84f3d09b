/** The default maximum size of a response after decompression, in bytes. */
export const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

/** An answer is larger than what is read of one: the rest was left unread. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';

  /** @param bytes that were read of it, about */
  constructor(
    what: string,
    readonly bytes: number,
  ) {
    super(`The answer ${what}. Nothing more of it was read.`);
  }
}

/** An address refers to another one, which would get the request's key and text. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
}

const MOST_CAUSES = 8;

/**
 * Returns the refusal of `boundedFetch` that an error is, or was made of: libraries wrap what their `fetch` throws.
 * Refusals are known by name: the owner's code may have a copy of this package.
 */
export function refusalOf(error: unknown): AnswerTooLarge | RedirectRefused | undefined {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    const name: unknown = Reflect.get(current, 'name');
    if (name === 'AnswerTooLarge' || name === 'RedirectRefused') return current as AnswerTooLarge | RedirectRefused;
    current = Reflect.get(current, 'cause');
  }
  return undefined;
}
