import { type Client, isGrpcServiceError } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import type { StartOptions } from './call-options';
import { SEARCH_ATTRIBUTES } from '../lib/names/search-attributes';

const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, 'KEYWORD');
const ITERATION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.iteration, 'INT');

/** The search attributes of a run that has not done anything yet. */
const STARTED: Record<'loop' | 'other', SearchAttributePair[]> = {
  loop: [
    { key: STATUS, value: 'running' },
    { key: ITERATION, value: 0 },
  ],
  other: [{ key: STATUS, value: 'running' }],
};

const INVALID_ARGUMENT = 3;

/** For how long it is believed that a namespace lacks the search attributes. */
const BELIEVED_MS = 10 * 60_000;
const lackedAt = new WeakMap<Client, number>();

function pairsOf(attributes: StartOptions['typedSearchAttributes'] = []): SearchAttributePair[] {
  return attributes instanceof TypedSearchAttributes ? attributes.getAll() : attributes;
}

function isRefusedFor(error: unknown): boolean {
  const cause = error instanceof Error && !isGrpcServiceError(error) ? error.cause : error;
  if (!isGrpcServiceError(cause)) return false;
  const code: number = cause.code;
  // The server reports in the binary details which of several operations in one call failed, and why.
  const inside = cause.metadata.get('grpc-status-details-bin').map(String);
  return code === INVALID_ARGUMENT && [cause.details, ...inside].some((text) => /search attribute/i.test(text));
}

/**
 * Starts a run with the search attributes that it begins with. They cost nothing along with a start; set by the run, they are a
 * billable action and an event. Where the namespace does not have them, it is started without, and so are the next ones for ten minutes.
 *
 * @param own search attributes that the caller wants besides
 */
export async function startListed<Started>(
  client: Client,
  kind: keyof typeof STARTED,
  own: StartOptions['typedSearchAttributes'],
  start: (attributes: StartOptions['typedSearchAttributes']) => Promise<Started>,
): Promise<Started> {
  const since = lackedAt.get(client);
  if (since !== undefined && performance.now() - since < BELIEVED_MS) return start(own);
  try {
    return await start(new TypedSearchAttributes([...pairsOf(own), ...STARTED[kind]]));
  } catch (error) {
    if (!isRefusedFor(error)) throw error;
    const started = await start(own);
    lackedAt.set(client, performance.now());
    return started;
  }
}
