import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { runReportText } from '../../../src/apps/cli/runs/run-report-view';
import { runReport } from '../../../src/kinds/report/contract';
import { AlreadyRunningError, BatchMismatchError, type BatchReport, InvalidSpecError } from '../../../src';
import { reportPage } from '../../../src/apps/report/page';
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

test('each item has one run and one line; failures alone are run again, and the same call attaches', async () => {
  const { batches: batch } = world.client;
  const items = itemsOf(12);
  const { workflowId, attached } = await batch.start(items, loop, { concurrency: 4, budget: { tokens: 1_000 } });
  expect(attached).toBe(false);
  const result = await batch.result(workflowId);
  expect(result).toMatchObject({ items: 12, passed: 6, notPassed: 5, failed: 1, notStarted: 0, passRate: 0.5 });
  const made = await linesOf(world.client, workflowId);
  expect(made.map(({ index }) => index)).toEqual(items.map((_, index) => index));
  expect(made[4]).toMatchObject({ id: '5', status: 'passed', output: { square: 16 }, score: 1 });
  expect(made[5]).toMatchObject({ id: 'no 5', status: 'not_passed', workflowId: `${workflowId}/no 5` });
  expect(made[7]).toMatchObject({ status: 'failed', error: { type: 'StepFailed' } });
  const report = await world.client.report(workflowId);
  expect(runReport.parse(report)).toMatchObject({
    kind: 'batch',
    items: 12,
    passed: 6,
    notStarted: 0,
    reasons: { quality_met: 6, max_iterations: 5 },
    passedAt: { 1: 6 },
    linesOmitted: 0,
    tokenUsage: result.tokenUsage,
  });
  const { lines, scores } = report as BatchReport;
  expect(lines.map(({ status }) => status)).toEqual([
    'failed',
    ...Array.from({ length: 5 }, () => 'not_passed'),
    ...Array.from({ length: 6 }, () => 'passed'),
  ]);
  expect(scores.reduce((sum, each) => sum + each, 0)).toBe(
    made.filter(({ score }) => typeof score === 'number').length,
  );
  expect(JSON.stringify(report)).not.toContain('xxxx');
  const page = reportPage(report, '2026-01-01T00:00:00.000Z');
  expect(page).toContain('StepFailed');
  expect(page).toContain('6 of 12 passed');
  expect(stripVTControlCharacters(runReportText(report))).toMatch(/6 of 12 items passed \(50 % [^]*no 7 +StepFailed/);
  // Too large for its page.
  expect(made[3]!.output).toMatchObject({ square: 9, text: 'x'.repeat(70_000) });
  expect(await batch.start(items, loop, { concurrency: 4 })).toMatchObject({ workflowId, attached: true });
  squares.isFailing = false;
  await batch.start(items, loop, { retry: true });
  expect(await batch.result(workflowId)).toMatchObject({ items: 12, passed: 6, notPassed: 6, failed: 0 });
  expect((await linesOf(world.client, workflowId))[7]).toMatchObject({ workflowId: `${workflowId}/no 7~2` });
  expect(items.filter(({ key }) => squares.ran.get(key) !== 1).map(({ value }) => value)).toEqual([7]);
}, 60_000);

test('a batch pauses and goes on, refuses other items under its id, and cancels its loops', async () => {
  const { batches: batch } = world.client;
  const workflowId = `batch-${randomUUID()}`;
  const items = itemsOf(30);
  squares.isHeld = true;
  // Loops that are held show that the window is filled, and not beyond.
  await batch.start(items, loop, { workflowId, concurrency: 3 });
  await eventually(
    () => squares.running,
    (now) => now === 3,
  );
  expect(await batch.pause(workflowId)).toMatchObject({ phase: 'paused', items: 30 });
  squares.isHeld = false;
  await eventually(
    () => batch.progress(workflowId),
    ({ running: now }) => now === 0,
  );
  const ended = items.filter(({ key }) => squares.ran.has(key)).length;
  expect(ended).toBeLessThan(30);
  await expect(batch.start(itemsOf(2), loop, { workflowId })).rejects.toThrow(BatchMismatchError);
  await expect(batch.start(items, loop, { workflowId, retry: true })).rejects.toThrow(AlreadyRunningError);
  squares.isHeld = true;
  await batch.resume(workflowId);
  await eventually(
    () => squares.running,
    (now) => now === 3,
  );
  await world.client.temporal.workflow.getHandle(workflowId).cancel();
  await expect(batch.result(workflowId)).rejects.toMatchObject({ type: 'Cancelled' });
  squares.isHeld = false;
  const made = await linesOf(world.client, workflowId);
  expect(made.filter(({ status }) => status === 'not_started').length).toBe(30 - ended - 3);
  expect(made.filter(({ error }) => error?.type === 'Cancelled').length).toBe(3);
}, 60_000);

test('after a page is terminated, its results are kept, and a retry runs only its open items', async () => {
  const { batches: batch, temporal } = world.client;
  // Three fill a page, since it holds 400 KB.
  const items = itemsOf(7).map((item) => ({ ...item, text: 'x'.repeat(130_000) }));
  Object.assign(squares, { isHeld: true, heldFrom: 1, isFailing: false });
  const { workflowId } = await batch.start(items, loop, { concurrency: 1 });
  await eventually(
    () => squares.ran.has(items[1]!.key),
    (runs) => runs,
  );
  await temporal.workflow.getHandle(await pageRunOf(world.client, workflowId, 0)).terminate('a mistake');
  // A batch that sends its pages something notices at once.
  await batch.pause(workflowId);
  Object.assign(squares, { isHeld: false, heldFrom: 0 });
  await batch.resume(workflowId);
  expect(await batch.result(workflowId)).toMatchObject({ items: 7, passed: 3, notPassed: 2, failed: 2 });
  const lines = await linesOf(world.client, workflowId);
  expect(lines.map(({ index, id, status, error }) => [index, id, status, error?.type])).toEqual([
    [0, '1', 'passed', undefined],
    [1, 'no 1', 'failed', 'PageLost'],
    [2, '3', 'failed', 'PageLost'],
    [3, 'no 3', 'not_passed', undefined],
    [4, '5', 'passed', undefined],
    [5, 'no 5', 'not_passed', undefined],
    [6, '7', 'passed', undefined],
  ]);
  expect(lines.map((line) => line.workflowId !== undefined)).toEqual([true, true, false, true, true, true, true]);
  expect(await world.client.report(workflowId)).toMatchObject({ failed: 2, linesOmitted: 0 });
  await batch.start(items, loop, { retry: true });
  expect(await batch.result(workflowId)).toMatchObject({ passed: 4, notPassed: 3, failed: 0 });
  expect(items.map(({ key }) => squares.ran.get(key))).toEqual([1, 2, 1, 1, 1, 1, 1]);
  expect((await linesOf(world.client, workflowId))[3]).toMatchObject({ output: { text: 'x'.repeat(70_000) } });
}, 60_000);

test('given an invalid batch, all problems are reported with their paths before anything starts', async () => {
  const { batches: batch } = world.client;
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
  expect((await linesOf(world.client, workflowId)).map(({ status }) => status)).toEqual(['not_started', 'not_started']);
}, 30_000);
