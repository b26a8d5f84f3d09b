import type { NativeConnection } from '@temporalio/worker';
import { attributeGaps } from '../domain/search-attributes';

/** Asks once whether the namespace has the search attributes, of the right types; asks again while it has not. */
export function searchAttributeCheck(
  connection: () => NativeConnection | undefined,
  namespace: string,
): () => Promise<boolean> {
  let known = false;
  return async () => {
    if (known) return true;
    try {
      const { customAttributes } = await connection()!.operatorService.listSearchAttributes({ namespace });
      const { missing, otherType } = attributeGaps(customAttributes);
      known = missing.length === 0 && otherType.length === 0;
    } catch {
      // Some servers do not let a worker ask. The run works the same without them.
      return false;
    }
    return known;
  };
}
