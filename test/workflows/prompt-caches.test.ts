import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineAction } from '../../src/worker';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptedRequest, ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { commonPrefix } from '../../testing/support/fences';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

/** What a provider caches: the prompt as it is sent, from its first character on. */
const sent = (messages: readonly object[]): string => JSON.stringify(messages);
/** What two prompts in a row have in common at their beginning, of the second. */
function shared(prompts: string[]): number[] {
  return prompts.slice(1).map((prompt, index) => commonPrefix(prompts[index]!, prompt) / prompt.length);
}

const DOSSIER = Array.from({ length: 200 }, (_, index) => `Line ${index} of what the customer wrote.`).join('\n');
const drafts = ['First answer.', 'Second answer, longer.', 'Third answer, the longest of all.'];
const notes = defineAction({
  name: 'notes',
  description: 'Reads notes.',
  input: z.object({ page: z.number() }),
  run: ({ page }) => `Page ${page}: ${'words '.repeat(100)}`,
});

describe('codes of fences and the caches of providers', () => {
  let scripted: ScriptedOpenAI;
  let world: LoopWorld;
  let answer: (request: ScriptedRequest, index: number) => ScriptEntry;
  beforeAll(async () => {
    scripted = await ScriptedOpenAI.start({ script: (request, index) => answer(request, index) });
    world = await startWorld({
      actions: [notes],
      models: [{ name: 'm', model: 'm', baseUrl: scripted.baseUrl }],
    });
  });
  afterAll(async () => {
    await world?.close();
    await scripted?.close();
  });

  async function promptsOf(type: string, spec: object): Promise<{ messages: string; text: string }[]> {
    const before = requestsOf(scripted.ledger).length;
    const { temporal, taskQueue } = world.client;
    const workflowId = `cache-${randomUUID()}`;
    await (await temporal.workflow.start(type, { taskQueue, workflowId, args: [spec] })).result();
    return requestsOf(scripted.ledger)
      .slice(before)
      .map(({ body }) => ({
        messages: sent(body!.messages),
        text: body!.messages.map(({ content }) => content).join('\n'),
      }));
  }

  test('revisions, judges and what is asked of an own prompt begin as the ones before them, up to what is new', async () => {
    let written = 0;
    answer = ({ body }) =>
      /You judge outputs/.test(sent(body.messages))
        ? { reply: { valid: false, score: 0.1 * written, issues: [{ message: `Mend ${written}.` }] } }
        : { reply: drafts[written++]! };
    const prompts = await promptsOf('reflectionLoop', {
      state: { mail: DOSSIER },
      material: ['mail'],
      task: 'Answer this: {{ state.mail }}',
      generator: { action: 'llm.call', prompt: '{{ task }}' },
      evaluator: { type: 'llm' },
      maxIterations: 3,
      convergence: false,
    });
    const revisions = prompts.filter(({ text }) => text.includes('was not accepted'));
    const judged = prompts.filter(({ text }) => text.includes('You judge outputs'));
    expect([revisions.length, judged.length]).toEqual([2, 3]);
    for (const { text } of [...revisions, ...judged]) expect(text).toMatch(/<<<MATERIAL [0-9a-f]{8}\nLine 0 of/);
    // All but the output, what is wrong with it, and the code of the verdict.
    const measured = {
      revisions: shared(revisions.map(({ messages }) => messages)),
      judges: shared(judged.map(({ messages }) => messages)),
    };
    for (const share of [...measured.revisions, ...measured.judges]) expect(share).toBeGreaterThan(0.85);
    // The first revision goes on from the draft, of which nothing changes.
    expect(shared([prompts[0]!.messages, revisions[0]!.messages])[0]).toBeGreaterThan(0.85);
  });

  test('a chat with tools goes on where it was: each request begins with all of the one before', async () => {
    let asked = 0;
    answer = () =>
      ++asked < 4 ? { toolCalls: [{ name: 'notes', arguments: { page: asked } }] } : { reply: 'All read.' };
    const prompts = await promptsOf('reflectionLoop', {
      state: { mail: DOSSIER },
      material: ['mail'],
      generator: { action: 'llm.call', prompt: 'Read the notes on {{ state.mail }}', tools: ['notes'] },
      evaluator: { type: 'regex', pattern: 'read' },
      triggers: { reflectionInterval: 2 },
    });
    const chats = prompts.map(({ messages }) => messages.slice(0, -1));
    expect(chats).toHaveLength(4);
    // The first has no markers but the mail's, which the note on markers is for, too.
    for (const [index, chat] of chats.slice(1).entries()) expect(chat.startsWith(chats[index]!)).toBe(true);
  });

  test('a run that takes over begins its prompts as the run before it did', async () => {
    let written = 0;
    answer = () => ({ reply: `Answer ${++written}.` });
    const prompts = await promptsOf('reflectionLoop', {
      generator: { action: 'llm.call', prompt: `Answer this: ${DOSSIER}` },
      evaluator: { type: 'regex', pattern: 'never said' },
      revision: { strategy: 'full_rewrite', includeReflectionHistory: false },
      maxIterations: 52,
      convergence: false,
    });
    const codes = prompts.slice(1).map(({ text }) => /<<<ISSUES (\w{8})/.exec(text)?.[1]);
    expect(codes).toHaveLength(51);
    expect(new Set(codes).size).toBe(1);
  });

  test('another run has other codes for the same text, and so has another text of the same run', async () => {
    answer = () => ({ reply: 'Fine.' });
    const pipeline = {
      state: { one: DOSSIER, two: `${DOSSIER}\n` },
      material: ['*'],
      nodes: ['a', 'b'].map((name) => ({
        name,
        uses: 'llm.call',
        with: { prompt: `${name}: {{ state.one }} {{ state.two }}` },
        output: name,
      })),
    };
    const runs = [await promptsOf('reflectionPipeline', pipeline), await promptsOf('reflectionPipeline', pipeline)];
    const codes = runs.map((prompts) =>
      prompts.map(({ text }) => [...text.matchAll(/<<<MATERIAL (\w{8})/g)].map(([, code]) => code)),
    );
    expect(codes[0]![0]).toEqual(codes[0]![1]);
    expect(new Set(codes.flat(2)).size).toBe(4);
  });
});
