import { randomUUID } from 'node:crypto';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/domain/spec';
import { ReflectCommand } from '../cli/reflect-command';
import { requestsOf } from '../scripted-openai/ledger';
import type { ScriptEntry } from '../scripted-openai/script';
import { ScriptedOpenAI } from '../scripted-openai/server';
import { eventually } from '../support/eventually';
import { testAddress } from '../support/temporal-server';

const spec: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write it.' },
  evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
  maxIterations: 5,
};

const commands: ReflectCommand[] = [];
let model: ScriptedOpenAI;
let client: ReflectionClient;

afterEach(async () => {
  for (const command of commands.splice(0)) command.kill('SIGKILL');
  await client.close();
  await model.close();
});

async function world(script: ScriptEntry[]): Promise<string> {
  model = await ScriptedOpenAI.start({ script });
  const taskQueue = `graceful-${randomUUID()}`;
  client = await ReflectionClient.connect({ address: testAddress(), taskQueue });
  return taskQueue;
}

async function startWorker(taskQueue: string, ...more: string[]): Promise<{ command: ReflectCommand; url: string }> {
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

test('D3 SIGTERM during a model call: it finishes, is not made again, and another worker goes on at once', async () => {
  const taskQueue = await world([{ reply: { version: 1 }, delayMs: 2_000 }, { reply: { version: 2, done: true } }]);
  const first = await startWorker(taskQueue, '--drain', '10s');
  await eventually(
    () => get(`${first.url}/readyz`),
    ({ status }) => status === 200,
  );
  const { workflowId } = await client.start(spec);
  await requests(1);
  const starting = startWorker(taskQueue);
  first.command.kill('SIGTERM');
  const second = await starting;
  expect(await get(`${first.url}/readyz`)).toEqual({
    status: 503,
    text: expect.stringContaining('draining') as string,
  });
  expect(await get(`${first.url}/healthz`)).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(`${second.url}/readyz`)).toEqual({ status: 200, text: 'ready\n' });

  const result = await client.result(workflowId);
  expect(result).toMatchObject({ success: true, iterationsUsed: 2 });
  expect(requestsOf(model.ledger)).toHaveLength(2);
  const answered = model.ledger.find(({ kind }) => kind === 'answer')!.at;
  const next = requestsOf(model.ledger)[1]!.at;
  console.info(`the next call came ${next - answered} ms after the drained one was answered`);
  expect(next - answered).toBeLessThan(3_000);
  expect((await first.command.finished).code).toBe(0);
}, 60_000);

test('D3 a call that outlasts the limit is cancelled, and another worker takes over', async () => {
  const taskQueue = await world([{ fault: 'hang' }, { reply: { version: 1, done: true } }]);
  const first = await startWorker(taskQueue, '--drain', '1s');
  const { workflowId } = await client.start(spec);
  await requests(1);
  await startWorker(taskQueue);
  const stopped = Date.now();
  first.command.kill('SIGTERM');
  expect(await client.result(workflowId)).toMatchObject({ success: true, iterationsUsed: 1 });
  const [, again] = requestsOf(model.ledger);
  const closed = model.ledger.find(({ kind }) => kind === 'closed')!;
  console.info(`limit 1 s: hung up after ${closed.at - stopped} ms, called again after ${again!.at - stopped} ms`);
  expect(closed.at - stopped).toBeGreaterThan(900);
  expect(again!.at - stopped).toBeLessThan(4_000);
  expect(requestsOf(model.ledger)).toHaveLength(2);
  expect((await first.command.finished).code).toBe(0);
}, 60_000);
