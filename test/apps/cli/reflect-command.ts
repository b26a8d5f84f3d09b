import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SHARES_BUNDLES } from '../../../testing/support/child-environment';

export const PROJECT = join(__dirname, '..', '..', '..');
const BIN = join(PROJECT, 'bin', 'reflect.js');

/** Never to be seen in anything that a command writes. */
export const SECRET = 'sk-this-must-never-be-printed';

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A `reflect` command that runs as its own process, as people run it. */
export class ReflectCommand {
  stdout = '';
  stderr = '';
  readonly finished: Promise<Finished>;
  readonly #child: ChildProcess;

  constructor(args: string[], options: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string } = {}) {
    const { TEMPORAL_UI_URL: _uiUrl, OPENAI_BASE_URL: _baseUrl, ...inherited } = process.env;
    const env = { ...inherited, ...SHARES_BUNDLES, NO_COLOR: '1', OPENAI_API_KEY: SECRET, ...options.env };
    this.#child = spawn(process.execPath, [BIN, ...args], { cwd: options.cwd ?? PROJECT, env });
    this.#child.stdout!.on('data', (piece) => (this.stdout += String(piece)));
    this.#child.stderr!.on('data', (piece) => (this.stderr += String(piece)));
    this.#child.stdin!.end(options.input ?? '');
    this.finished = once(this.#child, 'close').then(([code]) => {
      const finished = { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
      if (`${this.stdout}${this.stderr}`.includes(SECRET)) throw new Error('a command printed a secret');
      return finished;
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until what was written so far matches. Fails when the command ends before. */
  async says(pattern: RegExp): Promise<void> {
    let ended = false;
    void this.finished.finally(() => (ended = true)).catch(() => undefined);
    while (!pattern.test(this.stdout + this.stderr)) {
      if (ended) throw new Error(`the command ended without saying ${pattern}:\n${this.stdout}${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Runs a command to its end. */
export function reflect(args: string[], options?: ConstructorParameters<typeof ReflectCommand>[1]): Promise<Finished> {
  return new ReflectCommand(args, options).finished;
}
