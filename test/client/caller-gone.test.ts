import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ReflectionClient, ReflectionSpec } from '../../src';
import { CallAbortedError } from '../../src/loop/errors/call-errors';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

let world: LoopWorld;
let client: ReflectionClient;
beforeAll(async () => {
  const write = defineAction({ name: 'write', description: 'Writes.', input: z.unknown(), run: () => 'a text' });
  world = await startWorld({ actions: [write] });
  ({ client } = world);
});
afterAll(() => world.close());

const spec: ReflectionSpec = {
  generator: { action: 'write' },
  evaluator: { type: 'regex', pattern: 'text' },
  review: { when: 'every_iteration' },
};

const waits = (workflowId: string) =>
  eventually(
    () => client.progress(workflowId).catch(() => undefined),
    (progress) => progress?.phase === 'waiting',
  );

/** How callers wait for the result of a run. */
const WAYS: Record<
  string,
  (workflowId: string, options: { signal: AbortSignal; onAbort?: 'abort' | 'leave' }) => Promise<unknown>
> = {
  run: (workflowId, options) => client.run(spec, { workflowId, ...options }),
  async result(workflowId, options) {
    await client.start(spec, { workflowId });
    return client.result(workflowId, options);
  },
};

describe.each(Object.entries(WAYS))('a caller of %s that goes away', (_method, wait) => {
  test('takes the run along if it says so', async () => {
    const workflowId = randomUUID();
    const controller = new AbortController();
    const waiting = wait(workflowId, { signal: controller.signal, onAbort: 'abort' });
    waiting.catch(() => undefined);
    await waits(workflowId);
    controller.abort('closed');
    await expect(waiting).rejects.toThrow(CallAbortedError);
    await expect(waiting).rejects.toMatchObject({
      cause: 'closed',
      workflowId,
      message: expect.stringMatching(/The command to abort it was sent\.$/) as string,
    });
    const { convergenceReason, history } = await client.result(workflowId);
    expect(convergenceReason).toBe('aborted');
    expect(history.people).toMatchObject([
      { name: 'abort', payload: { reason: expect.stringContaining('went away') as string } },
    ]);
  });

  test.each([undefined, 'leave'] as const)('leaves the run as it is otherwise (%s)', async (onAbort) => {
    const workflowId = randomUUID();
    const controller = new AbortController();
    const waiting = wait(workflowId, { signal: controller.signal, onAbort });
    waiting.catch(() => undefined);
    await waits(workflowId);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({
      type: 'CallAborted',
      message: expect.stringContaining('goes on') as string,
    });
    expect(await client.accept(workflowId)).toMatchObject({ convergenceReason: 'user_accepted' });
  });
});

test('a start that the caller interrupts leaves no run that goes on', async () => {
  const workflowId = randomUUID();
  const controller = new AbortController();
  const waiting = client.run(spec, { workflowId, signal: controller.signal, onAbort: 'abort' });
  controller.abort();
  await expect(waiting).rejects.toThrow(CallAbortedError);
  expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'aborted' });
});

test('a signal that is aborted before starts nothing', async () => {
  const workflowId = randomUUID();
  const gone = { workflowId, signal: AbortSignal.abort(), onAbort: 'abort' } as const;
  await expect(client.run(spec, gone)).rejects.toThrow(CallAbortedError);
  await expect(client.get(workflowId)).rejects.toMatchObject({ type: 'RunNotFound' });
});

test('a run without a worker gets the command, and its error comes at once', async () => {
  const workflowId = randomUUID();
  const controller = new AbortController();
  const taskQueue = `nobody-${workflowId}`;
  const waiting = client.run(spec, { workflowId, taskQueue, signal: controller.signal, onAbort: 'abort' });
  waiting.catch(() => undefined);
  const handle = client.temporal.workflow.getHandle(workflowId);
  await eventually(
    () => handle.describe().catch(() => undefined),
    (found) => found !== undefined,
  );
  controller.abort();
  await expect(waiting).rejects.toThrow(CallAbortedError);
  const { events = [] } = await handle.fetchHistory();
  const signals = events?.flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? []);
  expect(signals).toEqual(['abort']);
  await handle.terminate();
});

test('what has ended stays as it ended', async () => {
  const { workflowId } = await client.start({ ...spec, review: undefined });
  await client.result(workflowId);
  const gone = client.result(workflowId, { signal: AbortSignal.abort(), onAbort: 'abort' });
  await expect(gone).rejects.toThrow(CallAbortedError);
  expect(await client.result(workflowId)).toMatchObject({ convergenceReason: 'quality_met', success: true });
});
