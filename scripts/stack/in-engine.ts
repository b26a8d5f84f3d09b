import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engine, missingHere, PACKAGES } from './engine';
import { startNameServer } from './name-server';

/** What a script does with containers. Each part runs in a process of its own, see `isolated.sh`. */
export interface EngineScript {
  /** Makes what is needed, with the machine's network. */
  prepare(engine: Engine): Promise<void>;
  /** Runs containers, in a network of their own that leads nowhere else. */
  play(engine: Engine): Promise<void>;
}

type Part = 'probe' | keyof EngineScript;

const PARTS: readonly Part[] = ['probe', 'prepare', ...(process.argv.includes('--prepare') ? [] : ['play' as const])];
/** Tell the process which part it is, and its temporary folder. */
const PART = 'REFLECT_STACK_PART';
const FOLDER = 'REFLECT_STACK_FOLDER';

/** Runs one part, and returns its exit code. When this process ends, however it does, all processes of the part end. */
async function runPart(part: Part, folder: string): Promise<number> {
  const own = path.join(folder, part);
  mkdirSync(own);
  const network = part === 'prepare' ? 'machine' : 'own';
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  if (network === 'own') namespaces.push('--net');
  const script = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const command = ['sh', path.join(__dirname, 'isolated.sh'), own, network, ...script];
  const unshare = ['--pdeathsig', 'KILL', 'unshare', ...namespaces, '--', ...command];
  const child = spawn('setpriv', unshare, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [PART]: part, [FOLDER]: own },
  });
  const stop = (): void => void child.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop);
  return code;
}

async function inPart(part: Part, script: EngineScript): Promise<void> {
  const engine = await Engine.start(process.env[FOLDER]!);
  if (part !== 'prepare') await startNameServer();
  try {
    if (part === 'probe') await engine.probe();
    else await script[part](engine);
  } finally {
    await engine.close();
  }
}

async function allParts(): Promise<number> {
  const missing = await missingHere();
  if (missing.length > 0) return unavailable(`${missing.join(', ')} missing. apt-get install ${PACKAGES.join(' ')}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-stack-'));
  try {
    for (const part of PARTS) {
      const code = await runPart(part, folder);
      if (code !== 0) return part === 'probe' ? unavailable('one that was tried failed, see above.') : code;
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unavailable(why: string): number {
  console.log(`No containers can be run here: ${why}`);
  return process.argv.includes('--if-available') ? 0 : 1;
}

/**
 * Runs a script in a container engine, and ends the process; with `--if-available` well where no container can be run, and with
 * `--prepare` after the first part.
 */
export async function inEngine(script: EngineScript): Promise<never> {
  const part = process.env[PART] as Part | undefined;
  try {
    process.exit(part === undefined ? await allParts() : await inPart(part, script).then(() => 0));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
