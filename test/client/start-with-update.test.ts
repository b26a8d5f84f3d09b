import { randomUUID } from 'node:crypto';
import { AlreadyEndedError, AlreadyRunningError } from '../../src/loop/errors/call-errors';
import type { FirstCommand } from '../../src/client/start-with-update';
import { CommandRefusedError, InvalidSpecError } from '../../src/loop/errors/errors';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { eventually } from '../../testing/support/eventually';
import { hears } from '../../testing/support/hears';
import { type LoopWorld, startWorld } from '../../testing/support/loop-world';

const spec: ReflectionSpec = {
  generator: { action: 'hears' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['nothing'] } },
  maxIterations: 1,
  review: { when: 'on_exhausted' },
};
const mine = { name: 'override', payload: { output: { mine: true }, by: 'author' } } as const;

describe('a start with a first command', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [hears] });
  });
  afterAll(() => world.close());

  const waiting = (workflowId: string) =>
    eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );

  test('starts the run, which takes the command before all else, and says where it stands', async () => {
    const started = await world.client.startWithUpdate(spec, mine);
    expect(started).toMatchObject({ workflowId: expect.stringMatching(/^reflection-/), progress: { iteration: 0 } });
    await waiting(started.workflowId);
    const [first] = await world.client.history(started);
    expect(first).toMatchObject({ iteration: 1, origin: 'override', output: { mine: true } });
    expect(await world.client.abort(started)).toMatchObject({ convergenceReason: 'aborted' });
  });

  test('of two callers at once one starts the run, and both get an answer of it', async () => {
    const workflowId = randomUUID();
    const call = (text: string) =>
      world.client.startWithUpdate(spec, { name: 'guide', payload: { text, by: text } }, { workflowId });
    const [one, other] = await Promise.all([call('one'), call('other')]);
    expect(one.runId).toBe(other.runId);
    expect([one.progress, other.progress]).toEqual([
      expect.objectContaining({ maxIterations: expect.any(Number) }),
      expect.objectContaining({ maxIterations: expect.any(Number) }),
    ]);
    await world.client.abort(one);
    const { history } = await world.client.result(other);
    expect(new Set(history.people.map(({ by }) => by))).toEqual(new Set(['one', 'other', undefined]));
    expect(history.people).toHaveLength(3);
  });

  test('the same command sent twice by its id takes effect once', async () => {
    const workflowId = randomUUID();
    const command = { name: 'extend', payload: { iterations: 1, id: 'more' } } as const;
    const call = () => world.client.startWithUpdate(spec, command, { workflowId });
    await Promise.all([call(), call()]);
    const progress = await eventually(
      () => world.client.progress(workflowId),
      ({ maxIterations }) => maxIterations > 0,
    );
    expect(progress.maxIterations).toBe(2);
    await world.client.abort(workflowId);
  });

  test('what is wrong is told by a type: the spec, the command, and a run that is there', async () => {
    const { client } = world;
    const wrong = { ...spec, maxIterations: 0 };
    await expect(client.startWithUpdate(wrong, mine)).rejects.toThrow(InvalidSpecError);
    const workflowId = randomUUID();
    const early = client.startWithUpdate(spec, { name: 'accept', payload: {} }, { workflowId });
    await expect(early).rejects.toThrow(new CommandRefusedError('there is no draft to accept yet'));
    await waiting(workflowId);
    const again = client.startWithUpdate(spec, mine, { workflowId, workflowIdConflictPolicy: 'FAIL' });
    await expect(again).rejects.toThrow(AlreadyRunningError);
    await client.abort(workflowId);
    await client.result(workflowId);
    const once = client.startWithUpdate(spec, mine, { workflowId, workflowIdReusePolicy: 'REJECT_DUPLICATE' });
    await expect(once).rejects.toThrow(AlreadyEndedError);
  });

  test.each<[FirstCommand, RegExp]>([
    [{ name: 'accept', payload: {} }, /no draft to accept yet/],
    [{ name: 'reflect', payload: {} }, /no draft to judge yet/],
    [{ name: 'decide', payload: { iteration: 1, decision: 'continue' } }, /no iteration 1 yet/],
    [{ name: 'extend', payload: { tokens: 1 } }, /the spec is being checked/],
    [{ name: 'extend', payload: { usd: 1 } }, /the spec is being checked/],
  ])('a run that it starts refuses %j, and goes on', async (command, why) => {
    const workflowId = randomUUID();
    await expect(world.client.startWithUpdate(spec, command, { workflowId })).rejects.toThrow(why);
    await waiting(workflowId);
    await world.client.abort(workflowId);
  });

  test('an accept that joins a run that waits is answered once it took effect', async () => {
    const { workflowId } = await world.client.start(spec);
    await waiting(workflowId);
    const joined = await world.client.startWithUpdate(spec, { name: 'accept', payload: {} }, { workflowId });
    expect(joined.progress).toMatchObject({ phase: 'done', convergenceReason: 'user_accepted' });
  });
});
