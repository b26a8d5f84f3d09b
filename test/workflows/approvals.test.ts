import { z } from 'zod';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { Progress } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const MIB = 1_024 * 1_024;

const paid: unknown[] = [];
const pay = defineAction({
  name: 'pay',
  description: 'Pays an amount in cents, from an account.',
  approval: true,
  input: z.object({
    euros: z.number().max(1_000),
    account: z.string().default('main'),
    rate: z.number().transform((rate) => Math.round(rate)),
  }),
  run: (input) => {
    paid.push(input);
    return 'paid';
  },
});
let clock = 0;
const book = defineAction({
  name: 'book',
  description: 'Books at the present time.',
  approval: true,
  input: z.object({ at: z.number().default(() => (clock += 1)) }),
  run: (input) => {
    paid.push(input);
    return 'booked';
  },
});
const write = defineAction({
  name: 'write',
  description: 'Writes a file.',
  approval: true,
  input: z.object({ text: z.string() }),
  run: ({ text }) => {
    paid.push(text.length);
    return 'written';
  },
});

const calls = (name: string, ...given: object[]): ScriptEntry =>
  ({ toolCalls: given.map((each) => ({ name, arguments: each })) }) as ScriptEntry;
const passes = { reply: { pass: true, score: 0.9, issues: [] } };
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', model: 'writer', prompt: 'Pay Ada.', tools: ['pay', 'book', 'write', 'ask_person'] },
  evaluator: { type: 'llm', model: 'judge' },
};

describe('calls that wait for approval, on a real server', () => {
  let world: WriterAndJudge;

  beforeAll(async () => {
    world = await WriterAndJudge.start({ actions: [pay, book, write] });
  });

  beforeEach(() => {
    paid.splice(0);
    world.forget();
  });

  afterAll(() => world.close());

  const start = async (entries: ScriptEntry[], more: Partial<ReflectionSpec> = {}) => {
    world.say([...entries, { reply: 'Done.' }, passes]);
    const { workflowId } = await world.client.start({ ...spec, ...more });
    return workflowId;
  };
  const waiting = async (workflowId: string, id: string): Promise<Progress> =>
    eventually(
      () => world.client.progress(workflowId),
      ({ phase, waitingFor }) => phase === 'waiting' && waitingFor?.waits?.some((wait) => wait.id === id) === true,
    );

  test('a call that waits shows its arguments after `input`, and runs with exactly these', async () => {
    const id = await start([calls('pay', { euros: 20, rate: 1.4, to: 'Ada' })]);
    const { waitingFor } = await waiting(id, 'approval-1');
    expect(waitingFor!.waits![0]!.arguments).toEqual({ euros: 20, account: 'main', rate: 1 });
    await world.client.answer(id, { to: 'approval-1', approve: true });
    await world.client.result(id);
    expect(paid).toEqual([{ euros: 20, account: 'main', rate: 1 }]);
  });

  test('an approved call whose `input` makes other arguments the second time waits again, and is never made unseen', async () => {
    const id = await start([calls('book', {})]);
    const first = await waiting(id, 'approval-1');
    await world.client.answer(id, { to: 'approval-1', approve: true });
    const second = await waiting(id, 'approval-2');
    const at = ({ waitingFor }: Progress) => (waitingFor!.waits![0]!.arguments as { at: number }).at;
    expect(at(second)).toBeGreaterThan(at(first));
    expect(second.waitingFor!.waits![0]!.problem).toContain('made other arguments than were decided about');
    await world.client.answer(id, { to: 'approval-2', refuse: true });
    await world.client.result(id);
    expect(paid).toEqual([]);
  });

  test('an update with arguments that `input` refuses is refused, and the call waits on under the same id', async () => {
    const id = await start([calls('pay', { euros: 20, rate: 1, account: 'main' })]);
    await waiting(id, 'approval-1');
    const changed = { euros: 4_000, rate: 1, account: 'main' };
    await expect(world.client.answer(id, { to: 'approval-1', arguments: changed })).rejects.toMatchObject({
      type: 'CommandRefused',
      message: expect.stringContaining('euros'),
    });
    const { waitingFor } = await world.client.progress(id);
    expect(waitingFor!.waits).toMatchObject([{ id: 'approval-1', arguments: { euros: 20 } }]);
    await world.client.answer(id, { to: 'approval-1', arguments: { ...changed, euros: 40 } });
    const { history } = await world.client.result(id);
    expect(paid).toEqual([{ euros: 40, rate: 1, account: 'main' }]);
    expect(history.versions[0]!.calls).toMatchObject([{ outcome: 'ok', person: { decision: 'changed' } }]);
  });

  test('a change of which `input` makes something else is seen by the person before it runs', async () => {
    const id = await start([calls('pay', { euros: 20, rate: 1, account: 'main' })]);
    await waiting(id, 'approval-1');
    await world.client.answer(id, { to: 'approval-1', arguments: { euros: 30, rate: 2.7 } });
    const { waitingFor } = await waiting(id, 'approval-2');
    expect(waitingFor!.waits![0]!.arguments).toEqual({ euros: 30, account: 'main', rate: 3 });
    expect(paid).toEqual([]);
    await world.client.answer(id, { to: 'approval-2', approve: true });
    const { history } = await world.client.result(id);
    expect(paid).toEqual([{ euros: 30, account: 'main', rate: 3 }]);
    expect(history.versions[0]!.calls).toMatchObject([
      { person: { decision: 'changed', proposed: { euros: 20, rate: 1, account: 'main' } } },
    ]);
  });

  test('the same refused call, and the same question, are answered by the earlier answer; other arguments wait', async () => {
    const question = { question: 'Which Ada?' };
    const id = await start([
      calls('pay', { euros: 20, rate: 1 }),
      calls('pay', { rate: 1, euros: 20 }),
      calls('ask_person', question),
      calls('ask_person', question),
      calls('pay', { euros: 10, rate: 1 }),
    ]);
    await waiting(id, 'approval-1');
    await world.client.answer(id, { to: 'approval-1', refuse: true, reason: 'Never.' });
    await waiting(id, 'question-1');
    await world.client.answer(id, { to: 'question-1', text: 'Lovelace.' });
    await waiting(id, 'approval-2');
    await world.client.answer(id, { to: 'approval-2', approve: true });
    await world.client.result(id);
    world.expectAllSaid();
    expect(paid).toEqual([{ euros: 10, account: 'main', rate: 1 }]);
    const results = requestsOf(world.openai.ledger)
      .at(-2)!
      .body!.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(results.slice(1, 4)).toEqual([results[0], results[2], results[2]]);
    expect([results[0], results[2]]).toEqual([
      expect.stringContaining('a person refused it. Why: Never.'),
      expect.stringContaining('Lovelace.'),
    ]);
  });

  test('a call that was made is put to a person again when the model repeats it', async () => {
    const same = { euros: 20, rate: 1 };
    const id = await start([calls('pay', same), calls('pay', same)]);
    for (const to of ['approval-1', 'approval-2']) {
      await waiting(id, to);
      await world.client.answer(id, { to, approve: true });
    }
    await world.client.result(id);
    expect(paid).toHaveLength(2);
  });

  test('a run continues as new while it waits, before its history is full, and the wait keeps its id', async () => {
    const id = await start([calls('write', { text: 'a' })]);
    await waiting(id, 'approval-1');
    const handle = world.client.temporal.workflow.getHandle(id);
    const { runId } = await handle.describe();
    const wrong = { to: 'approval-1', arguments: { text: 7, filler: 'x'.repeat(63_000) } };
    for (let sent = 0; sent < 45; sent += 1) {
      await expect(world.client.answer(id, wrong)).rejects.toMatchObject({ type: 'CommandRefused' });
    }
    const later = await eventually(
      () => handle.describe(),
      (run) => run.runId !== runId,
    );
    expect(later.historySize).toBeLessThan(4 * MIB);
    const { waitingFor } = await waiting(id, 'approval-1');
    expect(waitingFor!.waits).toHaveLength(1);
    await world.client.answer(id, { to: 'approval-1', approve: true });
    expect(await world.client.result(id)).toMatchObject({ success: true });
    expect(paid).toEqual([1]);
  }, 60_000);
});
