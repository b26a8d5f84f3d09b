import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const PROJECT = path.join(__dirname, '..', '..');

/** What is built once and used again: images, programs, downloads. */
export const CACHE = path.resolve(process.env['REFLECT_STACK_CACHE'] ?? path.join(PROJECT, '.reflect', 'stack'));

/** Debian's packages that the stack needs beside Node.js. `.ci/run` installs them. */
export const PACKAGES = readFileSync(path.join(__dirname, 'packages.txt'), 'utf8').trim().split('\n');

const PROGRAMS = [
  'podman',
  'buildah',
  '/usr/sbin/runc',
  '/usr/lib/podman/netavark',
  'catatonit',
  'iptables',
  'ip',
  'debootstrap',
];

const PROBE = 'localhost/stack-probe';

/** Open files, and processes, of a container. */
const MOST = 16_384;

export interface RunOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Prints what the command says, instead of returning it. */
  show?: boolean;
}

/**
 * What a command printed.
 *
 * @throws Error with the end of both outputs if it fails
 */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<string> {
  const [program, ...args] = command as [string, ...string[]];
  const { env, cwd = PROJECT, show = false } = options;
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (piece: Buffer) => (output += String(piece)));
  child.stderr?.on('data', (piece: Buffer) => (errors += String(piece)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return output.trim();
  throw new Error(`${command.join(' ')} ended with ${code}:\n${(output + errors).slice(-2_000)}`);
}

/** Why no containers can be run here; empty where they can. */
export async function missingHere(): Promise<string[]> {
  const missing: string[] = [];
  if (process.platform !== 'linux' || process.arch !== 'x64') missing.push('Linux on x64');
  if (process.getuid?.() !== 0) missing.push('root');
  for (const program of PROGRAMS) {
    const found = program.startsWith('/')
      ? existsSync(program)
      : await run(['sh', '-c', `command -v ${program}`]).then(Boolean, () => false);
    if (!found) missing.push(program);
  }
  return missing;
}

/** Podman and buildah with their images in our cache, and everything else of theirs in a temporary folder, see `in-engine.ts`. */
export class Engine {
  readonly folder: string;
  readonly #store: string[];
  readonly podmanProgram: string;

  private constructor(folder: string, most: number) {
    this.folder = folder;
    this.podmanProgram = path.join(folder, 'podman');
    const store = path.join(CACHE, 'containers');
    const networks = path.join(this.folder, 'networks');
    // What podman knows of containers. It refuses a store that was used with another temporary folder.
    rmSync(path.join(store, 'libpod'), { recursive: true, force: true });
    for (const each of [store, networks]) mkdirSync(each, { recursive: true });
    this.#store = ['--root', store, '--runroot', path.join(this.folder, 'run'), '--storage-driver', 'overlay'];
    const podman = [...this.#store, '--network-config-dir', networks, '--network-backend', 'netavark'];
    podman.push('--tmpdir', path.join(this.folder, 'tmp'), '--volumepath', path.join(this.folder, 'volumes'));
    podman.push('--runtime', '/usr/sbin/runc', '--cgroup-manager', 'cgroupfs', '--events-backend', 'file');
    const settings = path.join(this.folder, 'containers.conf');
    // Without CAP_SYS_RESOURCE a container cannot have more than we may have.
    writeFileSync(settings, `[containers]\ndefault_ulimits = ["nofile=${most}:${most}", "nproc=${most}:${most}"]\n`);
    // There is no systemd to run health checks by a timer: `Compose` runs them.
    const head = `#!/bin/sh\nexport CONTAINERS_CONF=${settings} DISABLE_HC_SYSTEMD=true\n`;
    writeFileSync(this.podmanProgram, `${head}exec podman ${podman.join(' ')} "$@"\n`);
    chmodSync(this.podmanProgram, 0o755);
  }

  /** @param folder temporary; its path has to be short, because podman makes sockets in it */
  static async start(folder: string): Promise<Engine> {
    const files = Number(await run(['sh', '-c', 'ulimit -Hn'])) || MOST;
    const engine = new Engine(folder, Math.min(files, MOST));
    // Those of a run that was killed.
    const left = await engine.podman(['ps', '--all', '--external', '--quiet', '--no-trunc']);
    for (const id of left.split('\n').filter(Boolean)) await engine.podman(['rm', '--force', id]);
    return engine;
  }

  /**
   * Runs the smallest container there is, with a network.
   *
   * @throws Error where the machine has all programs, but lets them run no container
   */
  async probe(): Promise<void> {
    const root = path.join(this.folder, 'probe');
    const program = '/usr/bin/true';
    const libraries = (await run(['ldd', program])).match(/\/\S+/g) ?? [];
    for (const file of [program, ...libraries]) {
      cpSync(file, path.join(root, file), { dereference: true });
    }
    await run(['tar', '-C', root, '-cf', `${root}.tar`, '.']);
    await this.podman(['import', `${root}.tar`, PROBE]);
    await this.podman(['run', '--rm', '--network', 'podman', PROBE, program]);
    await this.podman(['rmi', PROBE]);
  }

  podman(args: readonly string[], options?: RunOptions): Promise<string> {
    return run([this.podmanProgram, ...args], options);
  }

  /**
   * What a container printed, on both of its outputs.
   *
   * @param lines the last ones only
   */
  logs(container: string, lines?: number): Promise<string> {
    const tail = lines === undefined ? [] : ['--tail', String(lines)];
    return run(['sh', '-c', 'exec "$0" logs "$@" 2>&1', this.podmanProgram, ...tail, container]);
  }

  buildah(args: readonly string[], options?: RunOptions): Promise<string> {
    return run(['buildah', ...this.#store, ...args], options);
  }

  async hasImage(name: string): Promise<boolean> {
    return this.podman(['image', 'exists', name]).then(
      () => true,
      () => false,
    );
  }

  async imageBytes(name: string): Promise<number> {
    return Number(await this.podman(['image', 'inspect', '--format', '{{.Size}}', name]));
  }

  /** Removes what ran, and leaves the images. */
  async close(): Promise<void> {
    await this.podman(['rm', '--all', '--force', '--volumes', '--time', '2']).catch(() => {});
    await this.podman(['volume', 'prune', '--force']).catch(() => {});
    await this.podman(['network', 'prune', '--force']).catch(() => {});
  }
}
