import { z } from 'zod';
import type { Json } from '../../src/lib/json/json';
import type { Progress } from '../../src/loop/contract/results';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defineAction } from '../../src/worker';
import { eventually } from '../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const DAY_MS = 24 * 60 * 60 * 1_000;

const passing = { done: true };

/** Gives what the spec lists, then repeats its last; says what the reviewer said. */
const writes = defineAction({
  name: 'writes',
  description: 'Gives the outputs that its parameters list.',
  input: z.object({ list: z.array(z.unknown()), failAt: z.number().optional() }),
  run: ({ list, failAt }, { iteration, state }) => {
    if (iteration === failAt && state['reflection_guidance'] === undefined) throw new Error('no ideas left');
    const heard = state['reflection_guidance'];
    const output = (list[iteration - 1] ?? list.at(-1)) as { [key: string]: Json };
    return heard === undefined ? output : { ...output, heard };
  },
});

/** Never answers, until its run gives it up. */
const hangs = defineAction({
  name: 'hangs',
  description: 'Drafts, and then never answers.',
  input: z.unknown(),
  run: (_input, { iteration, signal }) =>
    iteration === 1
      ? { almost: true }
      : new Promise<Json>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
});

function spec(list: Json[], more: Partial<ReflectionSpec> & { failAt?: number } = {}): ReflectionSpec {
  const { failAt, ...rest } = more;
  return {
    generator: { action: 'writes', with: { list, ...(failAt === undefined ? {} : { failAt }) } },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
    maxIterations: 2,
    ...rest,
  };
}

const stuck: ReflectionSpec = { ...spec([]), generator: { action: 'hangs' }, maxIterations: 5 };
const exhausted = { review: { when: 'on_exhausted' } } as const;

describe('people steer a loop', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [writes, hangs] });
  });
  afterAll(() => world.close());

  async function start(given: ReflectionSpec): Promise<string> {
    return (await world.client.start(given)).workflowId;
  }

  const handle = (id: string) => world.client.temporal.workflow.getHandle(id);
  const tell = (id: string, name: string, payload: object) => handle(id).executeUpdate(name, { args: [payload] });

  async function waiting(id: string, iteration: number) {
    return eventually(
      () => world.client.progress(id),
      (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
    );
  }

  const revising = (id: string) =>
    eventually(
      () => world.client.progress(id),
      ({ phase, iteration }) => phase === 'generating' && iteration === 1,
    );

  test('a loop that waits for a review says for what and until when, and accept ends it', async () => {
    const id = await start(spec([{}], exhausted));
    const { waitingFor } = await waiting(id, 2);
    expect(waitingFor?.what).toContain('max_iterations');
    expect(Date.parse(waitingFor!.until) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
    const page = await handle(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(page.currentDetails).toContain('**It waits for you until ');
    // Both are as good, so the first is shown, and is what `accept` takes.
    expect(waitingFor).toMatchObject({ version: 1, failedChecks: ['schema'] });
    expect(page.currentDetails).toContain(
      '`accept` `{"by":"you","iteration":1}` ends with this version, although it fails `schema`',
    );
    await tell(id, 'accept', { by: 'reviewer' });
    expect(await world.client.result(id)).toMatchObject({
      success: true,
      convergenceReason: 'user_accepted',
      history: { finalIteration: 1, people: [{ name: 'accept', version: 1, failedChecks: ['schema'] }] },
    });
  });

  test('the run list shows who waits', async () => {
    const id = await start(spec([{}], exhausted));
    await waiting(id, 2);
    const status = async () => {
      for await (const entry of world.client.list({ query: `WorkflowId = '${id}'` })) return entry.status;
      return undefined;
    };
    expect(await eventually(status, (each) => each === 'waiting')).toBe('waiting');
    await tell(id, 'abort', {});
    expect(await eventually(status, (each) => each === 'aborted')).toBe('aborted');
  });

  test.each([
    ['accept', { convergenceReason: 'review_timeout', success: true, exhausted: false }],
    ['stop', { convergenceReason: 'max_iterations', success: false, exhausted: true }],
  ] as const)('a review that nobody answers: onTimeout %s', async (onTimeout, expected) => {
    const id = await start(spec([{}], { review: { when: 'on_exhausted', timeout: 400, onTimeout } }));
    expect(await world.client.result(id)).toMatchObject(expected);
  });

  test('a review that nobody answers: onTimeout fail fails the run, passing version or not', async () => {
    const review = { when: 'on_satisfactory', timeout: 400, onTimeout: 'fail' } as const;
    const id = await start(spec([passing], { review }));
    await expect(world.client.result(id)).rejects.toThrow(/Nobody answered the review in time: quality_met/);
  });

  test('guide lets a waiting loop go on past a pass, and the revision is told, once', async () => {
    const review = { when: 'on_satisfactory' } as const;
    const id = await start(spec([passing], { review, maxIterations: 4 }));
    await waiting(id, 1);
    await tell(id, 'guide', { text: 'Name the source.', by: 'reviewer' });
    await waiting(id, 2);
    await tell(id, 'decide', { iteration: 2, decision: 'continue' });
    await waiting(id, 3);
    await tell(id, 'decide', { iteration: 3, decision: 'auto' });
    const { history, convergenceReason } = await world.client.result(id);
    expect(convergenceReason).toBe('quality_met');
    expect(history.versions.map(({ output }) => output)).toEqual([
      passing,
      { ...passing, heard: 'Name the source.' },
      passing,
    ]);
    expect(history.people).toMatchObject([
      { name: 'guide', by: 'reviewer', payload: { text: 'Name the source.' }, via: 'update', applied: true },
      { name: 'decide', applied: true },
      { name: 'decide', applied: true },
    ]);
  });

  test('guide at a limit says that it waits for another revision, which hears of it once the limit is extended', async () => {
    const id = await start(spec([{}], exhausted));
    await waiting(id, 2);
    const answer = (await tell(id, 'guide', { text: 'Name the source.' })) as Progress;
    expect(answer.waitingFor?.what).toMatch(/max_iterations; what it was told waits for another revision: extend it\)/);
    await expect(tell(id, 'decide', { iteration: 1, decision: 'stop' })).rejects.toThrow();
    const page = await handle(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(page.currentDetails).toMatch(/What it was told waits for another revision: extend the limit/);
    expect(page.currentDetails).toContain('"decision":"stop","by":"you"}` ends');
    await tell(id, 'extend', { iterations: 1 });
    const { waitingFor } = await waiting(id, 3);
    expect(waitingFor?.what).toBe("a person's review of version 3 (it would end with max_iterations)");
    await tell(id, 'abort', {});
    const { history } = await world.client.result(id);
    expect(history.versions.at(-1)!.output).toEqual({ heard: 'Name the source.' });
  });

  test('override is judged, past maxIterations too', async () => {
    const id = await start(spec([{}], exhausted));
    await waiting(id, 2);
    await tell(id, 'override', { output: { wrong: true } });
    await waiting(id, 3);
    await tell(id, 'override', { output: passing, by: 'reviewer' });
    const result = await world.client.result(id);
    expect(result).toMatchObject({ success: true, convergenceReason: 'quality_met', finalOutput: passing });
    expect(result.history.versions.map(({ origin }) => origin)).toEqual([
      'draft',
      'regeneration',
      'override',
      'override',
    ]);
    expect(result.history.people[1]).toMatchObject({ name: 'override', payload: { by: 'reviewer', outputBytes: 13 } });
  });

  test('override replaces the call in flight, whose iteration is not counted', async () => {
    const id = await start(stuck);
    await revising(id);
    await tell(id, 'override', { output: passing });
    const result = await world.client.result(id);
    expect(result).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2, finalOutput: passing });
  });

  test('extend raises the limit of a loop that waits at it', async () => {
    const id = await start(spec([{}, {}, passing], exhausted));
    await waiting(id, 2);
    await expect(tell(id, 'decide', { iteration: 2, decision: 'continue' })).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/reached its limit \(max_iterations\)/) },
    });
    expect(await tell(id, 'extend', { iterations: 1 })).toMatchObject({ maxIterations: 3 });
    expect(await world.client.result(id)).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 3 });
  });

  test('after a failure a guide makes the loop try again', async () => {
    const id = await start(spec([{}, passing], { ...exhausted, failAt: 2 }));
    expect((await waiting(id, 1)).waitingFor?.what).toContain('error');
    await tell(id, 'guide', { text: 'Think of the sea.' });
    expect(await world.client.result(id)).toMatchObject({ convergenceReason: 'quality_met', iterationsUsed: 2 });
  });

  test('decide overrules the loop: stop ends it as stopped, a success only if a version passed', async () => {
    const failing = await start(spec([{}], { review: { when: 'every_iteration' } }));
    await waiting(failing, 1);
    await tell(failing, 'decide', { iteration: 1, decision: 'stop', by: 'reviewer' });
    expect(await world.client.result(failing)).toMatchObject({ convergenceReason: 'stopped', success: false });

    const good = await start(spec([passing], { review: { when: 'on_satisfactory' } }));
    await waiting(good, 1);
    await tell(good, 'decide', { iteration: 1, decision: 'stop' });
    expect(await world.client.result(good)).toMatchObject({ convergenceReason: 'stopped', success: true });
  });

  test('decide stop ends a revision under way; a stale one is refused', async () => {
    const id = await start(stuck);
    await revising(id);
    await expect(tell(id, 'decide', { iteration: 7, decision: 'stop' })).rejects.toMatchObject({
      cause: { message: 'iteration 7 is not the current one, which is 1' },
    });
    await tell(id, 'decide', { iteration: 1, decision: 'stop' });
    expect(await world.client.result(id)).toMatchObject({ convergenceReason: 'stopped', iterationsUsed: 1 });
  });

  test('reflect judges the version again; that version is not counted twice', async () => {
    const id = await start(spec([{}], exhausted));
    await waiting(id, 2);
    await tell(id, 'reflect', { by: 'reviewer' });
    await eventually(
      async () => (await world.client.history(id)).at(-1),
      (version) => version?.iteration === 2 && version.trigger === 'manual',
    );
    await waiting(id, 2);
    await tell(id, 'accept', {});
    const { history } = await world.client.result(id);
    expect(history.versions.map(({ trigger }) => trigger)).toEqual(['completion', 'manual']);
  });

  test('a refused signal changes nothing and is noted with the reason; an unused guide is noted as such', async () => {
    const id = await start(spec([{}], exhausted));
    await waiting(id, 2);
    for (const [name, payload] of [
      ['guide', { text: ' ' }],
      ['override', {}],
      ['extend', { tokens: 5 }],
      ['decide', { iteration: 1, decision: 'stop' }],
      ['guide', { text: 'too late' }],
      ['abort', undefined],
    ] as const)
      await handle(id).signal(name, payload);
    const { history, convergenceReason } = await world.client.result(id);
    expect(convergenceReason).toBe('aborted');
    expect(history.people.map(({ name, applied, why }) => [name, applied, why])).toEqual([
      ['guide', false, 'guide.text must be a text of 1 to 16000 characters'],
      ['override', false, expect.stringContaining('override needs "output"')],
      ['extend', false, 'the run has no limit of tokens to extend'],
      ['decide', false, 'iteration 1 is not the current one, which is 2'],
      ['guide', false, 'the run ended before another revision'],
      ['abort', true, undefined],
    ]);
  });
});
