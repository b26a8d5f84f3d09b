import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { ReflectCommand } from '../apps/cli/reflect-command';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { eventually } from '../../testing/support/eventually';
import { testAddress } from '../../testing/support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write it.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 5,
  convergence: false,
};

const commands: ReflectCommand[] = [];
let model: ScriptedOpenAI;
let client: ReflectionClient;

afterEach(async () => {
  for (const command of commands.splice(0)) command.kill('SIGKILL');
  await client.close();
  await model.close();
});

async function world(script: ScriptEntry[]): Promise<void> {
  model = await ScriptedOpenAI.start({ script });
  const taskQueue = `graceful-${randomUUID()}`;
  client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
}

async function startWorker(taskQueue: string, ...more: string[]): Promise<RunningWorker> {
  const args = ['worker', '--address', testAddress(), '--task-queue', taskQueue, '--port', '0', ...more];
  const command = new ReflectCommand(args, { env: { OPENAI_BASE_URL: model.baseUrl } });
  commands.push(command);
  await command.says(/Ctrl-C lets/);
  return { command, url: /(http:\S+)\/healthz/.exec(command.stdout)![1]! };
}

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
};

const requests = (count: number) =>
  eventually(
    () => requestsOf(model.ledger).length,
    (seen) => seen >= count,
    20_000,
  );

interface RunningWorker {
  command: ReflectCommand;
  url: string;
}

/** Two workers and a run; waits for its first call, and says which of the two makes it. */
async function startTwo(drain: string): Promise<{ busy: RunningWorker; other: RunningWorker; workflowId: string }> {
  const taskQueue = client.taskQueue;
  const workers = await Promise.all([
    startWorker(taskQueue, '--drain', drain),
    startWorker(taskQueue, '--drain', drain),
  ]);
  const { workflowId } = await client.start(spec);
  await requests(1);
  const texts = await Promise.all(workers.map(({ url }) => get(`${url}/metrics`)));
  const index = texts.findIndex(({ text }) => /^reflect_model_calls_in_flight\{.*\} 1$/m.test(text));
  return { busy: workers[index]!, other: workers[1 - index]!, workflowId };
}

test('SIGTERM during a model call: it finishes, is not made again, and another worker goes on at once', async () => {
  await world([{ reply: { version: 1 }, delayMs: 2_000 }, { reply: { version: 2, done: true } }]);
  const { busy, other, workflowId } = await startTwo('10s');
  busy.command.kill('SIGTERM');
  await busy.command.says(/Stopping/);
  const draining = expect.stringContaining('draining') as string;
  expect(await get(`${busy.url}/readyz`)).toEqual({ status: 503, text: draining });
  expect(await get(`${busy.url}/healthz`)).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(`${other.url}/readyz`)).toEqual({ status: 200, text: 'ready\n' });

  expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 2 });
  expect(requestsOf(model.ledger)).toHaveLength(2);
  expect(model.ledger.filter(({ kind }) => kind === 'closed')).toEqual([]);
  const answered = model.ledger.find(({ kind }) => kind === 'answer')!.at;
  const next = requestsOf(model.ledger)[1]!.at;
  console.info(`the next call came ${next - answered} ms after the drained one was answered`);
  expect(next - answered).toBeLessThan(3_000);
  expect((await busy.command.finished).code).toBe(0);
}, 60_000);

test('a call that outlasts the limit is cancelled, and another worker takes over', async () => {
  await world([{ fault: 'hang' }, { reply: { version: 1, done: true } }]);
  const { busy, workflowId } = await startTwo('1s');
  busy.command.kill('SIGTERM');
  await busy.command.says(/Stopping/);
  const stopped = Date.now();
  expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 1 });
  const closed = model.ledger.find(({ kind }) => kind === 'closed')!;
  const [, again, ...more] = requestsOf(model.ledger);
  console.info(`limit 1 s: hung up after ${closed.at - stopped} ms, called again after ${again!.at - stopped} ms`);
  expect(closed.at - stopped).toBeGreaterThan(800);
  expect(again!.at - stopped).toBeLessThan(4_000);
  expect(more).toEqual([]);
  expect((await busy.command.finished).code).toBe(0);
}, 60_000);
