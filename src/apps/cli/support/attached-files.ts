import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { ReflectionClient } from '../../../client';
import type { Json, JsonObject } from '../../../lib/json/json';
import { CliError } from './cli-error';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
};

interface NamedFile {
  key: string;
  file: string;
}

function namedFile(pair: string): NamedFile {
  const equals = pair.indexOf('=');
  if (equals >= 1 && equals < pair.length - 1) return { key: pair.slice(0, equals), file: pair.slice(equals + 1) };
  throw new CliError('InvalidState', `--attach ${pair} is not key=FILE.`, 'Write --attach photo=photo.png.');
}

/**
 * Puts files into the storage of large payloads. Without one, small files are put into the state itself.
 * @param pairs such as `photo=photo.png`
 */
export async function attachFiles(client: ReflectionClient, pairs: readonly string[]): Promise<JsonObject> {
  const state: JsonObject = {};
  for (const { key, file } of pairs.map(namedFile)) {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new CliError('FileUnreadable', `Cannot read ${file}: ${(error as Error).message}.`, 'Check the path.');
    });
    const mediaType = MEDIA_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
    const attached = await client.attach(bytes, { mediaType, name: basename(file) }).catch((error: unknown) => {
      const { problems } = error as { problems?: { message: string }[] };
      if (!problems) throw error;
      throw new CliError('InvalidState', `${file} cannot be attached: its bytes ${problems[0]!.message}.`);
    });
    state[key] = attached as Json;
  }
  return state;
}
