import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes';

/** Asks once whether the namespace has the search attributes; asks again while it has not. */
export function searchAttributeCheck(
  connection: () => NativeConnection | undefined,
  namespace: string,
): () => Promise<boolean> {
  let known = false;
  return async () => {
    if (known) return true;
    try {
      const { customAttributes } = await connection()!.operatorService.listSearchAttributes({ namespace });
      known = Object.values(SEARCH_ATTRIBUTES).every((name) => customAttributes && name in customAttributes);
    } catch {
      // Some servers do not let a worker ask. The run works the same without them.
      return false;
    }
    return known;
  };
}
