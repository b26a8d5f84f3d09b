/**
 * A custom validator: an action that a worker registers, so that any spec can name it. This one checks whether a text is
 * JavaScript that can be parsed, and returns a verdict and a reason. It only parses the text and never runs it.
 */
import { Script } from 'node:vm';
import { z } from 'zod';
import { defineAction } from 'durable-reflection/worker';

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
