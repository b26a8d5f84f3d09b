import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import Table from 'cli-table3';
import { ReflectionClient } from '../../src/client';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { plainActivities } from './by-hand/activities';
import { ensureBuilt } from './built';
import { judged } from './speed';

/** Seconds that one model call takes. */
const CALL_SECONDS = [1, 30, 120];
const GOAL = 1.35;
const HEARTBEAT_TIMEOUT_MS = 30_000;
/** The server caches which namespaces and search attributes there are. */
const SETTLE_MS = 15_000;

interface Place {
  address: string;
  namespace: string;
  baseUrl: string;
}

/** The loop that users get, on a worker with the defaults. */
async function runOurs({ address, namespace, baseUrl }: Place): Promise<void> {
  const { createWorker } = (await import('../../dist/worker.js' as string)) as typeof import('../../src/worker');
  const worker = await createWorker({ address, namespace, models: [{ name: 'm', model: 'm', baseUrl }] });
  const running = worker.run();
  const client = await ReflectionClient.connect({ address, namespace });
  await client.run({ ...judged('model'), timeouts: { modelCall: '5m' } });
  await client.close();
  worker.shutdown();
  await running;
}

/** The same loop as somebody would write it: two activities with heartbeats, nothing else. */
async function runByHand({ address, namespace, baseUrl }: Place): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  const logger = new DefaultLogger('ERROR');
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: 'by-hand',
    workflowBundle: await bundleWorkflowCode({ workflowsPath: require.resolve('./by-hand/workflow'), logger }),
    activities: plainActivities(baseUrl),
  });
  const clientConnection = await Connection.connect({ address });
  const client = new Client({ connection: clientConnection, namespace });
  await worker.runUntil(
    client.workflow.execute('plainLoop', {
      taskQueue: 'by-hand',
      workflowId: randomUUID(),
      args: [{ iterations: 3, heartbeatTimeoutMs: HEARTBEAT_TIMEOUT_MS }],
    }),
  );
  await clientConnection.close();
  await connection.close();
}

/** The server's own count of what Temporal Cloud bills, by kind. */
async function actionsOf(metricsUrl: string, namespace: string): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl)).text();
  // A label has no hyphens.
  const label = `="${namespace.replaceAll('-', '_')}"`;
  const lines = text.split('\n').filter((line) => line.startsWith('action{') && line.includes(label));
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [, kind = ''] = /action_type="([^"]*)"/.exec(line) ?? [];
    counts.set(kind, (counts.get(kind) ?? 0) + Number(line.split(' ').at(-1)));
  }
  return counts;
}

function total(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function kinds(counts: Map<string, number>): string {
  return [...counts].map(([kind, count]) => `${count} ${kind.replace(/^(?:grpc|command|activity)_/, '')}`).join('\n');
}

/**
 * Billable actions of a loop of three versions judged by a model, beside one written by hand, by the length of a call; as a
 * table. Sets the exit code where the goal is missed.
 */
export async function actions(): Promise<string> {
  ensureBuilt();
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  const folder = mkdtempSync(join(tmpdir(), 'reflect-actions-'));
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const names = CALL_SECONDS.flatMap((seconds) => [`ours-${seconds}`, `by-hand-${seconds}`]);
  const server = await startDevServer({
    cli,
    databaseFile: join(folder, 'temporal.db'),
    namespaces: names,
    metrics: true,
  });
  await pause(SETTLE_MS);
  const table = new Table({
    head: ['seconds a call', 'ours', 'by hand', 'ratio', 'ours, by kind', 'by hand, by kind'],
    style: { head: [] },
  });
  const verdict = { valid: false, score: 0.5, reason: 'no', issues: [], suggestions: [], confidence: 1 };
  const models = await Promise.all(
    CALL_SECONDS.map((seconds) =>
      ScriptedOpenAI.start({
        script: ({ text }) => ({ reply: /response_format/.test(text) ? verdict : 'a text', delayMs: seconds * 1_000 }),
      }),
    ),
  );
  await Promise.all(
    CALL_SECONDS.flatMap((seconds, index) => {
      const { address } = server;
      const { baseUrl } = models[index]!;
      return [
        runOurs({ address, baseUrl, namespace: `ours-${seconds}` }),
        runByHand({ address, baseUrl, namespace: `by-hand-${seconds}` }),
      ];
    }),
  );
  for (const seconds of CALL_SECONDS) {
    const ours = await actionsOf(server.metricsUrl!, `ours-${seconds}`);
    const byHand = await actionsOf(server.metricsUrl!, `by-hand-${seconds}`);
    const ratio = total(ours) / total(byHand);
    if (!(ratio <= GOAL)) process.exitCode = 1;
    table.push([seconds, total(ours), total(byHand), `${ratio.toFixed(2)}×`, kinds(ours), kinds(byHand)]);
  }
  for (const model of models) await model.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return `billable actions of three iterations judged by a model (goal: ≤ ${GOAL} times)\n${table.toString()}`;
}
