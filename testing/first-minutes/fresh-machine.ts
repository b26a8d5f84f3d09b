import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually';

const GIVE_UP_AFTER_MS = 30 * 60_000;
const LAST_CHARACTERS = 2_000;

/** Where npm and Go are told of a registry or proxy. It is no cache, so a new home folder keeps it. */
const SETTINGS_OF_HOME: Record<string, string> = {
  npm_config_userconfig: '.npmrc',
  GOENV: path.join('.config', 'go', 'env'),
};

/** Variables of this repository's processes, and places of caches. */
const NOT_FRESH =
  /^(?:npm_(?!config_(?:registry|cafile|userconfig|globalconfig)$)|NODE_OPTIONS$|OPENAI_|REFLECT_|TEMPORAL_|XDG_|GO(?!PROXY|SUMDB|NOSUMDB|PRIVATE|ENV|INSECURE))/;

function freshEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !NOT_FRESH.test(name));
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(kept), HOME: home, NO_COLOR: '1' };
  for (const [name, file] of Object.entries(SETTINGS_OF_HOME)) {
    const own = path.join(os.homedir(), file);
    if (env[name] === undefined && existsSync(own)) env[name] = own;
  }
  // Go makes what it fetched read-only, and then it cannot be deleted.
  return { ...env, GOFLAGS: '-modcacherw' };
}

/**
 * A machine as somebody has it who was never here: an empty home folder, and so empty caches of npm, pip, Go, Maven and this
 * package. It has the programs of this machine, and its settings of registries.
 */
export class FreshMachine {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'first-minutes-'));
  readonly env: NodeJS.ProcessEnv;
  readonly #started: ChildProcess[] = [];

  constructor() {
    const home = path.join(this.folder, 'home');
    mkdirSync(home);
    this.env = freshEnvironment(home);
  }

  /** Runs a command to its end, in a folder of the machine. Returns what it wrote to standard output. */
  async run(command: string, args: readonly string[], folder = '.'): Promise<string> {
    const options = { cwd: path.join(this.folder, folder), env: this.env, timeout: GIVE_UP_AFTER_MS };
    try {
      return (await promisify(execFile)(command, [...args], { ...options, maxBuffer: 100_000_000 })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
      throw new Error(`${message.slice(0, 200)}\n${`${stdout}${stderr}`.slice(-LAST_CHARACTERS)}`, { cause: error });
    }
  }

  /** Starts a command that goes on, and waits for what it says once it is ready. */
  async start(command: string, args: readonly string[], readyWhen: RegExp, folder = '.'): Promise<void> {
    const options = { cwd: path.join(this.folder, folder), env: this.env, detached: true };
    const child = spawn(command, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#started.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += String(piece)));
    await eventually(
      () => {
        if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended: ${said}`);
        return said;
      },
      (text) => readyWhen.test(text),
      GIVE_UP_AFTER_MS,
    );
  }

  /** Has the machine know a variable from now on. */
  set(variables: Record<string, string>): void {
    Object.assign(this.env, variables);
  }

  /** Ends what goes on, and deletes the machine. */
  close(): void {
    for (const { pid, exitCode } of this.#started)
      if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Returns the file of a Python that can be started from any home folder: a version manager's command finds its versions in the
 * one that it was installed in. Undefined where there is none.
 */
export function findPython(): string | undefined {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** Returns whether a program is installed. */
export function isInstalled(program: string, versionFlag: string): boolean {
  try {
    execFileSync(program, [versionFlag], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
