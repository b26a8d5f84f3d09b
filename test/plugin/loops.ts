import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';

const PERSON = { type: 'object', required: ['name', 'age'] };
export const bad = { name: 'Ada' };
export const good = { name: 'Ada', age: 30 };

export const answers = defineAction({
  name: 'answers',
  description: 'Gives the answer for the iteration; null waits until the run is ended.',
  input: z.object({ list: z.array(z.json()) }),
  run: async ({ list }, { iteration, signal }) => {
    const answer = list[iteration - 1] as Json;
    if (answer === null) await new Promise((_, reject) => signal.addEventListener('abort', reject));
    return answer;
  },
});

export const looped = (list: Json[], more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action: 'answers', with: { list } },
  evaluator: { type: 'schema', schema: PERSON },
  ...more,
});
