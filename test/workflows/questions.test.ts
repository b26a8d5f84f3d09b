import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import type { Progress } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { pageOf } from '../../testing/support/page-of';
import { WriterAndJudge } from '../../testing/support/writer-and-judge';

const paid: number[] = [];
const pay = defineAction({
  name: 'pay',
  description: 'Pays an amount.',
  input: z.object({ amount: z.number().max(100) }),
  approval: ({ amount }) => amount > 10,
  run: ({ amount }) => {
    paid.push(amount);
    return `paid ${amount}`;
  },
});
const search = defineAction({
  name: 'search',
  description: 'Finds pages.',
  input: z.object({ words: z.string() }),
  run: ({ words }) => `all about ${words}`,
});

const tool = (name: string, given: object) => ({ name, arguments: given });
const asks = (question: string, ...options: string[]) =>
  tool('ask_person', { question, ...(options.length > 0 && { options }) });
const calls = (...toolCalls: ReturnType<typeof tool>[]): ScriptEntry => ({ toolCalls }) as ScriptEntry;
const passes = { reply: { pass: true, score: 0.9, issues: [] } };
const spec: ReflectionSpec = {
  generator: { action: 'llm.call', model: 'writer', prompt: 'Write to Ada.', tools: ['search', 'pay', 'ask_person'] },
  evaluator: { type: 'llm', model: 'judge' },
};

describe('steps that ask a person, on a real server', () => {
  let world: WriterAndJudge;
  const deployment = { name: `asks-${randomUUID()}`, buildId: 'one' };

  beforeAll(async () => {
    // A run of a worker with a version continues as new before it first waits for a person.
    world = await WriterAndJudge.start({ actions: [search, pay], deployment });
    const { connection, options } = world.client.temporal;
    const request = { namespace: options.namespace, deploymentName: deployment.name, buildId: deployment.buildId };
    await eventually(
      () =>
        connection.workflowService.setWorkerDeploymentCurrentVersion(request).catch((error: Error) => error.message),
      (answer) => typeof answer !== 'string',
    );
  });

  beforeEach(() => {
    paid.splice(0);
    world.forget();
  });

  afterAll(() => world.close());

  const start = async (entries: ScriptEntry[], more: Partial<ReflectionSpec> = {}) => {
    world.say(entries);
    return world.client.start({ ...spec, ...more });
  };
  const waiting = async (workflowId: string, id: string): Promise<Progress> =>
    eventually(
      () => world.client.progress(workflowId),
      ({ phase, waitingFor }) => phase === 'waiting' && waitingFor?.waits?.some((wait) => wait.id === id) === true,
    );
  const latestRun = async (workflowId: string): Promise<string> =>
    (await world.client.temporal.workflow.getHandle(workflowId).describe()).runId;
  const results = (): unknown[] =>
    world
      .bodies()
      .at(-2)!
      .messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);

  test('an author who asks twice, over a continue-as-new: each answer continues the same conversation', async () => {
    const { workflowId: id, runId } = await start([
      calls(asks('Which Ada?', 'Lovelace', 'Yonath'), tool('search', { words: 'Ada' })),
      calls(asks('Formal?')),
      { reply: 'Dear Ms Lovelace' },
      passes,
    ]);
    const first = await waiting(id, 'question-1');
    expect(first).toMatchObject({
      phase: 'waiting',
      iteration: 0,
      waitingFor: {
        id: 'question-1',
        kind: 'question',
        what: "a person's answer to 1 question: Which Ada?",
        waits: [{ id: 'question-1', kind: 'question', question: 'Which Ada?', options: ['Lovelace', 'Yonath'] }],
      },
    });
    expect(first.waitingFor!.commands.map(({ name }) => name)).toEqual(['answer', 'guide', 'override', 'abort']);
    const details = await pageOf(world.client.temporal.workflow.getHandle(id));
    expect(details).toMatch(/\*\*Waiting for the answer of a person · at most 3 versions\*\*/);
    expect(details).toMatch(/\*\*`question-1`\*\* Which Ada\?\n\n- Lovelace\n- Yonath\n/);
    expect(details).toContain('- `answer` `{"to":"question-1","text":"your answer","by":"you"}`');
    const second = await latestRun(id);
    expect(second).not.toBe(runId);
    await expect(world.client.answer(id, { to: 'question-2', text: 'x' })).rejects.toThrow(
      '"question-2" is not what the run waits for: what it waits for is "question-1"',
    );
    await expect(world.client.answer(id, { to: 'question-1', approve: true })).rejects.toThrow(
      '"question-1" is a question: answer it with "text"',
    );
    expect(await world.client.answer(id, { to: 'question-1', text: 'Lovelace', by: 'Kim', id: 'a1' })).toMatchObject({
      iteration: 0,
    });
    await waiting(id, 'question-2');
    // Sent once more, it has no effect.
    await world.client.answer(id, { to: 'question-1', text: 'Yonath', by: 'Kim', id: 'a1' });
    await world.client.answer(id, { to: 'question-2', text: 'Yes', by: 'Robin' });
    const result = await world.client.result(id);
    world.expectAllSaid();
    expect(result).toMatchObject({ success: true, finalOutput: 'Dear Ms Lovelace', tokenUsage: { modelCalls: 4 } });
    expect(await latestRun(id)).toBe(second);
    expect(results()).toEqual([
      expect.stringMatching(/^A person says, and has the last word:\n<<<RESULT \w+\nLovelace\n/),
      expect.stringMatching(/^<<<RESULT \w+\nall about Ada\n/),
      expect.stringMatching(/\nYes\n/),
    ]);
    expect(result.history.versions[0]!.calls).toMatchObject([
      { name: 'search', outcome: 'ok' },
      { name: 'ask_person', result: 'Lovelace', outcome: 'ok', person: { decision: 'answered', by: 'Kim' } },
      { name: 'ask_person', result: 'Yes', person: { decision: 'answered', by: 'Robin' } },
    ]);
    expect(result.history.people.map(({ name, by, applied }) => [name, by, applied])).toEqual([
      ['answer', 'Kim', true],
      ['answer', 'Robin', true],
    ]);
  });

  test('calls that need approval: one is made, one refused, one changed, and a wrong change is asked again', async () => {
    const { workflowId: id } = await start([
      calls(
        tool('pay', { amount: 5 }),
        tool('pay', { amount: 20 }),
        tool('pay', { amount: 30 }),
        tool('pay', { amount: 40 }),
      ),
      { reply: 'Paid.' },
      passes,
    ]);
    const { waitingFor } = await waiting(id, 'approval-3');
    expect(waitingFor).toMatchObject({
      kind: 'approval',
      what: "a person's approval of 3 calls: pay (approved calls are made once nothing else is open)",
      waits: [20, 30, 40].map((amount, index) => ({ id: `approval-${index + 1}`, arguments: { amount } })),
    });
    expect(paid).toEqual([5]);
    // An update with it would be refused; a signal has no answer.
    const run = world.client.temporal.workflow.getHandle(id);
    await run.signal('answer', { to: 'approval-3', arguments: { amount: 4_000 }, by: 'Kim' });
    await world.client.answer(id, { to: 'approval-2', refuse: true, reason: 'Not this month.', by: 'Kim' });
    await expect(world.client.answer(id, { to: 'approval-2', approve: true })).rejects.toThrow(
      '"approval-2" is answered already: Kim did at',
    );
    await world.client.answer(id, { to: 'approval-1', approve: true, by: 'Kim' });
    const again = await waiting(id, 'approval-4');
    expect(again.waitingFor!.waits).toEqual([
      {
        id: 'approval-4',
        kind: 'approval',
        action: 'pay',
        arguments: { amount: 40 },
        problem: expect.stringContaining('amount'),
      },
    ]);
    expect(paid).toEqual([5, 20]);
    await world.client.answer(id, { to: 'approval-4', arguments: { amount: 15 }, reason: 'Less.', by: 'Robin' });
    const result = await world.client.result(id);
    world.expectAllSaid();
    expect(paid).toEqual([5, 20, 15]);
    expect(results()).toEqual([
      expect.stringContaining('paid 5'),
      expect.stringContaining('paid 20'),
      expect.stringContaining('This call was not made: a person refused it. Why: Not this month.'),
      expect.stringContaining('A person changed the arguments of this call to {"amount":15}. Why: Less.'),
    ]);
    const made = result.history.versions[0]!.calls!.map(({ arguments: given, outcome, person }) => [
      given,
      outcome,
      person?.decision,
    ]);
    expect(made).toEqual([
      [{ amount: 5 }, 'ok', undefined],
      [{ amount: 20 }, 'ok', 'approved'],
      [{ amount: 30 }, 'not_made', 'refused'],
      [{ amount: 15 }, 'ok', 'changed'],
    ]);
    expect(result.history.people.filter(({ applied }) => !applied)).toMatchObject([
      { name: 'answer', why: expect.stringContaining('amount') },
    ]);
  });

  test('without an answer in time, the default answer counts, and a call is not made', async () => {
    const questions = { timeout: '1s', defaultAnswer: 'Ada Lovelace.' };
    const { workflowId: id } = await start(
      [calls(asks('Which Ada?'), tool('pay', { amount: 50 })), { reply: 'Dear Ada' }, passes],
      {
        questions,
      },
    );
    expect(await world.client.result(id)).toMatchObject({ success: true, finalOutput: 'Dear Ada' });
    expect(paid).toEqual([]);
    expect(results()).toEqual([
      expect.stringContaining('Ada Lovelace.'),
      expect.stringContaining('This call was not made: no person approved it within 1 second.'),
    ]);
  });
});
