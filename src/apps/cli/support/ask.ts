import type { ReflectionClient } from '../../../client';

/** Asks a question that may stay unanswered: without a worker a query gets no answer. */
export async function ask<T>(
  client: ReflectionClient,
  question: () => Promise<T>,
  { timeoutMs = 5_000, onError }: { timeoutMs?: number; onError?(error: unknown): void } = {},
): Promise<T | undefined> {
  try {
    return await client.temporal.withDeadline(Date.now() + timeoutMs, question);
  } catch (error) {
    onError?.(error);
    return undefined;
  }
}
