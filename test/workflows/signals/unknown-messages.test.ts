import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CommandRefusedError } from '../../../src/loop/errors/errors';
import type { Progress } from '../../../src/loop/contract/results';
import { defineAction } from '../../../src/worker';
import { sendCommand } from '../../../src/calls/send-command';
import { eventually } from '../../../testing/support/eventually';
import { type LoopWorld, startWorld } from '../../../testing/support/loop-world';
import { pageOf } from '../../../testing/support/page-of';

const writes = defineAction({
  name: 'writes',
  description: 'Writes what does not pass.',
  input: z.unknown(),
  run: () => ({}),
});

const spec = {
  generator: { action: 'writes' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 1,
  review: { when: 'on_exhausted' },
} as const;

describe('messages under a name that the run does not know', () => {
  let world: LoopWorld;
  beforeAll(async () => {
    world = await startWorld({ actions: [writes] });
  });
  afterAll(() => world.close());

  const handle = (id: string) => world.client.temporal.workflow.getHandle(id);

  async function waiting(): Promise<string> {
    const { workflowId } = await world.client.start(spec as never);
    await eventually(
      () => world.client.progress(workflowId),
      ({ phase }: Progress) => phase === 'waiting',
    );
    return workflowId;
  }

  test('a mistyped signal changes nothing, and the page says which commands there are', async () => {
    const id = await waiting();
    await handle(id).signal('Accept', { by: 'reviewer' });
    await handle(id).signal('stop');
    const page = await eventually(
      () => pageOf(handle(id)),
      (text) => text.includes('stop'),
    );
    expect(page).toMatch(
      /`Accept` by reviewer|`Accept` \(signal\) refused: there is no command "Accept" \\\(did you mean accept\?/,
    );
    expect(page).toMatch(/`stop` \(signal\) refused: there is no command "stop" \\\(did you mean abort\?/);
    expect(page).toContain('**It waits for you until ');
    await handle(id).signal('accept', { by: 'reviewer' });
    const { history, convergenceReason } = await world.client.result(id);
    expect(convergenceReason).toBe('user_accepted');
    expect(history.people.map(({ name, applied }) => [name, applied])).toEqual([
      ['Accept', false],
      ['stop', false],
      ['accept', true],
    ]);
    expect(history.people[0]).toMatchObject({ payload: { by: 'reviewer' }, via: 'signal' });
  });

  test('a mistyped update is refused with the same sentence', async () => {
    const id = await waiting();
    const refused = sendCommand(world.client.temporal, id, 'acept' as never, {} as never, {});
    await expect(refused).rejects.toThrow(CommandRefusedError);
    await expect(handle(id).executeUpdate('acept', { args: [{}] })).rejects.toMatchObject({
      cause: {
        message: expect.stringMatching(/^there is no command "acept" \(did you mean accept\?\): a loop takes accept,/),
      },
    });
    await world.client.abort(id);
    expect((await world.client.result(id)).history.people).toMatchObject([{ name: 'abort' }]);
  });

  test('a signal that came before the run began is noted, too', async () => {
    const { taskQueue, temporal: client } = world.client;
    const id = `early-${randomUUID()}`;
    await client.workflow.signalWithStart('reflectionLoop', {
      taskQueue,
      workflowId: id,
      args: [{ ...spec, review: { when: 'never' } }],
      signal: 'acept',
    });
    expect((await world.client.result(id)).history.people).toMatchObject([{ name: 'acept', applied: false }]);
  });

  /** As the form of the Web UI, or a program, sends a signal; no client of ours writes such payloads. */
  async function sendRaw(id: string, signalName: string, encoding: string, data: string): Promise<void> {
    const metadata = { encoding: Buffer.from(encoding) };
    await world.client.temporal.connection.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: id },
      signalName,
      input: { payloads: [{ metadata, data: Buffer.from(data) }] },
    });
  }

  test('the other encoding that the form of the Web UI offers is read as the JSON that it is', async () => {
    const id = await waiting();
    await sendRaw(id, 'accept', 'json/protobuf', '{"by":"reviewer"}');
    const { convergenceReason, history } = await world.client.result(id);
    expect([convergenceReason, history.people[0]]).toEqual([
      'user_accepted',
      expect.objectContaining({ by: 'reviewer' }),
    ]);
  });

  test('a payload that nobody can read is refused, and the run goes on', async () => {
    const id = await waiting();
    await sendRaw(id, 'acept', 'binary/odd', 'x');
    await sendRaw(id, 'accept', 'binary/odd', 'x');
    await sendRaw(id, 'accept', 'json/plain', '{"by": you}');
    await world.client.abort(id);
    const { convergenceReason, history } = await world.client.result(id);
    expect(convergenceReason).toBe('aborted');
    expect(history.people.map(({ payload, why }) => [payload, why]).slice(0, 3)).toEqual([
      [
        '(a payload of the encoding "binary/odd" that cannot be read)',
        expect.stringMatching(/there is no command "acept"/),
      ],
      [
        '(a payload of the encoding "binary/odd" that cannot be read)',
        expect.stringMatching(/^accept takes an object/),
      ],
      [
        '(a payload of the encoding "json/plain" that cannot be read)',
        expect.stringMatching(/^accept takes an object/),
      ],
    ]);
  });

  test('a reserved name of Temporal has no effect', async () => {
    const id = await waiting();
    await handle(id).signal('__temporal_accept');
    await world.client.abort(id);
    expect(await world.client.result(id)).toMatchObject({
      convergenceReason: 'aborted',
      history: {
        people: [
          { name: 'temporal_accept', applied: false },
          { name: 'abort', applied: true },
        ],
      },
    });
  });

  test('a command that is sent to a plan instead of to its loop is on its page, with the id of the loop', async () => {
    const { taskQueue, temporal: client } = world.client;
    const workflowId = `plan-${randomUUID()}`;
    const plan = { id: 'p', tasks: [{ id: 'a', description: 'Write', step: { loop: spec } }] };
    await client.workflow.start('planReflection', {
      taskQueue,
      workflowId,
      args: [{ goal: 'g', plan, enableReflection: false }],
    });
    const { tasks } = await eventually(
      () => world.client.plans.progress(workflowId),
      (progress) => progress.tasks[0]?.workflowId !== undefined,
    );
    const loopId = tasks[0]!.workflowId!;
    await eventually(
      () => world.client.progress(loopId).catch(() => undefined),
      (progress) => progress?.phase === 'waiting',
    );
    await handle(workflowId).signal('accept', { by: 'reviewer' });
    const page = await eventually(
      () => pageOf(handle(workflowId)),
      (text) => text.includes('was refused'),
    );
    expect(page).toContain(
      `- accept was refused: a plan takes no commands: send it to its loop "${loopId}", or cancel`,
    );
    await expect(handle(workflowId).executeUpdate('accept')).rejects.toMatchObject({
      cause: { message: expect.stringContaining(`send it to its loop "${loopId}"`) },
    });
    await world.client.accept(loopId);
    await handle(workflowId).result();
  });

  test('a mistyped finish of a population stands on its page', async () => {
    const { taskQueue, temporal: client } = world.client;
    const workflowId = `agents-${randomUUID()}`;
    const population = { agents: [{ id: 'a', type: 'town' }], config: { reflection: { method: 'template' } } };
    await client.workflow.start('agentReflection', { taskQueue, workflowId, args: [population] });
    await handle(workflowId).signal('Finish');
    const page = await eventually(
      () => pageOf(handle(workflowId)),
      (text) => text.includes('Finish'),
    );
    expect(page).toContain(
      '- refused: there is no command "Finish" \\(did you mean finish?\\): a population takes finish',
    );
    await expect(handle(workflowId).executeUpdate('triger')).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/did you mean trigger\?/) },
    });
    await handle(workflowId).signal('finish');
    await handle(workflowId).result();
  });
});
