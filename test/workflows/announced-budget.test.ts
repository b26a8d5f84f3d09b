import { judges } from '../../src/apps/testing/scripted-model/judges';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { readModelCalls } from '../../src/apps/cli/prompts/model-calls';
import { startWorld } from '../../testing/support/loop-world';

const NEARLY = 'The budget is nearly spent: this may be the last version that will be judged.';

test('author and judges read at the end of their prompts that little is left, where the spec says so', async () => {
  const revisions = ['A first text.', 'Another one.', 'The third of them.'];
  const replies = revisions.flatMap((reply, index) => [
    { reply },
    index < 2 ? judges.fail(`fault ${index}`) : judges.pass(),
  ]);
  const openai = await ScriptedOpenAI.start({ script: replies });
  const world = await startWorld({ models: [{ name: 'writer', model: 'writer', baseUrl: openai.baseUrl }] });
  try {
    const spec = {
      generator: { action: 'llm.call', prompt: 'Write.' },
      evaluator: { type: 'llm' },
      revision: { strategy: 'full_rewrite' },
      maxIterations: 9,
    } as const;
    const { workflowId } = await world.client.start({ ...spec, budget: { modelCalls: 7, announce: true } });
    expect(await world.client.result(workflowId)).toMatchObject({ iterationsUsed: 3, success: true });
    const ends = requestsOf(openai.ledger).map(({ body }) => (body!.messages.at(-1)!.content as string).slice(-300));
    const inLast = [false, false, false, false, true, true];
    expect(ends.map((end) => end.includes(NEARLY))).toEqual(inLast);
    // The line is the end of the author's request; a judge's has its question and code after it.
    expect(ends[4]).toMatch(new RegExp(`${NEARLY}$`));
    // Prompts that are written again from the history have it, too.
    const calls = await readModelCalls(world.client, workflowId);
    const again = calls.map(({ prompt }) => JSON.stringify(prompt ?? {}).includes(NEARLY));
    expect(again).toEqual(inLast);
  } finally {
    await world.close();
    await openai.close();
  }
});
