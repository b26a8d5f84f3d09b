import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { temporal as proto } from '@temporalio/proto';
import type { ReflectionClient, StreamEvent } from '../../src/client';
import { lookAt } from '../../src/client/stream/run-stream';
import { InvalidConfigError, RunNotFoundError } from '../../src/loop/errors/errors';
import { CallAbortedError } from '../../src/loop/errors/call-errors';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import type { Script } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { heartbeatOf } from '../../testing/support/heartbeats';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { wholeHistory } from '../../testing/support/whole-history';

const { EventType } = proto.api.enums.v1;

const TEXT = Array.from({ length: 12 }, (_, at) => `Line ${at + 1}: ok.`).join('\n');

const generator = { action: 'llm.call', prompt: 'Write.' } as const;
const spec: ReflectionSpec = {
  generator,
  evaluator: { type: 'regex', pattern: 'ok' },
};

const SLOW = { reply: TEXT, chunkDelayMs: 250 };

const script: Script = ({ last }) =>
  last.includes('refused') ? { status: 401 } : last.includes('badly') ? { reply: 'no' } : SLOW;

const asking = (prompt: string): ReflectionSpec => ({
  ...spec,
  generator: { ...generator, prompt },
  stream: true,
});

async function all(events: AsyncIterable<StreamEvent>, until: (event: StreamEvent) => boolean = () => false) {
  const read: StreamEvent[] = [];
  for await (const event of events) {
    read.push(event);
    if (until(event)) break;
  }
  return read;
}

const joined = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');

/** How often the workflow is asked depends on when answers come, and is no matter of text. */
const WORKFLOW_TASKS: readonly unknown[] = [
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT,
  EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
];

/** What a run is in the history, without what differs from run to run: ids, times, sizes. */
async function eventsOf(client: ReflectionClient, workflowId: string) {
  const { events } = await wholeHistory(client, workflowId);
  const own = events.filter(({ eventType }) => !WORKFLOW_TASKS.includes(eventType));
  return own.map(({ eventType, activityTaskScheduledEventAttributes: scheduled }) => ({
    eventType,
    input: (scheduled?.input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data!).toString()) as object),
  }));
}

/** Another one's endpoint that does not end its answers until it may: what it has of them it sends. */
async function unending(baseUrl: string) {
  const allowed = new AbortController();
  const server = createServer((request, response) => {
    void (async () => {
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: await text(request) };
      const { status, headers, body } = await fetch(`${baseUrl}/chat/completions`, asked);
      response.writeHead(status, { 'content-type': headers.get('content-type')! });
      for await (const piece of body!) response.write(piece);
      if (!allowed.signal.aborted) await once(allowed.signal, 'abort');
      response.end();
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, end: () => allowed.abort(), close: () => server.close() };
}

describe('a run as it is streamed', () => {
  let model: ScriptedOpenAI;
  let slow: Awaited<ReturnType<typeof unending>>;
  let world: LoopWorld;
  let client: ReflectionClient;
  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script });
    slow = await unending(model.baseUrl);
    const models = Object.entries({ scripted: model.baseUrl, slow: slow.baseUrl });
    world = await startWorld({ models: models.map(([name, baseUrl]) => ({ name, model: 'scripted-1', baseUrl })) });
    ({ client } = world);
  });
  afterAll(async () => {
    await world.close();
    slow.close();
    await model.close();
  });

  test('text is told while it is written, without an event in the history', async () => {
    const [on, off] = [await client.start({ ...spec, stream: true }), await client.start(spec)];
    const [streamed, plain] = await Promise.all([all(client.stream(on)), all(client.stream(off.workflowId))]);
    expect(joined(streamed)).toBe(TEXT);
    expect(streamed.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(streamed.at(-1)).toMatchObject({ type: 'ended', status: 'completed', success: true, output: TEXT });
    // Without `stream` it comes in one piece, once it is there.
    expect(plain.map(({ type }) => type)).toEqual(['text', 'version', 'verdict', 'ended']);
    expect(joined(plain)).toBe(TEXT);
    const [withText, without] = [await eventsOf(client, on.workflowId), await eventsOf(client, off.workflowId)];
    expect(withText.map(({ eventType }) => eventType)).toEqual(without.map(({ eventType }) => eventType));
    const inputs = (events: typeof without) => events.flatMap(({ input }) => input);
    expect(inputs(without).every((input) => !('stream' in input))).toBe(true);
    expect(inputs(withText).filter((input) => 'stream' in input)).toHaveLength(1);
    // Only who reads along has the endpoint stream.
    const asked = model.ledger.flatMap(({ body }) => (body ? [body.stream] : []));
    expect(new Set(asked)).toEqual(new Set([true, undefined]));
    expect((await all(client.stream(on))).map(({ type }) => type)).toEqual(['text', 'version', 'verdict', 'ended']);
  });

  test('a call whose text nobody reads sends no heartbeat with text', async () => {
    const { workflowId, result } = await client.start({ ...spec, generator: { ...generator, model: 'slow' } });
    const stream = client.stream(workflowId);
    const next = stream.next();
    const callsNow = async () => (await lookAt(client.temporal, workflowId, '')).calls;
    await eventually(callsNow, (calls) => calls.length === 1);
    await setTimeout(2_000);
    expect(await heartbeatOf(client, workflowId)).toBeUndefined();
    expect(await callsNow()).toHaveLength(1);
    slow.end();
    await result();
    expect((await next).value).toMatchObject({ type: 'text', from: 0, delta: TEXT });
    await stream.return!();
  });

  test('a stream that broke off goes on where it was, and leaves nothing behind', async () => {
    const { workflowId } = await client.start({ ...spec, stream: true });
    const before = await all(client.stream(workflowId), ({ type }) => type === 'text');
    const after = await all(client.stream(workflowId, { from: before.at(-1)!.position }));
    expect(joined(before).length).toBeLessThan(TEXT.length);
    expect(joined(before) + joined(after)).toBe(TEXT);
    expect(after.at(-1)).toMatchObject({ type: 'ended', status: 'completed' });
    const aborted = new AbortController();
    const waiting = await client.start({ ...spec, stream: true });
    void setTimeout(700).then(() => aborted.abort('enough'));
    await expect(all(client.stream(waiting, { signal: aborted.signal }))).rejects.toThrow(CallAbortedError);
    // Who returns while the next event is awaited is not kept waiting for it.
    const stream = client.stream(waiting);
    const next = stream.next();
    expect(await stream.return!()).toEqual({ done: true, value: undefined });
    await next;
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await client.abort(waiting);
  });

  test('a wait, a failure, a run that is not there, and a position that is none', async () => {
    const reviewed = { ...asking('Write badly.'), maxIterations: 1, review: { when: 'on_exhausted' as const } };
    const run = await client.start(reviewed);
    const seen = await all(client.stream(run), ({ type }) => type === 'waiting');
    expect(seen.map(({ type }) => type)).toEqual(['text', 'version', 'verdict', 'waiting']);
    expect(seen.at(-1)).toMatchObject({ waitingFor: { what: expect.stringContaining('version 1') as unknown } });
    await client.accept(run);
    const failing = await client.start(asking('This is refused.'));
    const failure = { type: 'Model.Unauthorized', message: expect.stringContaining('401') as unknown };
    expect(await all(client.stream(failing))).toEqual([{ type: 'ended', status: 'failed', failure, position: '0 0' }]);
    await expect(client.stream(`none-${randomUUID()}`).next()).rejects.toThrow(RunNotFoundError);
    expect(() => client.stream('any', { from: 'anywhere' })).toThrow(InvalidConfigError);
  });
});
