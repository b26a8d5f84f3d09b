import type { ReflectionClient } from '../../client';

const QUERY_TIMEOUT_MS = 5_000;

/** A question that may stay unanswered: without a worker nobody answers a query. */
export async function ask<T>(client: ReflectionClient, question: () => Promise<T>): Promise<T | undefined> {
  try {
    return await client.temporal.withDeadline(Date.now() + QUERY_TIMEOUT_MS, question);
  } catch {
    return undefined;
  }
}
