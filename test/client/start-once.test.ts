import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineSpec, type ReflectionClient, type ReflectionSpec, type ReflectionSpecInput } from '../../src';
import { DifferentSpecError, InvalidSpecError, ReflectionFailedError } from '../../src/loop/errors/errors';
import { startWriterWorld } from '../../testing/support/writer-world';

let world: Awaited<ReturnType<typeof startWriterWorld>>;
let client: ReflectionClient;
let written: string[];
beforeAll(async () => {
  world = await startWriterWorld((text) => ({ text }));
  ({ client, written } = world);
});
afterAll(() => world.close());

const loop = (text: string, more: Partial<ReflectionSpec> = {}): ReflectionSpec => ({
  generator: { action: 'write', with: { text } },
  evaluator: [
    { type: 'regex', pattern: 'text' },
    { type: 'regex', pattern: 't' },
  ],
  state: { topic: 'rain', place: { city: 'Ulm', street: null } },
  ...more,
});

/** Specs that mean what `loop(text)` means. */
const EQUAL: Record<string, (text: string) => ReflectionSpecInput> = {
  'the same': (text) => loop(text),
  'keys in another order': (text) => {
    const { generator, evaluator } = loop(text);
    return { state: { place: { street: null, city: 'Ulm' }, topic: 'rain' }, evaluator, generator };
  },
  'its short form': (text) => loop(text, { evaluator: [{ pattern: 'text' }, { pattern: 't' }] as never }),
  'a field that is undefined': (text) => loop(text, { name: undefined }),
};

/** Specs that mean something else than `loop(text)`. */
const DIFFERENT: Record<string, (text: string) => ReflectionSpecInput> = {
  'another input of the step': (text) => loop(`${text}!`),
  'another value deep in the state': (text) => loop(text, { state: { topic: 'rain', place: { city: 'Ulm' } } }),
  'evaluators in another order': (text) => loop(text, { evaluator: [...(loop(text).evaluator as [])].reverse() }),
  'a field more': (text) => loop(text, { maxIterations: 4 }),
};

test.each(Object.entries(EQUAL))('an equal spec gets the run, before and after its end: %s', async (_name, spec) => {
  const id = randomUUID();
  const first = await client.startOnce(id, loop(id), { memo: { order: 'A-1' } });
  const second = await client.startOnce(id, spec(id));
  expect(second).toMatchObject({ workflowId: id, runId: first.runId });
  expect(await second.result()).toEqual(await first.result());
  const later = await client.startOnce(id, spec(id));
  expect(later.runId).toBe(first.runId);
  expect((await later.result()).finalOutput).toEqual({ text: id });
  expect(written.filter((text) => text === id)).toHaveLength(1);
  const { memo } = await client.temporal.workflow.getHandle(id).describe();
  expect(memo).toMatchObject({ order: 'A-1', reflectionSpec: [expect.stringMatching(/^[\da-f]{24}$/)] });
});

test.each(Object.entries(DIFFERENT))('another spec is refused, before and after the end: %s', async (_name, spec) => {
  const id = randomUUID();
  const { result } = await client.startOnce(id, loop(id));
  await expect(client.startOnce(id, spec(id))).rejects.toThrow(new DifferentSpecError(id, true));
  await result();
  await expect(client.startOnce(id, spec(id))).rejects.toThrow(new DifferentSpecError(id, true));
  expect(written.filter((text) => text.startsWith(id))).toHaveLength(1);
});

test('a typed spec has results of its type, also of the run that there is', async () => {
  const id = randomUUID();
  const schema = z.object({ text: z.string().transform((text) => text.length) });
  const spec = defineSpec({ generator: { action: 'write', with: { text: id } }, evaluator: { schema } });
  const first = await client.startOnce(id, spec);
  const second = await client.startOnce(id, { ...spec });
  expect(second.runId).toBe(first.runId);
  expect([(await first.result()).finalOutput?.text, (await second.result()).finalOutput?.text]).toEqual([36, 36]);
});

test('a run that failed is the run, too', async () => {
  const id = randomUUID();
  const spec = loop(id, { evaluator: { type: 'regex', pattern: 'never' }, maxIterations: 1, onFailure: 'raise' });
  const first = await client.startOnce(id, spec);
  await expect(first.result()).rejects.toThrow(ReflectionFailedError);
  const again = await client.startOnce(id, spec);
  expect(again.runId).toBe(first.runId);
  await expect(again.result()).rejects.toThrow(ReflectionFailedError);
});

test('of many callers at once one starts the run, and those with another spec are refused', async () => {
  const id = randomUUID();
  const specs = [0, 1, 2, 3, 4, 5].map((each) => loop(`${id} ${each % 2}`));
  const started = await Promise.allSettled(specs.map((spec) => client.startOnce(id, spec)));
  const runs = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value.runId] : []));
  const refusals = started.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  expect([runs.length, new Set(runs).size]).toEqual([3, 1]);
  const refusal = new DifferentSpecError(id, true);
  expect(refusals).toEqual([refusal, refusal, refusal]);
  await client.result(id);
  expect(written.filter((text) => text.startsWith(id))).toHaveLength(1);
});

test('what something else started has no spec to compare', async () => {
  const id = randomUUID();
  await client.start(loop(id), { workflowId: id });
  await expect(client.startOnce(id, loop(id))).rejects.toThrow(new DifferentSpecError(id, false));
  const other = randomUUID();
  const evaluation = { evaluator: { type: 'regex' as const, pattern: 'x' }, data: 'x' };
  await client.evaluations.run(evaluation, { workflowId: other });
  await expect(client.startOnce(other, loop(other))).rejects.toMatchObject({ type: 'DifferentSpec', isKnown: false });
});

test('a worker is not needed, and a spec whose form is wrong starts nothing', async () => {
  const id = randomUUID();
  const taskQueue = `nobody-${id}`;
  const first = await client.startOnce(id, loop(id), { taskQueue });
  expect((await client.startOnce(id, loop(id), { taskQueue })).runId).toBe(first.runId);
  await client.temporal.workflow.getHandle(id).terminate();
  const wrong = randomUUID();
  await expect(client.startOnce(wrong, { ...loop(wrong), maxIterations: 0 })).rejects.toThrow(InvalidSpecError);
  await expect(client.get(wrong)).rejects.toMatchObject({ type: 'RunNotFound' });
});
