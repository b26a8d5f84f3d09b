import type { NativeConnection } from '@temporalio/worker';
import { attributeGaps } from '../lib/names/search-attributes';

/** The time for which an answer holds: an attribute may be removed, and a run that sets a removed one is held up. */
const HOLDS_MS = 60_000;

/** Whether the namespace has the search attributes, asked again after a minute, or each time until then. */
export function searchAttributeCheck(
  connection: () => NativeConnection | undefined,
  namespace: string,
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let knownUntil = -Infinity;
  return async () => {
    if (now() < knownUntil) return true;
    try {
      const { customAttributes } = await connection()!.operatorService.listSearchAttributes({ namespace });
      const { missing, otherType } = attributeGaps(customAttributes);
      if (missing.length > 0 || otherType.length > 0) return false;
      knownUntil = now() + HOLDS_MS;
      return true;
    } catch {
      // Some servers do not let a worker ask. The run works the same without them.
      return false;
    }
  };
}
