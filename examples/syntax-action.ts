/**
 * A validator of your own: an action that a worker registers, and that any spec may then name. This one says whether a text
 * is JavaScript that can be parsed, as the pair of a verdict and a reason. It parses, and never runs.
 */
import { Script } from 'node:vm';
import { z } from 'zod';
// An application of yours imports this from 'durable-reflection/worker'.
import { defineAction } from '../src/worker';

const FENCE = /^```\w*\n([^]*?)\n```\s*$/;

export const javascriptSyntax = defineAction({
  name: 'javascript.syntax',
  description: 'Says whether a text is JavaScript that can be parsed.',
  input: z.object({ output: z.string() }),
  needs: [],
  run: ({ output }) => {
    const code = FENCE.exec(output.trim())?.[1] ?? output;
    try {
      void new Script(code);
      return [true, 'it can be parsed'];
    } catch (error) {
      return [false, `it cannot be parsed: ${(error as Error).message}`];
    }
  },
});
