import { randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { ReflectionClient } from '../../src/client';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { eventually } from '../../testing/support/eventually';
import { killHard, startScript } from '../../testing/support/processes';
import { testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', model: 'writer', prompt: 'Write to Ada.', tools: ['ask_person'] },
  evaluator: { type: 'regex', pattern: 'Kiel' },
};

const asks = (question: string): ScriptEntry => ({ toolCalls: [{ name: 'ask_person', arguments: { question } }] });

/** What the model says, by how many answers it has. */
const REPLIES: ScriptEntry[] = [asks('Where?'), asks('When?'), { reply: 'In Kiel, in June.' }];

test('a worker killed while a question is open, and another one after it: no model call is made twice', async () => {
  const model = await ScriptedOpenAI.start({
    script: ({ body }) => REPLIES[body!.messages.filter(({ role }) => role === 'tool').length],
  });
  const taskQueue = `asked-${randomUUID()}`;
  const startWorker = async (): Promise<ChildProcess> =>
    startScript('testing/support/worker-process.ts', {
      readyWhen: /ready/,
      env: {
        TEMPORAL_ADDRESS: testAddress(),
        REFLECT_TASK_QUEUE: taskQueue,
        REFLECT_TEST_MODELS: JSON.stringify([{ name: 'writer', model: 'writer', baseUrl: model.baseUrl }]),
        REFLECT_RECOVERY: 'fast',
        OPENAI_API_KEY: 'unused',
      },
    });
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  let worker = await startWorker();
  const { workflowId } = await client.start(spec);
  const isAsked = async (question: string) =>
    eventually(
      async () => client.progress(workflowId),
      ({ phase, waitingFor }) => phase === 'waiting' && waitingFor?.waits?.[0]?.question === question,
      20_000,
    );
  for (const [number, [question, text]] of [
    ['Where?', 'In Kiel.'],
    ['When?', 'In June.'],
  ].entries()) {
    await isAsked(question!);
    await killHard(worker);
    // It waits in the history until there is a worker.
    await client.temporal.workflow.getHandle(workflowId).signal('answer', { to: `question-${number + 1}`, text });
    worker = await startWorker();
  }
  const result = await client.result(workflowId);
  expect(result).toMatchObject({ success: true, finalOutput: 'In Kiel, in June.', tokenUsage: { modelCalls: 3 } });
  // The sentence about markers, which is the system message, comes with the first answer.
  const asked = requestsOf(model.ledger).map(({ body }) => body!.messages.filter(({ role }) => role !== 'system'));
  expect(asked).toHaveLength(3);
  const texts = asked.map((messages) => messages.map(({ content, role }) => [role, content]));
  // Each request is the one before it, and what was said since.
  expect(texts[1]!.slice(0, texts[0]!.length)).toEqual(texts[0]);
  expect(texts[2]!.slice(0, texts[1]!.length)).toEqual(texts[1]);
  expect(asked[2]!.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
    expect.stringContaining('In Kiel.'),
    expect.stringContaining('In June.'),
  ]);
  await killHard(worker);
  await client.close();
  await model.close();
}, 120_000);
