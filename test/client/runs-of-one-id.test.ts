import { randomUUID } from 'node:crypto';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { ReflectionClient, ReflectionSpec } from '../../src';
import { eventually } from '../../testing/support/eventually';
import { startWriterWorld } from '../../testing/support/writer-world';

let world: Awaited<ReturnType<typeof startWriterWorld>>;
let client: ReflectionClient;
let written: string[];
beforeAll(async () => {
  world = await startWriterWorld((text, times) => `${text} ${times}`);
  ({ client, written } = world);
});
afterAll(() => world.close());

const loop = (text: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action: 'write', with: { text } },
  evaluator: { type: 'regex', pattern: text },
  ...more,
});

/** A loop whose first version waits for a reviewer. */
const waiting = (text: string): ReflectionSpec => loop(text, { review: { when: 'every_iteration' } });

async function waitsForReview(workflowId: string): Promise<void> {
  await eventually(
    async () => (await client.progress(workflowId)).phase,
    (phase) => phase === 'waiting',
  );
}

describe('starts that are requested again', () => {
  test('runOnce pays once while the run goes on and after its end, and gives all callers the first result', async () => {
    const id = randomUUID();
    const [first, second] = await Promise.all([client.runOnce(id, loop(id)), client.runOnce(id, loop(id))]);
    const later = await client.runOnce(id, loop(`${id} other`));
    expect([first, second, later].map(({ finalOutput }) => finalOutput)).toEqual(Array(3).fill(`${id} 1`));
    expect(written.filter((text) => text.startsWith(id))).toHaveLength(1);
  });

  test('an id that has ended may be forbidden, which has an error of its own', async () => {
    const workflowId = randomUUID();
    const options = { workflowId, workflowIdReusePolicy: 'REJECT_DUPLICATE' } as const;
    await client.start(waiting(workflowId), options);
    await expect(client.start(loop(workflowId), options)).rejects.toMatchObject({ type: 'AlreadyRunning', workflowId });
    await waitsForReview(workflowId);
    await client.accept(workflowId);
    await client.result(workflowId);
    await expect(client.start(loop(workflowId), options)).rejects.toMatchObject({ type: 'AlreadyEnded', workflowId });
  });

  test('a start may join the run that there is', async () => {
    const workflowId = randomUUID();
    const first = await client.start(waiting(workflowId), { workflowId });
    const second = await client.start(waiting(workflowId), { workflowId, workflowIdConflictPolicy: 'USE_EXISTING' });
    expect(second).toMatchObject({ workflowId, runId: first.runId });
    await client.abort(first);
  });
});

test('a start takes what Temporal offers', async () => {
  const workflowId = randomUUID();
  const status = defineSearchAttributeKey('ReflectionReason', 'KEYWORD');
  const started = Date.now();
  await client.start(loop(workflowId), {
    workflowId,
    memo: { order: 'A-1' },
    typedSearchAttributes: [{ key: status, value: 'mine' }],
    workflowExecutionTimeout: '1 hour',
    startDelay: '1 second',
    priority: { priorityKey: 2 },
    staticSummary: 'An order',
  });
  const { memo, typedSearchAttributes, raw, priority } = await client.temporal.workflow
    .getHandle(workflowId)
    .describe();
  expect(memo).toEqual({ order: 'A-1' });
  expect(typedSearchAttributes.get(status)).toBe('mine');
  expect(priority?.priorityKey).toBe(2);
  expect(Number(raw.executionConfig?.workflowExecutionTimeout?.seconds)).toBe(3_600);
  expect((await client.result(workflowId)).success).toBe(true);
  expect(Date.now() - started).toBeGreaterThan(900);
});

test('what start returned is that run, whoever uses its id later', async () => {
  const workflowId = randomUUID();
  const first = await client.start(loop(`${workflowId} a`), { workflowId });
  await client.result(first);
  const second = await client.start(waiting(`${workflowId} b`), { workflowId });
  await waitsForReview(workflowId);
  expect((await client.result(first)).finalOutput).toBe(`${workflowId} a 1`);
  expect((await client.progress(first)).phase).toBe('done');
  expect((await client.history(first)).map(({ output }) => output)).toEqual([`${workflowId} a 1`]);
  await expect(client.accept(first)).rejects.toMatchObject({ type: 'CommandRefused', message: 'the run has ended' });
  expect((await client.progress(second)).phase).toBe('waiting');
  await client.accept(second);
  expect((await client.result(second)).finalOutput).toBe(`${workflowId} b 1`);
});
