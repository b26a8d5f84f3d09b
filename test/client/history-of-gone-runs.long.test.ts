import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import type { ReflectionClient, ReflectionSpec } from '../../src';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

let world: LoopWorld;
let client: ReflectionClient;

beforeAll(async () => {
  let count = 0;
  const write = defineAction({
    name: 'write',
    description: 'Writes another text each time.',
    input: z.unknown(),
    run: async () => `text ${(count += 1)}`,
  });
  world = await startWorld({ actions: [write] });
  ({ client } = world);
});

afterAll(() => world.close());

test('the history of a chain whose first run is gone has its versions, and says which outputs are lost', async () => {
  const workflowId = randomUUID();
  const spec: ReflectionSpec = {
    generator: { action: 'write' },
    evaluator: { type: 'regex', pattern: 'never' },
    corrector: { action: 'write' },
    convergence: false,
    maxIterations: 55,
  };
  const { runId } = await client.start(spec, { workflowId });
  await client.result(workflowId);
  const before = await client.history(workflowId);
  expect(before.map(({ omittedBytes }) => omittedBytes)).toEqual(Array(55).fill(undefined));
  const { workflowService, options } = client.temporal.workflow;
  const execution = { workflowId, runId };
  await workflowService.deleteWorkflowExecution({ namespace: options.namespace, workflowExecution: execution });
  const first = client.temporal.workflow.getHandle(workflowId, runId);
  await eventually(
    () => first.describe().catch((error: unknown) => error),
    (seen) => seen instanceof WorkflowNotFoundError,
    // The server deletes when it comes to it.
    120_000,
  );
  const after = await client.history(workflowId);
  expect(after.map(({ iteration }) => iteration)).toEqual(before.map(({ iteration }) => iteration));
  const lost = after.filter(({ omittedBytes }) => omittedBytes !== undefined);
  expect(after.filter(({ omittedBytes }) => omittedBytes === undefined).length).toBeGreaterThan(5);
  for (const { iteration, output } of lost) expect([iteration <= 50, output]).toEqual([true, null]);
  expect((await client.best(workflowId))?.output).toBe(before[0]!.output);
}, 180_000);
