import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** A worker of the built package as a process of its own, so that its memory is nobody else's. */
export interface BuiltWorker {
  process: ChildProcess;
  /** Megabytes in use, after garbage was collected. */
  memory(): Promise<number>;
}

/**
 * Starts it; `ensureBuilt` comes first. `actions`: JavaScript that sets `actions`, with `defineAction` and `z` at hand.
 *
 * @throws Error when it ends before it is ready
 */
export async function builtWorker(env: NodeJS.ProcessEnv, actions = 'const actions = [];'): Promise<BuiltWorker> {
  const program = `
    const { createWorker, defineAction } = require('./dist/worker.js');
    const { z } = require('zod');
    ${actions}
    createWorker({ actions }).then((worker) => {
      process.on('message', () => { global.gc?.(); process.send(process.memoryUsage().rss); });
      process.send('ready');
      return worker.run();
    });
  `;
  const child = spawn(process.execPath, ['--expose-gc', '-e', program], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the worker ended with ${String(code)}`)),
  );
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return {
    process: child,
    async memory() {
      child.send('memory');
      const [bytes] = (await once(child, 'message')) as [number];
      return bytes / 1024 / 1024;
    },
  };
}
