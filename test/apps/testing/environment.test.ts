import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { NativeConnection, Worker } from '@temporalio/worker';
import { z } from 'zod';
import type { ReflectionSpec } from '../../../src/loop/contract/spec';
import {
  NotRecordableError,
  ReflectionTestEnvironment,
  ScriptExhaustedError,
  ScriptUnusedError,
} from '../../../src/apps/testing';
import { defineAction, ReflectionPlugin } from '../../../src/worker';
import { eventually } from '../../../testing/support/eventually';
import { testAddress, testCli } from '../../../testing/support/temporal-server';
import '../../../testing/support/quiet';

const SPEC: ReflectionSpec = {
  name: 'greeting',
  task: 'Greet the reader.',
  generator: { action: 'llm.call', prompt: '{{ task }}' },
  evaluator: { type: 'regex', pattern: 'hello' },
  maxIterations: 3,
};

const endOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => error,
  );

/** What `TEMPORAL_ADDRESS` says must not count: the tests may have been told of a server. */
async function withoutAddress<Result>(work: () => Promise<Result>): Promise<Result> {
  const address = process.env['TEMPORAL_ADDRESS'];
  delete process.env['TEMPORAL_ADDRESS'];
  try {
    return await work();
  } finally {
    if (address !== undefined) process.env['TEMPORAL_ADDRESS'] = address;
  }
}

function accepts(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host!);
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** Process ids of Temporal servers that are children of this process. */
function serversOfThisProcess(): string[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const ours = lines.filter((line) => new RegExp(`^\\s*\\d+\\s+${process.pid}\\s.*start-dev`).test(line));
  return ours.map((line) => line.trim().split(/\s+/)[0]!);
}

describe('an environment on a server that is there', () => {
  let env: ReflectionTestEnvironment;
  beforeAll(async () => {
    const loud = defineAction({
      name: 'loud',
      description: 'Judges how loud a text is.',
      input: z.unknown(),
      run: (_input, { state }) => {
        const isLoud = String(state['reflection_output']).endsWith('!');
        return { valid: isLoud, issues: isLoud ? [] : [{ message: 'too quiet' }] };
      },
    });
    env = await ReflectionTestEnvironment.create({
      address: testAddress(),
      actions: [loud],
      models: ['writer', { name: 'judge', model: 'judge-large', baseUrl: 'https://models.example.com', stream: true }],
    });
  });
  afterAll(() => env?.teardown());

  test('runs a loop by the script, and shows what the model was asked', async () => {
    const before = env.prompts().length;
    const result = await env.run(SPEC, { script: [{ reply: 'good day' }, { reply: 'hello reader' }] });
    expect(result).toMatchObject({ success: true, finalOutput: 'hello reader', convergenceReason: 'quality_met' });
    const prompts = env.prompts().slice(before);
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain('Greet the reader.');
    expect(prompts[1]).toContain('good day');
    expect(env.client.taskQueue).toBe(env.taskQueue);
  });

  test('a script that runs out fails the run at once, with the request that it has no answer for', async () => {
    const error = await endOf(env.run(SPEC, { script: [{ reply: 'good day' }] }));
    expect(error).toBeInstanceOf(ScriptExhaustedError);
    const { requests, message } = error as ScriptExhaustedError;
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('good day');
    expect(message).toMatch(
      /^the script ran out; it has no answer for a request to the model "writer":\n\nuser: Greet the reader\.\n/,
    );
    expect(message).toMatch(/\n\nassistant: good day\n\nuser: That answer was not accepted\.\n/);
  });

  test('a script with answers that nothing asked for fails the run', async () => {
    const error = await endOf(env.run(SPEC, { script: [{ reply: 'hello' }, { reply: 'left over' }] }));
    expect(error).toBeInstanceOf(ScriptUnusedError);
    expect((error as ScriptUnusedError).entries).toEqual([{ reply: 'left over' }]);
  });

  test('an answer that is asked for less often than the script says is told with what is left of it', async () => {
    const error = await endOf(env.run(SPEC, { script: [{ reply: 'hello', times: 3 }] }));
    expect((error as ScriptUnusedError).entries).toEqual([{ reply: 'hello', times: 2 }]);
    expect((error as Error).message).toBe(
      '2 answers of the script were never asked for: [{"reply":"hello","times":2}]',
    );
  });

  test('models of production are asked by their names, and all of them are the script', async () => {
    const spec: ReflectionSpec = { ...SPEC, evaluator: { type: 'llm', model: 'judge', prompt: 'Is it polite?' } };
    const result = await env.run(spec, {
      script: [
        { match: { model: '^writer$' }, reply: 'good day' },
        { match: { model: '^judge-large$' }, reply: { score: 0.9, issues: [] } },
      ],
    });
    expect(result).toMatchObject({ success: true, finalOutput: 'good day' });
    expect(env.models.map(({ name, baseUrl }) => [name, baseUrl])).toEqual([
      ['writer', env.model.baseUrl],
      ['judge', env.model.baseUrl],
    ]);
  });

  test('actions of the environment judge and are called', async () => {
    const spec: ReflectionSpec = { ...SPEC, evaluator: { type: 'function', action: 'loud' } };
    const result = await env.run(spec, { script: [{ reply: 'hello' }, { reply: 'hello!' }] });
    expect(result).toMatchObject({ success: true, finalOutput: 'hello!' });
    expect(result.history.versions[0]!.evaluation!.issues[0]!.message).toBe('too quiet');
  });

  test('a run that waits for a person is steered by the client', async () => {
    const spec: ReflectionSpec = { ...SPEC, maxIterations: 1, review: { when: 'on_exhausted' } };
    const run = await env.start(spec, { script: [{ reply: 'good day' }] });
    await eventually(
      () => env.client.progress(run),
      ({ phase }) => phase === 'waiting',
    );
    await expect(env.recordRun(run, 'nowhere')).rejects.toThrow(NotRecordableError);
    await env.client.accept(run, { by: 'Ada' });
    expect(await env.client.result(run)).toMatchObject({ convergenceReason: 'user_accepted', finalOutput: 'good day' });
  });

  test('with a worker of its own, a test gets the models for its plugin', async () => {
    const own = await ReflectionTestEnvironment.create({ address: testAddress(), worker: false });
    const connection = await NativeConnection.connect({ address: own.address });
    try {
      const worker = await Worker.create({
        connection,
        taskQueue: own.taskQueue,
        plugins: [new ReflectionPlugin({ models: own.models, memory: false, drainMs: 0 })],
      });
      const result = await worker.runUntil(own.run(SPEC, { script: [{ reply: 'hello' }] }));
      expect(result).toMatchObject({ finalOutput: 'hello' });
    } finally {
      await connection.close();
      await own.teardown();
    }
  });

  test('teardown tells of a request without an answer that no test was told of, and of no other', async () => {
    const own = await ReflectionTestEnvironment.create({ address: testAddress() });
    await expect(own.run(SPEC)).rejects.toThrow(ScriptExhaustedError);
    await own.teardown();
    const other = await ReflectionTestEnvironment.create({ address: testAddress() });
    const run = await other.start(SPEC);
    await expect(other.client.result(run)).rejects.toThrow();
    await expect(other.teardown()).rejects.toThrow(ScriptExhaustedError);
    await other.teardown();
  });
});

test('an environment has a server of its own, and ends it; a worker that cannot start takes it along', async () => {
  const cli = await testCli();
  const env = await withoutAddress(() => ReflectionTestEnvironment.create({ cli, ui: true }));
  expect(env.address).toMatch(/^127\.0\.0\.1:\d+$/);
  expect((await fetch(env.uiUrl!)).status).toBe(200);
  expect(await env.run(SPEC, { script: [{ reply: 'hello' }] })).toMatchObject({ success: true });
  const model = new URL(env.model.baseUrl).host;
  await env.teardown();
  for (const address of [env.address, model]) expect(await accepts(address)).toBe(false);
  const before = serversOfThisProcess();
  const options = { cli, models: ['same', 'same'] };
  await expect(withoutAddress(() => ReflectionTestEnvironment.create(options))).rejects.toThrow(/two models/);
  expect(serversOfThisProcess()).toEqual(before);
}, 60_000);
