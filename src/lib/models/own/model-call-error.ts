import type { ReplyProblem } from '../reply-error';
import type { ModelUsage } from './custom-model';

/**
 * Thrown by `call` of a custom model, so that the worker knows what to do: `RateLimited`, `Unavailable`, `Timeout`,
 * `Interrupted` and `Empty` are tried again until `timeouts.retryFor` is over; the others end the step.
 */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError';
  /** Milliseconds after which the provider wants to be called again; a day at most. Default: growing delays from 1 s. */
  readonly retryAfterMs?: number;
  /** The usage of the call although it failed. It is counted in metrics and traces. */
  readonly usage?: ModelUsage;

  /** @param type the failure type without `Model.`, such as `RateLimited` */
  constructor(
    readonly type: Exclude<ReplyProblem, 'InvalidReply'>,
    message: string,
    { cause, retryAfterMs, usage }: { cause?: unknown; retryAfterMs?: number; usage?: ModelUsage } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (usage !== undefined) this.usage = usage;
  }
}
