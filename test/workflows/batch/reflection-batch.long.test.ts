import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  AlreadyRunningError,
  type BatchLine,
  BatchMismatchError,
  InvalidSpecError,
  type ReflectionSpec,
} from '../../../src/index';
import { defineAction } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';

/** Runs of an item, by its number. */
const ran = new Map<string, number>();
let running = 0;
let mostRunning = 0;
/** Items that wait until they are let go. */
let isHeld = false;
let failing = true;

const actions = [
  defineAction({
    name: 'square',
    description: 'Squares a number.',
    input: z.object({ key: z.string(), value: z.number() }),
    run: async ({ key, value }) => {
      ran.set(key, (ran.get(key) ?? 0) + 1);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      do await new Promise((resolve) => setTimeout(resolve, 30));
      while (isHeld);
      running -= 1;
      if (value % 50 === 7 && failing) throw new Error('cannot square it');
      return { square: value * value, ...(value === 3 ? { text: 'x'.repeat(70_000) } : {}) };
    },
  }),
];

/** Half of the numbers have a square that is even. */
const loop: ReflectionSpec = {
  name: 'squares',
  maxIterations: 1,
  onFailure: 'raise',
  generator: { action: 'square', with: { key: '{{ state.key }}', value: '{{ state.value }}' } },
  evaluator: {
    type: 'schema',
    schema: { type: 'object', properties: { square: { type: 'number', multipleOf: 2 } } },
  },
};

let world: LoopWorld;
beforeAll(async () => {
  world = await startWorld({ actions });
}, 120_000);
afterAll(async () => {
  await world.close();
});

const itemsOf = (count: number, key = randomUUID()) =>
  Array.from({ length: count }, (_, value) => ({
    key: `${key}-${value}`,
    value,
    ...(value % 2 ? { id: `no ${value}` } : {}),
  }));

async function lines(id: string): Promise<BatchLine[]> {
  const all: BatchLine[] = [];
  for await (const line of world.client.batch.results(id)) all.push(line);
  return all;
}

test('each item has one run and one line, in the order of the input, in a window; failures alone are run again', async () => {
  const { batch } = world.client;
  const items = itemsOf(130);
  mostRunning = 0;
  failing = true;
  const { workflowId, attached } = await batch.start(items, loop, { concurrency: 7 });
  expect(attached).toBe(false);
  const result = await batch.result(workflowId);
  expect(result).toMatchObject({ items: 130, passed: 65, notPassed: 62, failed: 3, notStarted: 0, passRate: 0.5 });
  expect(mostRunning).toBeLessThanOrEqual(7);
  const made = await lines(workflowId);
  expect(made.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  expect(made[4]).toMatchObject({ id: '5', status: 'passed', output: { square: 16 }, score: 1 });
  expect(made[5]).toMatchObject({ id: 'no 5', status: 'not_passed', workflowId: `${workflowId}/no 5` });
  expect(made[7]).toMatchObject({ status: 'failed', error: { type: 'StepFailed' } });
  // Too large for its page.
  expect(made[3]!.output).toMatchObject({ square: 9, text: 'x'.repeat(70_000) });
  expect(items.map(({ key }) => ran.get(key))).toEqual(items.map(() => 1));
  // The same call attaches.
  expect(await batch.start(items, loop, { concurrency: 7 })).toMatchObject({ workflowId, attached: true });
  failing = false;
  await batch.start(items, loop, { retry: true });
  expect(await batch.result(workflowId)).toMatchObject({ items: 130, passed: 65, notPassed: 65, failed: 0 });
  const again = await lines(workflowId);
  expect(again[7]).toMatchObject({ status: 'not_passed', workflowId: `${workflowId}/no 7~2` });
  expect(again[3]!.output).toMatchObject({ text: 'x'.repeat(70_000) });
  expect(items.filter(({ key }) => ran.get(key) !== 1).map(({ value }) => value)).toEqual([7, 57, 107]);
}, 120_000);

test('a batch pauses and goes on, refuses other items under its id, and cancels its loops', async () => {
  const { batch } = world.client;
  const workflowId = `batch-${randomUUID()}`;
  const items = itemsOf(30);
  isHeld = true;
  // Loops that are held show that the window is filled, and not beyond.
  await batch.start(items, loop, { workflowId, concurrency: 3 });
  await eventually(
    () => running,
    (now) => now === 3,
  );
  expect(await batch.pause(workflowId)).toMatchObject({ phase: 'paused', items: 30 });
  isHeld = false;
  await eventually(
    () => batch.status(workflowId),
    ({ running: now }) => now === 0,
  );
  const ended = items.filter(({ key }) => ran.has(key)).length;
  expect(ended).toBeLessThan(30);
  await expect(batch.start(itemsOf(2), loop, { workflowId })).rejects.toThrow(BatchMismatchError);
  await expect(batch.start(items, loop, { workflowId, retry: true })).rejects.toThrow(AlreadyRunningError);
  isHeld = true;
  await batch.resume(workflowId);
  await eventually(
    () => running,
    (now) => now === 3,
  );
  await world.client.temporal.workflow.getHandle(workflowId).cancel();
  await expect(batch.result(workflowId)).rejects.toMatchObject({ type: 'Cancelled' });
  isHeld = false;
  const made = await lines(workflowId);
  expect(made.filter(({ status }) => status === 'not_started').length).toBe(30 - ended - 3);
  expect(made.filter(({ error }) => error?.type === 'Cancelled').length).toBe(3);
}, 120_000);

test('mistakes are told with their paths, before anything is started', async () => {
  const { batch } = world.client;
  const twice = [{ id: 'a' }, { id: 'a' }, 'b' as never, { id: 'c/d' }, { id: 'e~2' }];
  const failure = await batch.start(twice, loop).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvalidSpecError);
  const paths = (failure as InvalidSpecError).problems.map(({ path }) => path);
  expect(paths).toEqual(['/items/1/id', '/items/2', '/items/3/id', '/items/4/id']);
  await expect(batch.start([], loop)).rejects.toMatchObject({ problems: [{ path: '/items' }] });
  await expect(batch.start([{ a: 1 }], { ...loop, maxIterations: 0 })).rejects.toMatchObject({
    problems: [{ path: '/loop/maxIterations' }],
  });
  // What only a worker knows.
  const unknown = { ...loop, generator: { action: 'cube', with: {} } };
  const { workflowId } = await batch.start(itemsOf(2), unknown);
  await expect(batch.result(workflowId)).rejects.toMatchObject({ type: 'UnknownAction' });
  expect((await lines(workflowId)).map(({ status }) => status)).toEqual(['not_started', 'not_started']);
}, 30_000);
