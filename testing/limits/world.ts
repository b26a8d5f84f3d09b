import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type DevServer, startDevServer } from '../../src/apps/server';
import { closeStorage, dataConverterFrom } from '../../src/lib/storage';
import { ScriptedOpenAI } from '../../src/apps/testing/scripted-model/server';
import { RUN_FOLDER_VARIABLE } from '../support/run-folder';
import { WorkerProcess } from './fleet';
import { answerTo } from './model-script';
import { PRODUCTION_SETTINGS } from './server-limits';
import { judgementOf } from './work';

/** What histories of 50 MiB come in. */
const LARGE_MESSAGES = { 'grpc.max_receive_message_length': -1 };

/** A server with the limits of production, a model, a service that judges, and workers. */
export interface LimitsWorld {
  client: Client;
  /** One that stores no payload elsewhere and tries nothing again: it is told at once what the server refuses. */
  plain: Client;
  address: string;
  /** Whether large payloads go to a storage instead of histories. */
  isStoring: boolean;
  /** A service for `external` evaluators. */
  judgeUrl: string;
  /** Another worker process, on a queue of its own. */
  startWorker(taskQueue: string, environment?: NodeJS.ProcessEnv): Promise<WorkerProcess>;
  close(): Promise<void>;
}

async function startJudge(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(judgementOf()));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

export interface WorldOptions {
  /** Whether large payloads go to a folder instead of histories. */
  storage?: boolean;
  /** Dynamic configuration that wins over the limits of production, for tests of the harness. */
  settings?: readonly string[];
}

export async function startLimitsWorld(
  cli: string,
  { storage = false, settings = [] }: WorldOptions = {},
): Promise<LimitsWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-limits-'));
  process.env[RUN_FOLDER_VARIABLE] ??= folder;
  if (storage) process.env['REFLECT_STORAGE'] = `folder:${join(folder, 'storage')}`;
  const server: DevServer = await startDevServer({
    cli,
    databaseFile: join(folder, 'temporal.db'),
    settings: [...PRODUCTION_SETTINGS, ...settings],
  });
  const judge = await startJudge();
  const model = await ScriptedOpenAI.start({ script: answerTo });
  const connection = await Connection.connect({ address: server.address, channelArgs: LARGE_MESSAGES });
  const plain = await Connection.connect({
    address: server.address,
    channelArgs: LARGE_MESSAGES,
    interceptors: [],
  });
  const converter = dataConverterFrom(process.env);
  const workers: WorkerProcess[] = [];
  // What a scripted model was asked is kept by it for tests, and would be gigabytes here.
  const forgetting = setInterval(() => model.ledger.splice(0), 1_000);
  forgetting.unref();
  return {
    client: new Client({ connection, ...(converter ? { dataConverter: converter } : {}) }),
    plain: new Client({ connection: plain }),
    address: server.address,
    isStoring: storage,
    judgeUrl: `http://127.0.0.1:${(judge.address() as AddressInfo).port}/`,
    async startWorker(taskQueue, environment = {}) {
      const order = { address: server.address, taskQueue, modelUrl: model.baseUrl };
      const memory = join(folder, `memory-${workers.length}`);
      const worker = await WorkerProcess.start(order, { REFLECT_MEMORY_FOLDER: memory, ...environment });
      workers.push(worker);
      return worker;
    },
    async close() {
      clearInterval(forgetting);
      for (const worker of workers) await worker.stop();
      await connection.close();
      await plain.close();
      await closeStorage(converter);
      judge.closeAllConnections();
      judge.close();
      await model.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
