import type { TokenUsage } from '../contract/values';

/**
 * The problems of a reply. `NotFound`: something other than a model answers at the address. `InvalidReply`: the code of
 * the worker's owner gave something else than a reply.
 */
export type ReplyProblem =
  | 'Refused'
  | 'Filtered'
  | 'ContextLength'
  | 'Unauthorized'
  | 'QuotaExhausted'
  | 'BadRequest'
  | 'NotFound'
  | 'ReplyTooLarge'
  | 'InvalidReply'
  | 'RateLimited'
  | 'Unavailable'
  | 'Timeout'
  | 'Interrupted'
  | 'Empty';

/** The provider answered, and there is nothing that a step could use. */
export class ModelReplyError extends Error {
  override readonly name = 'ModelReplyError';
  /** The milliseconds after which the provider wants to be called again; undefined if it does not say. */
  readonly retryAfterMs: number | undefined;
  /** Asking again has been tried. */
  readonly isFinal: boolean;

  constructor(
    readonly kind: ReplyProblem,
    message: string,
    readonly usage?: TokenUsage,
    {
      cause,
      retryAfterMs,
      isFinal = false,
    }: { cause?: unknown; retryAfterMs?: number | undefined; isFinal?: boolean } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }

  /** Returns whether the provider counted the tokens of a reply that it did not end. */
  get isBrokenOff(): boolean {
    return this.kind === 'Interrupted' && this.usage !== undefined;
  }
}

/** A response is still being made in the background; another attempt can ask for it by its id. */
export class StillRunningError extends Error {
  override readonly name = 'StillRunningError';
}

/** Thrown when there is no key for a model: nothing was sent. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';

  constructor(variable: string) {
    super(
      `No API key: set the environment variable ${variable} where the worker runs, or OPENAI_BASE_URL for a server of your own.`,
    );
  }
}

export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError';
}
