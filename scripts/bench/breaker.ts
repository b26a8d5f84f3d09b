import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { ReflectionClient } from '../../src/client';
import type { ReflectionSpec } from '../../src/loop/contract/spec';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { createWorker } from '../../src/worker';
import { outageFrom } from '../../src/apps/testing/scripted-model/script';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';

const LOOPS = 50;
const DOWN_MS = 60_000;

/** The worker's default. */
const WINDOW_MS = 10_000;

const SPEC: ReflectionSpec = {
  generator: { action: 'llm.call', prompt: 'Write version one.' },
  evaluator: { type: 'schema', schema: { properties: { done: { const: true } } } },
};
const REVISION = /was not accepted/;

function quiet(): void {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    });
  } catch {
    // Another part of the benchmark has installed it.
  }
}

/** What a model that is down for a minute is asked meanwhile, and how soon all loops have ended after. */
export async function outage(): Promise<string> {
  quiet();
  const model = await ScriptedOpenAI.start({
    script: outageFrom(REVISION, DOWN_MS, { status: 503 }, (text) => ({ reply: { done: REVISION.test(text) } })),
  });
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const server = await startDevServer({ cli });
  const connection = await NativeConnection.connect({ address: server.address });
  const taskQueue = 'outage';
  const worker = await createWorker({
    connection,
    taskQueue,
    models: [{ name: 'm', model: 'm', baseUrl: model.baseUrl }],
  });
  const running = worker.run();
  const clientConnection = await Connection.connect({ address: server.address });
  const client = new ReflectionClient(new Client({ connection: clientConnection }), taskQueue);
  const results = await Promise.all(Array.from({ length: LOOPS }, () => client.run(SPEC)));
  const refused = model.ledger.filter(({ status }) => status === 503);
  const [first] = refused;
  const end = Math.max(...model.ledger.map(({ at }) => at));
  // Those that were on their way when the circuit opened come within a moment of the first.
  const tries = refused.filter(({ at }) => at > first!.at + WINDOW_MS / 2);
  worker.shutdown();
  await running;
  await connection.close();
  await clientConnection.close();
  await server.stop();
  await model.close();
  return (
    `a model down for ${DOWN_MS / 1_000} s under ${LOOPS} loops: ${refused.length - tries.length} requests until its ` +
    `circuit opened, ${tries.length} tries in ${DOWN_MS / WINDOW_MS} windows of ${WINDOW_MS / 1_000} s; ` +
    `${results.filter(({ success }) => success).length} of ${LOOPS} loops succeeded, ` +
    `the last ${((end - first!.at - DOWN_MS) / 1_000).toFixed(1)} s after the model was back`
  );
}
