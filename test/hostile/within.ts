import type { JsonObject } from '../../src/lib/json/json';
import { expectWithin } from '../../testing/support/processor-time';

const SECOND = 1_000;

/** Does something that may take for ever, and returns its result or its failure. It must take less than a second of a processor. */
export function within<T>(work: () => Promise<T> | T): Promise<T | Error> {
  return expectWithin<T | Error>(SECOND, async () => {
    try {
      return await work();
    } catch (error) {
      return error as Error;
    }
  });
}

let schemas = 0;

/** Returns the same schema with another comment, so that no cache knows it. */
export function freshSchema(schema: JsonObject): JsonObject {
  schemas += 1;
  return { ...schema, $comment: `${schemas}` };
}
