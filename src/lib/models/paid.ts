import { addUsage, NO_USAGE } from '../base/tokens';
import type { TokenUsage } from '../contract/values';
import { ModelReplyError } from './reply-error';

/** Replies that could not be used: how many were empty, and what all of them cost. */
export interface UnusedReplies {
  empty: number;
  usage: TokenUsage;
}

const paid = new WeakMap<object, TokenUsage>();

/** Returns the usage of a call that failed; undefined if no payment is known. */
export function findPaid(error: object): TokenUsage | undefined {
  return paid.get(error) ?? (error instanceof ModelReplyError ? error.usage : undefined);
}

/** A second empty reply to the same question: a third would be the same. */
const MOST_EMPTY = 2;

/** Returns the known usage after a call failed: of the replies before it, and of its own if there was one. */
export function countUnused(error: unknown, before: UnusedReplies | undefined): UnusedReplies | undefined {
  const own = error instanceof ModelReplyError ? error : undefined;
  if (!own?.usage) return before;
  const { empty, usage } = before ?? { empty: 0, usage: NO_USAGE };
  return { empty: empty + (own.kind === 'Empty' ? 1 : 0), usage: addUsage(usage, own.usage) };
}

/** The error of a call, which is final once a reply was empty as often as is worth paying for; with the usage of all attempts. */
export function countedError(error: unknown, unused: UnusedReplies | undefined): unknown {
  if (!unused) return error;
  const isOver = error instanceof ModelReplyError && error.kind === 'Empty' && unused.empty >= MOST_EMPTY;
  const counted = isOver
    ? new ModelReplyError('Empty', `${error.message} It was asked ${unused.empty} times.`, error.usage, {
        isFinal: true,
      })
    : error;
  if (typeof counted === 'object' && counted !== null) paid.set(counted, unused.usage);
  return counted;
}
