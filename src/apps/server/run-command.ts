import { execFile } from 'node:child_process';

type CommandResult = { ok: true; output: string } | { ok: false; problem: string };

/** Runs a program to its end. Never throws: the problem is one line that a person can read. */
export function runCommand(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; timeout: number; signal?: AbortSignal },
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(command, args, { ...options, maxBuffer: 10_000_000, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) resolve({ ok: true, output: stdout });
      else resolve({ ok: false, problem: problemOf(error, stderr || stdout, options) });
    });
  });
}

function problemOf(
  error: { code?: number | string | null; killed?: boolean; message: string },
  output: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): string {
  if (signal?.aborted) return String(signal.reason);
  if (error.killed) return `gave up after ${timeout / 1000} s`;
  if (error.code === 'ENOENT') return 'not found';
  if (error.code === 'EACCES') return 'not executable';
  return lastWords(output) || `failed (${error.code ?? error.message})`;
}

/** Returns the end of a program's output, which says what went wrong; its beginning is mostly noise. */
function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-2).join(' ').slice(0, 1000);
}
