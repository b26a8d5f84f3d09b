import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Command } from 'commander';
import { ReflectionClient } from '../../../../src/client';
import { list } from '../../../../src/apps/cli/commands/list';
import { followRun } from '../../../../src/apps/cli/follow/follow';
import { show } from '../../../../src/apps/cli/runs/show';
import { reportError } from '../../../../src/apps/cli/support/report-error';
import { steeringCommands } from '../../../../src/apps/cli/program/steering-commands';
import type { ReflectionSpec } from '../../../../src/loop/contract/spec';
import { eventually } from '../../../../testing/support/eventually';
import { hears } from '../../../../testing/support/hears';
import { type LoopWorld, startWorld } from '../../../../testing/support/loop-world';
import { reflect } from '../reflect-command';

const spec: ReflectionSpec = {
  generator: { action: 'hears' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['signed'] } },
  maxIterations: 1,
  convergence: false,
  review: { when: 'on_exhausted' },
};

describe('what a person sends with reflect', () => {
  let world: LoopWorld;
  let folder: string;
  let id: string;
  let printed: string[] = [];

  beforeAll(async () => {
    world = await startWorld({ actions: [hears] });
    folder = mkdtempSync(join(tmpdir(), 'reflect-steer-'));
    process.env['TEMPORAL_ADDRESS'] = world.address;
    process.env['REFLECT_TASK_QUEUE'] = world.client.taskQueue;
    id = (await world.client.start(spec)).workflowId;
    await waiting(1);
  });
  afterAll(async () => {
    delete process.env['TEMPORAL_ADDRESS'];
    delete process.env['REFLECT_TASK_QUEUE'];
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  });
  beforeEach(() => {
    printed = [];
    jest
      .spyOn(console, 'log')
      .mockImplementation((text: unknown) => void printed.push(stripVTControlCharacters(String(text))));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const waiting = (iteration: number) =>
    eventually(
      () => world.client.progress(id),
      (progress) => progress.phase === 'waiting' && progress.iteration === iteration,
    );

  /** As typed, without the process around it. */
  async function type(...args: string[]): Promise<string> {
    const codes: number[] = [];
    const program = new Command();
    for (const each of steeringCommands((code) => codes.push(code))) program.addCommand(each);
    await program.parseAsync(args, { from: 'user' });
    expect(codes).toEqual([0]);
    return printed.join('\n');
  }

  test('list --status waiting finds the run that waits', async () => {
    const listed = async () => {
      printed = [];
      await list({ status: 'waiting', limit: 100 });
      return printed.join('\n');
    };
    // The run list is filled a moment after a run began to wait.
    const table = await eventually(listed, (text) => text.includes(id));
    expect(table).toMatch(new RegExp(`^${id} +loop +waiting +1 `, 'm'));
  });

  test('show says what it waits for, until when, and what to type', async () => {
    await show(id, {});
    const page = printed.join('\n');
    expect(page).toMatch(
      /^waiting for a review of version 1 · the loop makes at most 1 version · best: version 1 with 0\.00/m,
    );
    expect(page).toMatch(
      /It waits for a person's review of version 1 \(it would end with max_iterations\), until \d{4}-[^ ]+Z\./,
    );
    expect(page).toContain(`npx reflect accept ${id} --iteration 1`);
    expect(page).toContain(`npx reflect extend ${id} --iterations 2`);
    // `continue` would be refused.
    expect(page.split('\n').filter((line) => line.includes(' decide '))).toEqual([`  npx reflect decide ${id} stop`]);
    expect(page).toMatch(/npx reflect reflect .*\n +npx reflect abort /);
  });

  test('whoever follows it reads the text that is decided on', async () => {
    const told: string[] = [];
    const leaving = new AbortController();
    const listener = {
      onVersion: () => undefined,
      onNotice: () => undefined,
      onWait: (lines: readonly string[]) => void told.push(stripVTControlCharacters(lines.join('\n'))),
    };
    const followed = followRun(world.client, { workflowId: id }, listener, leaving.signal);
    await eventually(
      () => told.length,
      (times) => times > 0,
    );
    leaving.abort();
    await expect(followed).rejects.toThrow(/abort/i);
    expect(told).toEqual([expect.stringMatching(/The text of version 1\n[^]*"heard"[^]*npx reflect accept /)]);
    await show(id, {});
    expect(printed.join('\n')).toMatch(/It waits for [^]*The text of version 1\n[^]*npx reflect accept /);
  });

  test('show --json writes one value, also where the connection is not closed in order', async () => {
    const { close } = ReflectionClient.prototype;
    jest.spyOn(ReflectionClient.prototype, 'close').mockImplementationOnce(async function (this: ReflectionClient) {
      await close.call(this);
      throw new Error('the connection was reset');
    });
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const failure: unknown = await show(id, { json: true }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ message: 'the connection was reset' });
    reportError(failure, true);
    expect(printed.map((text) => JSON.parse(text) as object)).toEqual([
      expect.objectContaining({ workflowId: id, progress: expect.anything() as object }),
    ]);
  });

  test('decide is about the version that is there; what the run refuses is said', async () => {
    await expect(type('decide', id, 'continue')).rejects.toThrow(/reached its limit \(max_iterations\): extend it/);
    await expect(type('extend', id, '--usd', '2.50')).rejects.toThrow('the run has no limit of usd to extend');
    await expect(type('extend', id)).rejects.toMatchObject({ type: 'NothingToExtend' });
    await expect(type('guide', id, 'too late', '--iteration', '7')).rejects.toThrow(/not the current one, which is 1/);
    await expect(type('override', id, '--output', 'neither')).rejects.toMatchObject({ type: 'BadOutput' });
    // A decision about a call says which: the only one that waits may be another one by now.
    for (const decision of [['--approve'], ['--refuse'], ['--arguments', '{"amount": 15}']])
      await expect(type('answer', id, ...decision)).rejects.toMatchObject({ type: 'WhichAnswer' });
    await expect(type('answer', id, 'Kiel')).rejects.toMatchObject({ type: 'NothingAsked' });
  });

  test('guide and extend: the next revision is told; reflect has a version judged again', async () => {
    expect(await type('guide', id, 'Name the source.', '--by', 'reviewer')).toContain(
      `The next revision will get your text once the limit is extended: npx reflect extend ${id} --iterations 2`,
    );
    expect(await type('extend', id, '--iterations', '1')).toContain('Extended; it makes at most 2 versions.');
    await waiting(2);
    expect((await world.client.history(id)).at(-1)?.output).toEqual({ heard: 'Name the source.' });
    expect(await type('reflect', id)).toContain('Version 2 will be judged again.');
    await eventually(
      async () => (await world.client.history(id)).at(-1)?.trigger,
      (trigger) => trigger === 'manual',
    );
  });

  test('a command that nobody answers in time can be sent again with its id, and takes effect once', async () => {
    const { workflowId } = await world.client.start(spec);
    await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    const sent = type('guide', workflowId, 'Name it.', '--timeout', '1ms');
    const { type: kind, advice } = (await sent.catch((thrown: unknown) => thrown)) as { type: string; advice: string };
    expect(kind).toBe('NoAnswer');
    const commandId = /`--id ([\da-f-]{36})`/.exec(advice)![1]!;
    for (let times = 0; times < 2; times += 1) await type('guide', workflowId, 'Name it.', '--id', commandId);
    await type('abort', workflowId);
    const { people } = (await world.client.result(workflowId)).history;
    expect(people.map(({ name }) => name)).toEqual(['guide', 'abort']);
  });

  test('a slip in JSON is refused with its place, and nothing is sent, unless it is said to be a text', async () => {
    const { workflowId } = await world.client.start(spec);
    await eventually(
      () => world.client.progress(workflowId),
      ({ phase }) => phase === 'waiting',
    );
    const file = join(folder, 'slip.json');
    writeFileSync(file, '{"number": 1, total: 2}');
    await expect(type('override', workflowId, '--output', file)).rejects.toMatchObject({
      type: 'BadOutput',
      message: expect.stringContaining(
        'line 1, column 15: a name in double quotes is expected. Nothing was sent.',
      ) as string,
    });
    const typed = type('override', workflowId, '--output', '{"number": 1, total: 2}');
    await expect(typed).rejects.toThrow(/neither a file nor JSON.*\nline 1, column 15/);
    expect((await world.client.progress(workflowId)).iteration).toBe(1);
    await type('override', workflowId, '--output', file, '--text');
    await eventually(
      async () => (await world.client.history(workflowId)).at(-1)?.output,
      (output) => output === '{"number": 1, total: 2}',
    );
    const outputIs = (text: string) =>
      eventually(
        async () => (await world.client.history(workflowId)).at(-1)?.output,
        (output) => output === text,
      );
    await type('override', workflowId, '--text', 'plain words');
    await outputIs('plain words');
    // The flag alone may stand before the id.
    await type('override', '--text', workflowId, '--output', file);
    await outputIs('{"number": 1, total: 2}');
    await reflect(['override', workflowId, '--text', '-'], { input: 'from the input' });
    await outputIs('from the input');
    await expect(type('override', workflowId)).rejects.toMatchObject({ type: 'BadOutput' });
    await expect(type('override', workflowId, '--text', 'a', '--output', file)).rejects.toMatchObject({
      type: 'BadOutput',
    });
    await expect(type('override', '--text', 'a')).rejects.toMatchObject({ type: 'InvalidCommandLine' });
    const piped = await reflect(['override', workflowId, '--output', '-'], { input: '{"signed": "Robin"}' });
    expect(piped.stdout).toContain('Your version will be judged.');
    expect(await world.client.result(workflowId)).toMatchObject({ finalOutput: { signed: 'Robin' } });
  });

  test('override from a file is judged and ends the run; then it takes nothing more', async () => {
    await waiting(2);
    const file = join(folder, 'mine.json');
    writeFileSync(file, '{"signed": "Robin"}');
    const { code, stdout } = await reflect(['override', id, '--output', file, '--by', 'reviewer']);
    expect(stdout).toBe(`Your version will be judged.\nThe run: npx reflect show ${id}\n`);
    expect(code).toBe(0);
    const result = await world.client.result(id);
    expect(result).toMatchObject({ convergenceReason: 'quality_met', finalOutput: { signed: 'Robin' } });
    expect(result.history.people.map(({ name, by, applied }) => [name, by, applied])).toEqual([
      ['guide', 'reviewer', true],
      ['extend', undefined, true],
      ['reflect', undefined, true],
      ['override', 'reviewer', true],
    ]);
    for (const args of [
      ['guide', id, 'x'],
      ['decide', id, 'stop'],
      ['reflect', id],
    ])
      await expect(type(...args)).rejects.toMatchObject({ type: 'RunEnded' });
  });
});
