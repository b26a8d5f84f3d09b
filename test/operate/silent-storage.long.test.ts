import { randomUUID } from 'node:crypto';
import { TcpProxy } from '../../testing/torture/tcp-proxy';
import { ReflectionClient } from '../../src/client';
import { dataConverterFrom } from '../../src/lib/storage';
import { ReflectCommand } from '../apps/cli/reflect-command';
import { requestsOf } from '../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { textOf } from '../lib/storage/payloads';
import { eventually } from '../../testing/support/eventually';
import { startPostgres } from '../../testing/support/postgres';
import { testAddress } from '../../testing/support/temporal-server';

test('reflect worker ends in time after SIGTERM, though PostgreSQL has gone silent, and no call is paid twice', async () => {
  const postgres = await startPostgres();
  const proxy = await TcpProxy.start(Number(new URL(postgres.connectionString).port));
  const through = postgres.connectionString.replace(/:\d+\//, `:${proxy.port}/`);
  const reply = { text: textOf(200_000), done: true };
  const model = await ScriptedOpenAI.start({ script: [{ reply, times: 'always', delayMs: 2_000 }] });
  const taskQueue = `silent-${randomUUID()}`;
  const dataConverter = dataConverterFrom({ REFLECT_STORAGE: postgres.connectionString })!;
  const client = await ReflectionClient.connect({ address: testAddress(), taskQueue, dataConverter });
  const worker = async (storage: string): Promise<ReflectCommand> => {
    const args = ['worker', '--address', testAddress(), '--task-queue', taskQueue, '--drain', '1s'];
    const env = { OPENAI_BASE_URL: model.baseUrl, REFLECT_STORAGE: storage, DATABASE_URL: storage };
    const command = new ReflectCommand(args, { env });
    await command.says(/Ctrl-C lets/);
    return command;
  };
  const first = await worker(through);
  const { workflowId } = await client.start({
    generator: { action: 'llm.call', prompt: 'Write.' },
    evaluator: { type: 'schema', schema: { type: 'object', required: ['done'] } },
    memory: { agent: `agent-${randomUUID()}` },
  });
  await eventually(
    () => requestsOf(model.ledger).length,
    (count) => count === 1,
  );
  proxy.silence({ alsoNew: true });
  // The reply is here by then, and is being stored.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const told = performance.now();
  first.kill('SIGTERM');
  await first.finished;
  const took = performance.now() - told;
  console.info(`ended ${Math.round(took)} ms after SIGTERM`);
  expect(took).toBeLessThan(1_000 + 15_000);
  const second = await worker(postgres.connectionString);
  const result = await client.result(workflowId);
  expect(result).toMatchObject({ success: true, finalOutput: reply, tokenUsage: { modelCalls: 1 } });
  expect(requestsOf(model.ledger)).toHaveLength(1);
  second.kill('SIGTERM');
  expect((await second.finished).code).toBe(0);
  await client.close();
  await model.close();
  await proxy.close();
  await postgres.stop();
}, 120_000);
