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

/** Starts it. `actions`: JavaScript that sets `actions`, with `defineAction` and `z` at hand. */
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
  await once(child, 'message');
  return {
    process: child,
    async memory() {
      child.send('memory');
      const [bytes] = (await once(child, 'message')) as [number];
      return bytes / 1024 / 1024;
    },
  };
}
