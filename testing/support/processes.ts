import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { SHARES_BUNDLES } from './child-environment';

const ROOT = join(__dirname, '..', '..');
const started = new Set<ChildProcess>();

// A test that fails half-way must not leave its processes behind.
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Runs a TypeScript file in a process of its own and waits for a line of output. */
export async function startScript(
  file: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv; readyWhen: RegExp; descriptors?: number },
): Promise<ChildProcess> {
  const command = [process.execPath, '--import', 'tsx', join(ROOT, file), ...(options.args ?? [])];
  const limited = options.descriptors === undefined ? '' : `ulimit -n ${options.descriptors};`;
  const child = spawn('sh', ['-c', `${limited} exec "$0" "$@"`, ...command], {
    cwd: ROOT,
    env: { ...process.env, ...SHARES_BUNDLES, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (piece: Buffer): void => {
      output += String(piece);
      if (options.readyWhen.test(output)) resolve();
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${output}`)));
  });
  // One that a failed test has left behind does not keep jest from coming to its end, with which it is killed.
  child.unref();
  for (const stream of [child.stdout!, child.stderr!]) (stream as Socket).unref();
  return child;
}

/** `kill -9`, and waits until the process is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
