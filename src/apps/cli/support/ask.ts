import type { ReflectionClient } from '../../../client';

const QUERY_TIMEOUT_MS = 5_000;

/** Asks a question that may stay unanswered: without a worker a query gets no answer. */
export async function ask<T>(client: ReflectionClient, question: () => Promise<T>): Promise<T | undefined> {
  try {
    return await client.temporal.withDeadline(Date.now() + QUERY_TIMEOUT_MS, question);
  } catch {
    return undefined;
  }
}
