import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** How a process ended. Both are null when it could not be started. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  pid: number | undefined;
  /** Settles when the process has ended, for whatever reason. Never rejects. */
  exited: Promise<ProcessExit>;
  hasExited: () => boolean;
  lastOutput: () => string;
  /** The line with which a Go program says why it broke down: hundreds of lines of its stack come after it. */
  panic: () => string | undefined;
  /** Asks it to end and waits, or kills it at once. Can be called again. */
  stop: (how?: 'gently' | 'at once') => Promise<void>;
}

const KILL_AFTER = 5_000;
const KEPT_OUTPUT = 4_000;
const LAST_LINES = 12;

/**
 * Starts a program that must not outlive this process. It gets its own process group, so Ctrl-C in a terminal reaches us and not
 * it: we decide when it stops, and a worker can finish first. When we end without stopping it, an `exit` hook kills it. When we
 * are killed (`kill -9`, a signal without a handler), no hook runs: a `sh` that waits for the end of a pipe, which the system
 * closes when we are gone, kills it. There is no such watcher on Windows. Killing loses nothing: a tuned database file syncs
 * every commit.
 */
export function startProcess(
  command: string,
  args: string[],
  {
    logFile,
    keepAlive = true,
    env = process.env,
  }: { logFile?: string; keepAlive?: boolean; env?: NodeJS.ProcessEnv } = {},
): ServerProcess {
  const detached = process.platform !== 'win32';
  const child = spawn(command, args, { env, detached, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const watcher = detached && child.pid !== undefined ? watchOver(child.pid) : undefined;
  killAtExit.add(child);
  if (!keepAlive) {
    child.unref();
    for (const stream of [child.stdout, child.stderr]) unrefStream(stream);
  }

  let output = '';
  let panic: string | undefined;
  let ended = false;
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
  log?.on('error', (error) => {
    output += `${error.message}\n`;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const text = output + chunk.toString();
      panic ??= /^panic: .*$/m.exec(text)?.[0];
      output = text.slice(-KEPT_OUTPUT);
      log?.write(chunk);
    });
  }

  const exited = new Promise<ProcessExit>((resolve) => {
    const end = (exit: ProcessExit) => {
      if (ended) return;
      ended = true;
      killAtExit.delete(child);
      watcher?.kill('SIGKILL');
      log?.end();
      resolve(exit);
    };
    child.once('error', (error) => {
      output += `${error.message}\n`;
      end({ code: null, signal: null });
    });
    // `close` and not `exit`: all of its output is here then.
    child.once('close', (code, signal) => end({ code, signal }));
  });

  const stop = async (how: 'gently' | 'at once') => {
    if (!ended) child.kill(how === 'gently' ? 'SIGTERM' : 'SIGKILL');
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER);
    await exited;
    clearTimeout(timer);
  };
  let stopping: Promise<void> | undefined;

  return {
    pid: child.pid,
    exited,
    hasExited: () => ended,
    panic: () => panic,
    lastOutput: () => output.trimEnd().split('\n').slice(-LAST_LINES).join('\n'),
    stop: (how = 'gently') => (stopping ??= stop(how)),
  };
}

const killAtExit = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of killAtExit) child.kill('SIGKILL');
});

function watchOver(pid: number): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // No `sh`, no watcher: the `exit` hook is still there.
  watcher.once('error', () => {});
  watcher.unref();
  // The pipe must stay open but keep nothing waiting.
  unrefStream(watcher.stdin);
  return watcher;
}

/** Lets the process end although a child's stream is open: it is a socket, which Node's types do not say. */
function unrefStream(stream: object | null): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}
