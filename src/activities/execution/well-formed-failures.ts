import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { wellFormedText } from '../../lib/names/protocol-text';

/** The maximum depth of causes: an error that is its own cause has no end. */
const DEEPEST = 20;

function isWellFormed({ message, stack = '', ...rest }: Error): boolean {
  const { type } = rest as { type?: unknown };
  const texts = [message, stack, typeof type === 'string' ? type : ''];
  return texts.every((text) => wellFormedText(text) === text);
}

/** Makes the texts of a failure well-formed. Fields of errors may be read-only, so that a new one takes its place. */
function wellFormedFailure(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > DEEPEST) return error;
  const { cause } = error;
  const because = wellFormedFailure(cause, depth + 1) as Error | undefined;
  if (isWellFormed(error) && because === cause) return error;
  const message = wellFormedText(error.message);
  if (error instanceof CancelledFailure) return new CancelledFailure(message, error.details, because);
  const failure =
    error instanceof ApplicationFailure
      ? ApplicationFailure.create({
          message,
          type: wellFormedText(error.type ?? error.name),
          nonRetryable: error.nonRetryable ?? undefined,
          details: error.details ?? undefined,
          nextRetryDelay: error.nextRetryDelay ?? undefined,
          category: error.category ?? undefined,
          cause: because,
        })
      : ApplicationFailure.create({ message, type: wellFormedText(error.name), cause: because });
  failure.stack = wellFormedText(error.stack ?? '');
  return failure;
}

/** Does work whose failure becomes strings of the protocol: the worker would end at one that is not UTF-8. */
export async function wellFormedFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw wellFormedFailure(error);
  }
}
