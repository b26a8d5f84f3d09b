import { z } from 'zod';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { startWorld } from '../../testing/support/loop-world';
import { startReceiver } from '../../testing/support/receiver';

test('with texts, a message has no keys: neither those of the worker nor what looks like one', async () => {
  const key = 'sk-abcdef0123456789';
  process.env['TEXTS_NOTIFY_SECRET'] = 'a-secret-that-nobody-knows';
  process.env['OWN_API_KEY'] = 'a-key-of-no-known-form';
  const receiver = await startReceiver();
  const upload = defineAction({
    name: 'upload',
    description: 'Uploads a file.',
    input: z.object({}).loose(),
    approval: true,
    run: () => 'uploaded',
  });
  const call = {
    name: 'upload',
    arguments: {
      headers: [{ authorization: `Bearer ${key}` }],
      to: 'ftp://me:hidden@example.com/',
      own: 'a-key-of-no-known-form',
    },
  };
  const asks = { name: 'ask_person', arguments: { question: `Is ${key} still used?` } };
  const model = await ScriptedOpenAI.start({ script: [{ toolCalls: [asks, call] }, { reply: key, times: 'always' }] });
  const world = await startWorld({
    models: [{ name: 'script', model: 'script', baseUrl: model.baseUrl }],
    actions: [upload],
    memory: false,
    externalCalls: { allowPrivateAddresses: true },
    notify: { url: receiver.url, secretVariable: 'TEXTS_NOTIFY_SECRET', include: 'text' },
  });
  try {
    const { workflowId } = await world.client.start({
      generator: { action: 'llm.call', prompt: 'Upload.', tools: ['upload', 'ask_person'] },
      evaluator: { type: 'regex', pattern: 'sorry' },
      maxIterations: 1,
      review: { when: 'on_exhausted', timeout: '1d' },
    });
    const told = (count: number) =>
      eventually(
        () => receiver.about(workflowId),
        ({ length }) => length >= count,
      );
    const [first] = await told(1);
    const { asked } = first!.body.data.waits[0]!;
    expect(asked).toMatchObject([
      { id: 'question-1', question: 'Is [redacted] still used?' },
      { id: 'approval-1', arguments: { headers: [{ authorization: '[redacted]' }], own: '[redacted]' } },
    ]);
    await world.client.answer(workflowId, { to: 'question-1', text: 'No' });
    await world.client.answer(workflowId, { to: 'approval-1', approve: true });
    const [, second] = await told(2);
    expect(second!.body.data.waits[0]!.text).toMatchObject({ value: '[redacted]' });
    for (const { text } of receiver.received) expect(text).not.toMatch(/sk-abc|hidden@|no-known-form/);
    await world.client.abort(workflowId);
  } finally {
    delete process.env['OWN_API_KEY'];
    await world.close();
    await receiver.close();
    await model.close();
  }
}, 60_000);
