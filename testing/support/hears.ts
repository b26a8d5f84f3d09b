import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import { defineAction } from '../../src/worker';

/** Writes outputs of which every third passes, and says what the reviewer said. Takes a while, unless it is given up. */
export const hears = defineAction({
  name: 'hears',
  description: 'Says what the reviewer said.',
  input: z.unknown(),
  run: async (_input, { iteration, state, signal }): Promise<Json> => {
    await sleep(20 * iteration, undefined, { signal });
    const heard = state['reflection_guidance'] ?? null;
    return iteration % 3 === 0 ? { done: true, heard } : { heard };
  },
});
