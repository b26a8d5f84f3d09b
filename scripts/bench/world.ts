import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { LARGE_ANSWERS } from '../../src/lib/config';
import { defaultCacheDirectory, findTemporalCli, startDevServer } from '../../src/apps/server';
import type { BenchWorkerSettings } from './bench-worker';
import { ensureBuilt } from './built';
import { processorMs } from './processor-time';

/** The two loops that are compared. */
export const LOOPS = {
  ours: { type: 'reflectionLoop', taskQueue: 'bench-ours' },
  handWritten: { type: 'handWrittenLoop', taskQueue: 'bench-by-hand' },
} as const;

export type LoopName = keyof typeof LOOPS;

/** Milliseconds of processor time so far; the server's is undefined where the system does not say. */
export interface ProcessorTime {
  worker: number;
  server: number | undefined;
}

/** A server on a file, a worker process for each of the two loops, and a client. */
export interface BenchWorld {
  client: Client;
  processorTime(loop: LoopName): Promise<ProcessorTime>;
  close(): Promise<void>;
}

/** @throws Error when the process ends before it has answered */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a worker ended with ${String(code)}`);
  });
  try {
    const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    return answer;
  } finally {
    ended.catch(() => undefined);
    answered.abort();
  }
}

async function startWorker(settings: BenchWorkerSettings): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'bench-worker.ts')], {
    env: { ...process.env, BENCH_WORKER: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await answerOf(child);
  return child;
}

/** Starts the world of a benchmark. `tuned: false`: the dev server as it comes. */
export async function benchWorld(options: { tuned: boolean; outputBytes: number }): Promise<BenchWorld> {
  ensureBuilt();
  const cli = (await findTemporalCli({ cacheDirectory: defaultCacheDirectory() })).path;
  const folder = mkdtempSync(join(tmpdir(), 'reflect-bench-'));
  const server = await startDevServer({ cli, databaseFile: join(folder, 'temporal.db'), tuned: options.tuned });
  const { address } = server;
  const worker = (workflows: LoopName): Promise<ChildProcess> =>
    startWorker({ address, workflows, taskQueue: LOOPS[workflows].taskQueue, outputBytes: options.outputBytes });
  const workers = { ours: await worker('ours'), handWritten: await worker('handWritten') };
  const connection = await Connection.connect({ address, channelArgs: LARGE_ANSWERS });
  return {
    client: new Client({ connection }),
    async processorTime(loop) {
      workers[loop].send('processor time');
      return { worker: (await answerOf(workers[loop])) as number, server: processorMs(server.pid) };
    },
    async close() {
      for (const child of Object.values(workers)) {
        const ended = once(child, 'exit');
        child.disconnect();
        await ended;
      }
      await connection.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
