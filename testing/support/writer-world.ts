import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from './loop-world';

/**
 * Starts a world with an action `write` that keeps what it wrote.
 *
 * @param outputOf makes the output of a text and of how often it was written
 */
export async function startWriterWorld(
  outputOf: (text: string, times: number) => Json,
): Promise<LoopWorld & { written: string[] }> {
  const written: string[] = [];
  const write = defineAction({
    name: 'write',
    description: 'Writes a text.',
    input: z.object({ text: z.string() }),
    run: async ({ text }) => {
      written.push(text);
      return outputOf(text, written.filter((each) => each === text).length);
    },
  });
  return Object.assign(await startWorld({ actions: [write] }), { written });
}
