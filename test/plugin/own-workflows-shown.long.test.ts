import { randomUUID } from 'node:crypto';
import { show } from '../../src/apps/cli/runs/show';
import { steer } from '../../src/apps/cli/runs/steer';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';
import { InProcess } from '../apps/cli/in-process';
import { answers, bad, good, looped } from './loops';
import { type PluginWorld, startPluginWorld } from './plugin-world';

describe('what the commands say of a workflow of somebody’s own', () => {
  let world: PluginWorld;
  let terminal: InProcess;

  beforeAll(async () => {
    world = await startPluginWorld({ actions: [answers] });
    // Whoever types the commands has not said which queue the worker serves.
    terminal = new InProcess({ address: testAddress(), client: { taskQueue: 'reflection' } });
  }, 60_000);
  afterAll(async () => {
    terminal?.close();
    await world?.close();
  });

  const start = (name: string, ...args: unknown[]) =>
    world.temporal.workflow.start(name, { taskQueue: world.taskQueue, workflowId: `${name}-${randomUUID()}`, args });

  const review = { when: 'on_satisfactory', timeout: '1h' } as const;

  test('a loop that takes no messages is not taken for one without a worker', async () => {
    const handle = await start('caught', looped([good], { review }));
    const { workflowId } = handle;
    const none = { type: 'NoLoop', message: expect.stringContaining('of type caught') as string };
    await expect(show(workflowId, {})).rejects.toMatchObject(none);
    await expect(show(workflowId, { follow: true })).rejects.toMatchObject(none);
    await expect(steer('decide', workflowId, { decision: 'continue' })).rejects.toMatchObject(none);
    await expect(steer('accept', workflowId, {})).rejects.toThrow(/once the workflow calls serveMessages\(\)$/);
    await handle.terminate();
  });

  test('a review that nobody can answer is told by the version that waits', async () => {
    const unheard = { ...looped([good]), review: { ...review, timeout: '1s' } };
    const handle = await start('ruled', unheard, []);
    const { history } = (await handle.result()) as ReflectionResult;
    expect(history.versions[0]!.warnings).toEqual([expect.stringMatching(/nobody can answer: .* serveMessages\(\)/)]);
    const heard = (await (await start('steered', unheard)).result()) as ReflectionResult;
    expect(heard.history.versions[0]!.warnings).toEqual([]);
  });

  test('a loop that takes messages is followed to what its workflow hands back', async () => {
    const { workflowId } = await start('signed', looped([bad, good], { review }));
    const { news, stop } = terminal.listen();
    try {
      const code = terminal.printed(async () => expect(await show(workflowId, { follow: true })).toBe(0));
      await eventually(news, (text) => text.includes(`npx reflect accept ${workflowId}`));
      await world.client.accept(workflowId);
      expect(await code).toContain(`Result\n{\n  "signed": {\n    "name": "Ada",\n    "age": 30\n  }\n}`);
    } finally {
      stop();
    }
    expect(news()).toMatch(/^#1 {2}✗ fail[^]*^#2 {2}✓ pass/m);
  });

  test('what is said of workers is about the queue of the run that is followed', async () => {
    const handle = await world.temporal.workflow.start('reflectionLoop', {
      taskQueue: 'nobody-serves-this',
      workflowId: `unserved-${randomUUID()}`,
      args: [looped([good])],
    });
    const { news, stop } = terminal.listen();
    const followed = show(handle.workflowId, { follow: true }).catch((error: unknown) => error);
    try {
      const said = await eventually(news, (text) => text.includes('No worker'), 15_000);
      expect(said).toContain('No worker on queue "nobody-serves-this"');
    } finally {
      stop();
      await handle.terminate();
      await followed;
    }
  }, 30_000);
});
