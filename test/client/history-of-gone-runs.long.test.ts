import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { z } from 'zod';
import { type ReflectionClient, type ReflectionSpec, RunNotFoundError } from '../../src';
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
  const { runId } = await client.startOnce(workflowId, spec);
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
  // The latest run of the chain has the digest of the spec, and the result.
  const again = await client.startOnce(workflowId, spec);
  expect((await again.result()).iterationsUsed).toBe(55);
  expect(await client.get(workflowId)).toMatchObject({ status: 'completed', result: { iterationsUsed: 55 } });
}, 180_000);

test('a run that the server no longer keeps is started anew by startOnce, with any spec', async () => {
  const workflowId = randomUUID();
  const spec: ReflectionSpec = { generator: { action: 'write' }, evaluator: { type: 'regex', pattern: 'text' } };
  const first = await client.startOnce(workflowId, spec);
  await first.result();
  const { workflowService, options } = client.temporal.workflow;
  const execution = { workflowId, runId: first.runId };
  await workflowService.deleteWorkflowExecution({ namespace: options.namespace, workflowExecution: execution });
  await eventually(
    () => client.get(workflowId).catch((error: unknown) => error),
    (seen) => seen instanceof RunNotFoundError,
    120_000,
  );
  const second = await client.startOnce(workflowId, { ...spec, maxIterations: 1 });
  expect(second.runId).not.toBe(first.runId);
  expect(await second.result()).toMatchObject({ success: true });
}, 180_000);
