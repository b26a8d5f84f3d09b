import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { show } from '../../src/apps/cli/runs/show';
import { steer } from '../../src/apps/cli/runs/steer';
import { UnexpectedOutputError } from '../../src/loop/errors/errors';
import type { ReflectionResult } from '../../src/loop/contract/results';
import { InProcess } from '../apps/cli/in-process';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';
import type * as own from './own-workflows';
import { answers, bad, good, looped } from './loops';
import { type PluginWorld, startPluginWorld } from './plugin-world';

describe('a worker with the plugin', () => {
  let world: PluginWorld;
  let model: ScriptedOpenAI;

  beforeAll(async () => {
    model = await ScriptedOpenAI.start({ script: [{ reply: 'One poem.' }, { reply: good }] });
    const models = [{ name: 'scripted', baseUrl: model.baseUrl, model: 'scripted' }];
    world = await startPluginWorld({ models, actions: [answers] });
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    await model?.close();
  });

  const execute: PluginWorld['execute'] = (...call) => world.execute(...call);

  test('runs the workflows and activities that it had before', async () => {
    await expect(execute<typeof own.greeting>('greeting', 'Ada')).resolves.toBe('Hello Ada');
  });

  test('runs reflectionLoop too, model calls on their own queue included', async () => {
    const generator = { action: 'llm.call', prompt: 'Describe a person.' } as const;
    const result = await world.client.run({ ...looped([]), generator, corrector: generator });
    expect(result).toMatchObject({ success: true, iterationsUsed: 2, finalOutput: good });
    expect(result.tokenUsage.modelCalls).toBe(2);
    model.assertDone();
  });

  test('a client that is given a schema gives typed outputs', async () => {
    const output = z.object({ name: z.string(), age: z.number() });
    const { finalOutput } = await world.client.run(looped([good]), { output });
    expect(finalOutput?.age.toFixed(1)).toBe('30.0');
    const wrong = world.client.run(looped([good]), { output: z.string() });
    await expect(wrong).rejects.toThrow(UnexpectedOutputError);
  });

  test('reflect() runs loops side by side inside a workflow, and tells its hooks of each', async () => {
    const revised = looped([bad, good], { corrector: { action: 'answers', with: { list: [null, good] } } });
    const { results, notes } = await execute<typeof own.poems>('poems', [looped([bad, good]), revised]);
    expect(results).toMatchObject([
      { success: true, iterationsUsed: 2, finalOutput: good },
      { success: true, iterationsUsed: 2, finalOutput: good },
    ]);
    expect(notes).toEqual([
      ['draft 1', 'FAIL! 1', 'regeneration 2', 'PASS! 2'],
      ['draft 1', 'FAIL! 1', `revision 2: ${JSON.stringify([bad, good])}`, 'PASS! 2'],
    ]);
  });

  test('loops of one workflow are told apart in its timeline by their names', async () => {
    const workflowId = `named-${randomUUID()}`;
    const hooked = looped([good], { name: 'dog', hooks: { onGeneration: 'answers' } });
    const specs = [
      looped([bad, good], { name: 'cat' }),
      hooked,
      looped([good]),
      looped([good], { name: 'ox '.repeat(60) }),
    ];
    const handle = await world.temporal.workflow.start('poems', {
      taskQueue: world.taskQueue,
      workflowId,
      args: [specs],
    });
    await handle.result();
    const { events } = await handle.fetchHistory();
    const summaries = events!.flatMap(({ userMetadata }) => {
      const data = userMetadata?.summary?.data;
      return data ? [JSON.parse(Buffer.from(data).toString()) as string] : [];
    });
    const of = (name: string) => summaries.filter((summary) => summary.startsWith(name));
    expect(of('cat')).toEqual([
      'cat · prepare',
      'cat · #1 draft',
      'cat · #1 evaluate · schema',
      'cat · #2 regeneration',
      'cat · #2 evaluate · schema',
    ]);
    expect(of('dog')).toEqual([
      'dog · prepare',
      'dog · #1 draft',
      'dog · #1 onGeneration · answers',
      'dog · #1 evaluate · schema',
    ]);
    expect([...of('prepare'), ...of('#')]).toEqual(['prepare', '#1 draft', '#1 evaluate · schema']);
    expect(of('ox')[0]).toBe(`${'ox '.repeat(13)}… · prepare`);
  });

  test('onReflection overrules the loop', async () => {
    const spec = looped([good, bad, bad]);
    const result = await execute<typeof own.ruled>('ruled', spec, ['continue', 'stop']);
    expect(result).toMatchObject({ convergenceReason: 'stopped', success: true, finalOutput: good, iterationsUsed: 2 });
    const unclear = execute<typeof own.ruled>('ruled', spec, ['maybe' as 'auto']);
    await expect(unclear).rejects.toMatchObject({ cause: { type: 'InvalidHook', message: /"maybe"/ } });
  });

  test('what a hook of a workflow throws ends the loop, and comes out of reflect()', async () => {
    await expect(execute<typeof own.throwing>('throwing', looped([good]))).resolves.toMatch(/^Enough: no more poems/);
  });

  test('a workflow can catch what its loop fails with', async () => {
    const raised = await execute<typeof own.caught>('caught', looped([bad], { maxIterations: 1, onFailure: 'raise' }));
    expect(raised).toMatch(/^ReflectionFailedError: .*"history":\[\{"iteration":1/);
    const refused = await execute<typeof own.caught>('caught', { ...looped([]), generator: { action: 'nobody' } });
    expect(refused).toMatch(/^UnknownAction: .*"path":"\/generator\/action"/s);
    const endless = await execute<typeof own.caught>('caught', looped([good], { maxIterations: 201 }));
    expect(endless).toMatch(/^InvalidSpec: .*"path":"\/maxIterations"/s);
  });

  test('a loop ends with the scope that it was started in', async () => {
    await expect(execute<typeof own.impatient>('impatient', looped([null]))).resolves.toBe('GAVE UP!');
  });

  test('a workflow may serve the messages of its loop beside its own', async () => {
    const workflowId = `steered-${randomUUID()}`;
    const handle = await world.temporal.workflow.start('steered', {
      taskQueue: world.taskQueue,
      workflowId,
      args: [looped([bad, null])],
    });
    await eventually(
      () => handle.query<string>('shelf'),
      (shelf) => shelf === 'iteration 1, 1 judged',
    );
    await expect(world.client.accept(workflowId, { iteration: 7 })).rejects.toThrow('not the current one');
    // It cannot continue as new, and takes no more iterations than fit into one history.
    await expect(world.client.extend(workflowId, { iterations: 200 })).rejects.toThrow(
      /a loop inside another workflow makes at most 200 versions, and this one may make \d$/,
    );
    // From the command line, too.
    const terminal = new InProcess({ address: testAddress(), client: world });
    expect(await terminal.printed(() => steer('accept', workflowId, { by: 'reviewer' }))).toContain(workflowId);
    terminal.close();
    const result = (await handle.result()) as ReflectionResult;
    expect(result).toMatchObject({ convergenceReason: 'user_accepted', finalOutput: bad });
    expect(result.history.people).toMatchObject([{ name: 'accept', by: 'reviewer', applied: true }]);
  });

  test('signals of a workflow’s own are its own, whatever they are called and whenever it takes them', async () => {
    const workflowId = `listening-${randomUUID()}`;
    const handle = await world.temporal.workflow.start('listening', {
      taskQueue: world.taskQueue,
      workflowId,
      args: [looped([bad, null])],
    });
    await eventually(
      () => world.client.progress(workflowId),
      ({ iteration }) => iteration === 1,
    );
    await handle.signal('abort-all', 'later');
    await handle.signal('Accept', 'mine');
    await expect(handle.executeUpdate('acept')).rejects.toThrow();
    await handle.signal('accept');
    await expect(handle.result()).resolves.toEqual({ heard: ['before: mine', 'after: later'], people: ['accept'] });
  });

  test('reflect show knows a workflow that hands back something else than its loop does', async () => {
    const workflowId = `listening-${randomUUID()}`;
    const place = { taskQueue: world.taskQueue, workflowId };
    await world.temporal.workflow.execute('listening', { ...place, args: [looped([bad, good])] });
    const terminal = new InProcess({ address: testAddress(), client: world });
    const shown = await terminal.printed(() => show(workflowId, {}));
    const output = await terminal.printed(() => show(workflowId, { output: true }));
    terminal.close();
    expect(shown).toMatch(/completed, .*2 ★ +✓ pass.*Result\n\{\n {2}"heard": \[\],\n {2}"people": \[\]\n\}$/s);
    expect(JSON.parse(output)).toEqual(good);
  });

  test('a workflow may give its loop commands itself', async () => {
    await expect(execute<typeof own.acceptsItself>('acceptsItself', looped([bad, good]))).resolves.toEqual({
      refused: 'there is no iteration 9 yet',
      convergenceReason: 'user_accepted',
      finalOutput: bad,
    });
  });

  test('a workflow may hand on to its loop whatever it is asked to: what is no command is refused, and fails nothing', async () => {
    const { refused, result } = await execute<typeof own.handsOn>('handsOn', looped([null]), [
      ['acept'],
      ['constructor', { by: 'reviewer' }],
      ['abort', { by: 'reviewer' }],
    ]);
    expect(refused).toEqual([
      expect.stringMatching(/^there is no command "acept" \(did you mean accept\?\): a loop takes /),
      expect.stringMatching(/^there is no command "constructor"/),
      null,
    ]);
    expect(result).toMatchObject({ convergenceReason: 'aborted' });
    expect(result.history.people).toMatchObject([{ name: 'abort', by: 'reviewer', applied: true }]);
  });

  test('the search attributes and the details of the run stay those of its workflow', async () => {
    const workflowId = `caught-${randomUUID()}`;
    const handle = await world.temporal.workflow.start('caught', {
      taskQueue: world.taskQueue,
      workflowId,
      args: [looped([good])],
    });
    await handle.result();
    const { events } = await handle.fetchHistory();
    const set = events?.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upserted }) =>
      Object.keys(upserted?.searchAttributes?.indexedFields ?? {}),
    );
    // The SDK's own, for the mark of the rules: like any `patched`.
    expect(set).toEqual(['TemporalChangeVersion']);
  });
});
