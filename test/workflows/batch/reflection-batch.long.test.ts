import { itemsOf, linesOf, SQUARING as loop, Squares } from '../../../testing/batch/squares';
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
  const { batch } = world.client;
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
