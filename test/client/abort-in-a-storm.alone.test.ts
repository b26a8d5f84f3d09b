import { eventually } from '../../testing/support/eventually';
import { shortestTime } from '../../testing/support/measure-again';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { defineAction } from '../../src/worker';
import { z } from 'zod';

/** More than a server takes of one run at once, and as many as it answers in a second. */
const SENDERS = 25;

const write = defineAction({ name: 'write', description: 'Writes.', input: z.unknown(), run: () => 'a text' });

describe('a run to which others send without a pause', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [write] });
  });
  afterAll(() => world.close());

  /** Aborts such a run, and returns the milliseconds that this took. */
  async function abortInStorm(): Promise<number> {
    const { client } = world;
    const { workflowId } = await client.start({
      generator: { action: 'write' },
      evaluator: { type: 'regex', pattern: '.' },
      review: { when: 'on_satisfactory', timeout: '1h' },
      maxIterations: 1_000,
    });
    await eventually(
      () => client.progress(workflowId).catch(() => undefined),
      (progress) => progress?.waitingFor !== undefined,
    );
    const handle = client.temporal.workflow.getHandle(workflowId);
    let isOver = false;
    const sender = async (): Promise<void> => {
      while (!isOver) await handle.executeUpdate('guide', { args: [{ text: 'more' }] }).catch(() => undefined);
    };
    const senders = Array.from({ length: SENDERS }, sender);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const began = Date.now();
    const aborted = await client.abort(workflowId).finally(() => {
      isOver = true;
    });
    expect(aborted.convergenceReason).toBe('aborted');
    const took = Date.now() - began;
    expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
    await handle.terminate().catch(() => undefined);
    await Promise.allSettled(senders);
    return took;
  }

  test('abort gets through to it', async () => {
    // The server's own waits differ by seconds from storm to storm: what always takes long takes it three times.
    expect(await shortestTime(5_000, abortInStorm)).toBeLessThan(5_000);
  }, 120_000);
});
