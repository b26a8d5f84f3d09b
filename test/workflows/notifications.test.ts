import { createHash } from 'node:crypto';
import { z } from 'zod';
import { waitNotification } from '../../src/loop/contract/notification';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { type Action, defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';
import { isSigned, startReceiver, type TestReceiver } from '../../testing/support/receiver';
import { wholeHistory } from '../../testing/support/whole-history';

const SECRET = 'a-secret-that-nobody-knows';
const TEXT = 'Dear Robin, your order is late.';
const TOKEN = 'Bearer of-the-relay';

const events: unknown[] = [];
const actions: Action[] = [
  defineAction({ name: 'writes', description: 'Writes a letter.', input: z.unknown(), run: () => TEXT }),
  defineAction({
    name: 'hears',
    description: 'Hears events.',
    input: z.json(),
    run: (event) => (events.push(event), null),
  }),
  defineAction({
    name: 'breaks',
    description: 'Always fails.',
    input: z.unknown(),
    run: () => {
      throw new Error('the pager is off');
    },
  }),
];

const spec: ReflectionSpec = {
  name: 'letter',
  generator: { action: 'writes' },
  evaluator: { type: 'regex', pattern: 'sorry' },
  maxIterations: 1,
  review: { when: 'on_exhausted', timeout: '1d' },
};

describe('a worker that tells of waits', () => {
  let world: LoopWorld;
  let receiver: TestReceiver;
  /** Answers of the receiver to the messages about a run, by the beginning of its id. */
  const answers: Record<string, (count: number) => number> = {};

  beforeAll(async () => {
    process.env['TEST_NOTIFY_SECRET'] = SECRET;
    receiver = await startReceiver(({ body }, received) => {
      const [wait] = body.data.waits;
      const key = Object.keys(answers).find((each) => wait!.workflowId.startsWith(each));
      if (key === undefined) return 204;
      return answers[key]!(received.filter((each) => each.body.data.waits[0]?.workflowId === wait?.workflowId).length);
    });
    world = await startWorld({
      actions,
      externalCalls: { hosts: ['judge.example.com'], allowPrivateAddresses: true },
      notify: {
        url: receiver.url,
        secretVariable: 'TEST_NOTIFY_SECRET',
        headers: { authorization: TOKEN },
        links: { webUi: 'https://ui.example.com/', review: 'https://reviews.example.com/runs/{workflowId}' },
      },
    });
  });
  afterAll(async () => {
    await world?.close();
    await receiver?.close();
  });

  const told = (id: string, count: number, timeoutMs?: number) =>
    eventually(
      () => receiver.about(id),
      (messages) => messages.length >= count,
      timeoutMs,
    );
  const historyText = async (id: string) => JSON.stringify(await wholeHistory(world.client, id));

  test('posts each wait, signed, with all that a person needs and without the text', async () => {
    const { workflowId } = await world.client.start(spec, { workflowId: `told/${Date.now()} ü` });
    const [message] = await told(workflowId, 1);
    const { body, headers } = message!;
    expect(waitNotification.parse(body)).toEqual(body);
    const [wait] = body.data.waits;
    expect(body).toMatchObject({ id: wait!.id, type: 'wait.began', data: { namespace: 'default' } });
    expect(wait).toMatchObject({
      reminder: false,
      workflowId,
      name: 'letter',
      version: 1,
      outcome: 'fail',
      reason: 'max_iterations',
      unanswered: 'the run stops',
      text: { sha256: createHash('sha256').update(TEXT).digest('hex'), bytes: TEXT.length },
      links: {
        webUi: `https://ui.example.com/namespaces/default/workflows/${encodeURIComponent(workflowId)}`,
        review: `https://reviews.example.com/runs/${encodeURIComponent(workflowId)}`,
      },
    });
    expect(wait!.what).toContain('review of version 1');
    expect(wait!.commands).toContainEqual({ name: 'accept', payload: { iteration: 1 } });
    expect(Date.parse(wait!.until) - Date.parse(wait!.since)).toBe(24 * 60 * 60 * 1_000);
    expect(headers).toMatchObject({
      'webhook-id': body.id,
      'idempotency-key': body.id,
      authorization: TOKEN,
      'content-type': 'application/json',
    });
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    expect(isSigned(message!, SECRET)).toBe(true);
    expect(isSigned({ ...message!, text: `${message!.text} ` }, SECRET)).toBe(false);
    expect(message!.text).not.toContain(TEXT);
    await world.client.accept(workflowId);
    expect(await world.client.result(workflowId)).toMatchObject({ convergenceReason: 'user_accepted' });
    expect(receiver.about(workflowId)).toHaveLength(1);
    const history = await historyText(workflowId);
    expect(history).toContain('reflection.notify');
    for (const secret of [SECRET, TOKEN, 'path-of-nobody']) expect(history).not.toContain(secret);
  });

  test('posts again at half of the time, about the same wait, with an id of its own', async () => {
    const { workflowId } = await world.client.start({ ...spec, review: { when: 'on_exhausted', timeout: '3s' } });
    const result = await world.client.result(workflowId);
    expect(result.convergenceReason).toBe('max_iterations');
    const messages = receiver.about(workflowId).map(({ body }) => body);
    expect(messages.map(({ type }) => type)).toEqual(['wait.began', 'wait.reminder']);
    expect(messages[1]).toMatchObject({
      id: `${messages[0]!.id}-reminder`,
      data: { waits: [{ id: messages[0]!.id, reminder: true }] },
    });
    const { since, until } = messages[1]!.data.waits[0]!;
    const half = (Date.parse(since) + Date.parse(until)) / 2;
    expect(Date.parse(messages[1]!.timestamp)).toBeGreaterThanOrEqual(half - 50);
    expect(receiver.about(workflowId).every((message) => isSigned(message, SECRET))).toBe(true);
  });

  test('a receiver that is down and comes back gets the same message', async () => {
    const id = `down-${Date.now()}`;
    answers[id] = (count) => (count <= 2 ? 503 : 200);
    await world.client.start(spec, { workflowId: id });
    const messages = await told(id, 3, 20_000);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1);
    expect(new Set(messages.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    await world.client.accept(id);
    await world.client.result(id);
  }, 30_000);

  test.each([
    ['fails', 500],
    ['refuses', 401],
    ['redirects', 302],
  ])('a receiver that %s delays no answer, and fails no run', async (_, status) => {
    const id = `refused-${status}-${Date.now()}`;
    answers[id] = () => status;
    await world.client.start(spec, { workflowId: id });
    await told(id, 1);
    await world.client.accept(id);
    expect(await world.client.result(id)).toMatchObject({ success: true });
    for (const secret of [SECRET, TOKEN, 'path-of-nobody']) expect(await historyText(id)).not.toContain(secret);
  });

  test('tells of the loops of pipelines and plans, whose ids commands go to', async () => {
    const pipeline = `told-pipeline-${Date.now()}`;
    const plan = `told-plan-${Date.now()}`;
    await world.client.pipelines.start(
      { nodes: [{ name: 'draft', action: 'reflection.loop', with: spec }] },
      { workflowId: pipeline },
    );
    const tasks = [{ id: 'draft', description: 'Write it', step: { loop: spec } }];
    await world.client.plans.start(
      { goal: 'A letter', enableReflection: false, plan: { id: 'first', tasks } },
      { workflowId: plan },
    );
    for (const parent of [pipeline, plan]) {
      const [message] = await told(parent, 1);
      const { workflowId } = message!.body.data.waits[0]!;
      expect(workflowId).not.toBe(parent);
      await world.client.accept(workflowId);
      await world.client.temporal.workflow.getHandle(parent).result();
    }
  });

  test('a loop without a review is not prepared to tell of one', async () => {
    const { review: _review, ...never } = spec;
    const { workflowId } = await world.client.start(never);
    await world.client.result(workflowId);
    expect(receiver.about(workflowId)).toHaveLength(0);
    expect(await historyText(workflowId)).not.toContain('reflection.notify');
  });

  test('a wait that a person answers with another try is followed by a wait of its own', async () => {
    const { workflowId } = await world.client.start({
      ...spec,
      maxIterations: 3,
      review: { when: 'every_iteration', timeout: '1d' },
    });
    await told(workflowId, 1);
    await world.client.guide(workflowId, { text: 'Say sorry.' });
    const messages = await told(workflowId, 2);
    expect(messages.map(({ body }) => [body.type, body.data.waits[0]!.version])).toEqual([
      ['wait.began', 1],
      ['wait.began', 2],
    ]);
    expect(messages[0]!.body.id).not.toBe(messages[1]!.body.id);
    await world.client.abort(workflowId);
  });

  test('the hook onWaiting is called once for each wait, with the version under review', async () => {
    events.splice(0);
    const { workflowId } = await world.client.start({ ...spec, hooks: { onWaiting: 'hears' } });
    await eventually(
      () => events.length,
      (count) => count > 0,
    );
    const [message] = await told(workflowId, 1);
    await world.client.accept(workflowId);
    await world.client.result(workflowId);
    expect(events).toEqual([
      expect.objectContaining({
        hook: 'onWaiting',
        iteration: 1,
        output: TEXT,
        reason: 'max_iterations',
        wait: message!.body.id,
        until: message!.body.data.waits[0]!.until,
      }),
    ]);
  });

  test('a hook onWaiting that fails leaves a warning, and the wait goes on', async () => {
    const { workflowId } = await world.client.start({ ...spec, hooks: { onWaiting: 'breaks' } });
    await eventually(
      () => world.client.history(workflowId),
      (versions) => versions[0]?.warnings.some((warning) => warning.includes('the pager is off')) === true,
    );
    expect(await world.client.progress(workflowId)).toMatchObject({ phase: 'waiting' });
    await world.client.accept(workflowId);
    expect(await world.client.result(workflowId)).toMatchObject({ success: true });
  });
});

test('a worker that is told to includes the text, cut to 16,000 characters; one that has no receiver tells nobody', async () => {
  process.env['TEST_NOTIFY_SECRET'] = `${SECRET} whsec_${Buffer.from('the key before the new one').toString('base64')}`;
  const receiver = await startReceiver();
  const long = '🙂'.repeat(10_000);
  const writes = defineAction({ name: 'writes', description: 'Writes.', input: z.unknown(), run: () => long });
  const notify = { url: receiver.url, secretVariable: 'TEST_NOTIFY_SECRET', include: 'text' as const };
  const externalCalls = { allowPrivateAddresses: true };
  const world = await startWorld({ actions: [writes], externalCalls, notify });
  const silent = await startWorld({ actions: [writes] });
  try {
    const { workflowId } = await world.client.start(spec);
    const unheard = await silent.client.start(spec);
    const [message] = await eventually(
      () => receiver.about(workflowId),
      ({ length }) => length > 0,
    );
    const { text } = message!.body.data.waits[0]!;
    expect(text).toEqual({
      sha256: createHash('sha256').update(long).digest('hex'),
      bytes: 40_000,
      value: '🙂'.repeat(8_000),
      truncated: true,
    });
    // While a secret is replaced, both sign.
    expect(isSigned(message!, SECRET)).toBe(true);
    expect(isSigned(message!, Buffer.from('the key before the new one'))).toBe(true);
    await eventually(
      () => silent.client.progress(unheard.workflowId),
      ({ phase }) => phase === 'waiting',
    );
    expect(receiver.about(unheard.workflowId)).toHaveLength(0);
    await Promise.all([world.client.abort(workflowId), silent.client.abort(unheard.workflowId)]);
  } finally {
    await Promise.all([world.close(), silent.close()]);
    await receiver.close();
  }
});
