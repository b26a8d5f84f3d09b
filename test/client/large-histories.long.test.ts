import { z } from 'zod';
import { ReflectionClient } from '../../src/client';
import { defineAction } from '../../src/worker';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const BYTES = 1_000_000;
const large = defineAction({
  name: 'large',
  description: 'Writes much.',
  input: z.unknown(),
  run: (_input, { iteration }) => `${iteration}`.padEnd(BYTES, 'x'),
});

describe('a history of which one page is larger than gRPC takes by default', () => {
  let world: LoopWorld;
  let workflowId: string;

  beforeAll(async () => {
    world = await startWorld({ actions: [large] });
    const evaluator = { type: 'regex', pattern: 'never' } as const;
    const spec = { generator: { action: 'large' }, evaluator, maxIterations: 8, convergence: false } as const;
    ({ workflowId } = await world.client.start(spec));
    await world.client.result(workflowId);
  }, 60_000);
  afterAll(() => world.close());

  test('can be read by a client that `connect` made: all of it, and all versions', async () => {
    const client = await ReflectionClient.connect({ address: world.address, taskQueue: world.client.taskQueue });
    try {
      const { events } = await client.temporal.workflow.getHandle(workflowId).fetchHistory();
      const outputs = events!.filter(({ activityTaskCompletedEventAttributes: completed }) => completed);
      const bytes = outputs.map(({ activityTaskCompletedEventAttributes: completed }) =>
        Number(completed!.result?.payloads?.[0]?.data?.length),
      );
      expect(bytes.filter((each) => each >= BYTES).length).toBeGreaterThanOrEqual(5);
      const versions = await client.history(workflowId);
      expect(versions.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(versions.every(({ output }) => (output as string).length === BYTES)).toBe(true);
    } finally {
      await client.close();
    }
  }, 60_000);
});
