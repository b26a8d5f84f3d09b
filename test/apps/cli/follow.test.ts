import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { show } from '../../../src/apps/cli/runs/show';
import { defineAction } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { InProcess } from './in-process';

const slow = defineAction({
  name: 'slow',
  description: 'Judges, or corrects, after a moment.',
  input: z.object({ answer: z.json() }),
  run: async ({ answer }) => {
    await sleep(300);
    return answer;
  },
});

let world: LoopWorld;
let commands: InProcess;
beforeAll(async () => {
  world = await startWorld({ actions: [slow], memory: false });
  commands = new InProcess(world);
}, 60_000);
afterAll(async () => {
  commands.close();
  await world.close();
});

/** What `reflect show --follow` prints of a run in the end, and its exit code. */
async function followed(workflowId: string, json = false): Promise<{ code: number; printed: string }> {
  const { stop } = commands.listen(json ? 'stderr' : 'stdout');
  let code = -1;
  try {
    const printed = await commands.printed(async () => {
      code = await show(workflowId, { follow: true, json });
    });
    return { code, printed };
  } finally {
    stop();
  }
}

describe('show --follow', () => {
  test('waits for one evaluation, and its exit code says whether it passed', async () => {
    const judged = (answer: boolean) =>
      world.client.evaluations.start({ evaluator: { type: 'function', action: 'slow', with: { answer } }, data: 'x' });
    const good = await followed((await judged(true)).workflowId);
    expect(good).toMatchObject({ code: 0, printed: expect.stringMatching(/✓ pass/) });
    const bad = await followed((await judged(false)).workflowId, true);
    expect(bad.code).toBe(2);
    expect(JSON.parse(bad.printed)).toMatchObject({ outcome: 'fail', satisfactory: false });
  });

  test('waits for one correction', async () => {
    const { workflowId } = await world.client.corrections.start({
      corrector: { action: 'slow', with: { answer: 'a plain text' } },
      data: 'x',
      errors: ['too short'],
    });
    expect(await followed(workflowId)).toMatchObject({ code: 0, printed: expect.stringContaining('a plain text') });
  });

  test('says who of a population reflects, the past first, until it is finished', async () => {
    const workflowId = `valley-${randomUUID()}`;
    const config = { reflection: { method: 'template' as const } };
    await world.client.agents.start(
      {
        agents: [
          { id: 'ada', type: 'household' },
          { id: 'bob', type: 'household' },
        ],
        config,
      },
      { workflowId },
    );
    await world.client.agents.trigger(workflowId, { kind: 'crisis', year: 1 });
    const { news, stop } = commands.listen();
    const ended = commands.printed(() => show(workflowId, { follow: true }));
    try {
      await eventually(news, (text) => text.includes('#2  year 1  bob  upon crisis, by template:'));
      await world.client.agents.trigger(workflowId, { kind: 'crisis', year: 2 });
      await eventually(news, (text) => text.includes('#3  year 2  ada  upon crisis, by template:'));
      await world.client.agents.finish(workflowId);
      expect(await ended).toMatch(/✓ finished · 2 agents · 4 reflections upon 2 events/);
    } finally {
      stop();
    }
    expect(news().match(/#1 {2}/g)).toHaveLength(1);
  });
});
