import { z } from 'zod';
import { defineAction } from '../../src/actions/define-action';
import type { Action } from '../../src/actions/types';
import type { Json } from '../../src/lib/json/json';

/** The registered action of torture loops: asks the scripted server, so that the ledger knows of every execution. */
export function composeAction(baseUrl: string): Action {
  return defineAction({
    name: 'compose',
    description: 'Asks for the next version of a text.',
    input: z.object({ loop: z.string() }),
    needs: [],
    async run({ loop }, { iteration, signal }) {
      const content = `${loop} compose ${iteration}`;
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'action', messages: [{ role: 'user', content }] }),
        signal,
      });
      const answer = (await response.json()) as { choices: { message: { content: string } }[] };
      return JSON.parse(answer.choices[0]!.message.content) as Json;
    },
  });
}
