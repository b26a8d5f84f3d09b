import { WorkflowNotFoundError } from '@temporalio/client';
import { BatchItemsGoneError, type BatchLine } from '../../../src';
import { eventually } from '../../../testing/support/eventually';
import { itemsOf, linesOf, pageRunOf, SQUARING as loop, Squares } from '../../../testing/batch/squares';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

const squares = new Squares();
let world: LoopWorld;
beforeAll(async () => {
  world = await startWorld({ actions: [squares.action] });
}, 120_000);
afterAll(async () => {
  await world.close();
});

test('each item has one run and one line, in the order of the input, in a window; failures alone are run again', async () => {
  const { batches: batch } = world.client;
  const items = itemsOf(130);
  squares.mostRunning = 0;
  squares.isFailing = true;
  const { workflowId, attached } = await batch.start(items, loop, { concurrency: 7 });
  expect(attached).toBe(false);
  const result = await batch.result(workflowId);
  expect(result).toMatchObject({ items: 130, passed: 65, notPassed: 62, failed: 3, notStarted: 0, passRate: 0.5 });
  expect(squares.mostRunning).toBeLessThanOrEqual(7);
  const made = await linesOf(world.client, workflowId);
  expect(made.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  expect(made[4]).toMatchObject({ id: '5', status: 'passed', output: { square: 16 }, score: 1 });
  expect(made[5]).toMatchObject({ id: 'no 5', status: 'not_passed', workflowId: `${workflowId}/no 5` });
  expect(made[7]).toMatchObject({ status: 'failed', error: { type: 'StepFailed' } });
  // Too large for its page.
  expect(made[3]!.output).toMatchObject({ square: 9, text: 'x'.repeat(70_000) });
  expect(items.map(({ key }) => squares.ran.get(key))).toEqual(items.map(() => 1));
  // The same call attaches.
  expect(await batch.start(items, loop, { concurrency: 7 })).toMatchObject({ workflowId, attached: true });
  squares.isFailing = false;
  await batch.start(items, loop, { retry: true });
  expect(await batch.result(workflowId)).toMatchObject({ items: 130, passed: 65, notPassed: 65, failed: 0 });
  const again = await linesOf(world.client, workflowId);
  expect(again[7]).toMatchObject({ status: 'not_passed', workflowId: `${workflowId}/no 7~2` });
  expect(again[3]!.output).toMatchObject({ text: 'x'.repeat(70_000) });
  expect(items.filter(({ key }) => squares.ran.get(key) !== 1).map(({ value }) => value)).toEqual([7, 57, 107]);
}, 120_000);

test('items of a page that was deleted are named after the results of all others, and a retry runs them again', async () => {
  const { batches: batch, temporal } = world.client;
  // Three fill a page, since it holds 400 KB.
  const items = itemsOf(7).map((item) => ({ ...item, text: 'x'.repeat(130_000) }));
  squares.isFailing = false;
  const { workflowId } = await batch.start(items, loop);
  await batch.result(workflowId);
  const page = await pageRunOf(world.client, workflowId, 1);
  const run = temporal.workflow.getHandle(page);
  await run.result();
  const { namespace } = temporal.options;
  await temporal.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId: page } });
  await eventually(
    () => run.describe().catch((error: unknown) => error),
    (seen) => seen instanceof WorkflowNotFoundError,
    // The server deletes when it comes to it.
    120_000,
  );
  const left: BatchLine[] = [];
  const read = async () => {
    for await (const line of batch.results(workflowId)) left.push(line);
  };
  const failure = await read().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BatchItemsGoneError);
  expect(failure).toMatchObject({ type: 'BatchItemsGone', missing: [{ page, from: 3, to: 5 }] });
  expect((failure as Error).message).toContain('items 4 to 6 of');
  expect(left.map(({ index }) => index)).toEqual([0, 1, 2, 6]);
  await batch.start(items, loop, { retry: true });
  await batch.result(workflowId);
  expect((await linesOf(world.client, workflowId)).length).toBe(7);
  expect(items.map(({ key }) => squares.ran.get(key))).toEqual([1, 1, 1, 2, 2, 2, 1]);
}, 240_000);
