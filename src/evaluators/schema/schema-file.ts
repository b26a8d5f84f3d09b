import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import type { Document } from 'yaml';
import { isJson, isJsonObject, type Json } from '../../domain/base/json';
import { BoundedCache } from '../../threads/bounded-cache';
import type { JsonSchema } from './schema-walk';

const MAX_BYTES = 512 * 1024;
const CACHED_FILES = 200;
const CACHED_BYTES = 16 * 1024 * 1024;

/** A schema file that was read. */
export interface SchemaFile {
  /** Below the root, with slashes: what people know it by. */
  name: string;
  schema: JsonSchema;
}

/** Why a file cannot be used, told without saying anything about files outside of the root. */
export class SchemaFileRefused extends Error {
  override name = 'SchemaFileRefused';
}

const cache = new BoundedCache<{ schema: JsonSchema; bytes: number }>({
  entries: CACHED_FILES,
  size: CACHED_BYTES,
  sizeOf: ({ bytes }) => bytes,
});

/**
 * Reads a schema file below a root. Where it really is, symbolic links followed, must be below the root, too. Content is kept
 * as long as the file's time, size and identity stay the same.
 *
 * @throws SchemaFileRefused
 */
export function readSchemaFile(root: string, from: string, reference: string): SchemaFile {
  const path = join(dirname(from), decoded(reference));
  const name = path.split(sep).join('/');
  // By the words alone first: outside of the root, not even existence is told.
  if (isAbsolute(decoded(reference)) || isOutside(path)) throw new SchemaFileRefused('leads out of the schema folder');
  const realRoot = realPath(root);
  if (realRoot === undefined) throw new SchemaFileRefused('the schema folder of the worker cannot be read');
  const real = realPath(join(realRoot, path));
  if (real === undefined) throw new SchemaFileRefused(`there is no file ${name} in the schema folder`);
  if (isOutside(relative(realRoot, real))) throw new SchemaFileRefused('leads out of the schema folder');
  return { name, schema: contentOf(real, name) };
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) || path.includes('\0');
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function contentOf(path: string, name: string): JsonSchema {
  // Not a link by now, and never a pipe that would be waited for.
  const file = opened(path, name);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new SchemaFileRefused(`${name} is no file`);
    if (stats.size > MAX_BYTES) throw new SchemaFileRefused(`${name} is larger than ${MAX_BYTES} bytes`);
    const identity = [path, stats.dev, stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join('\0');
    const read = () => ({ schema: parsed(readFileSync(file, 'utf8'), name), bytes: Number(stats.size) });
    return cache.getOrMake(identity, read).schema;
  } finally {
    closeSync(file);
  }
}

function opened(path: string, name: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // The system's own message would tell where the folder is.
    throw new SchemaFileRefused(`${name} cannot be opened`);
  }
}

function parsed(text: string, name: string): JsonSchema {
  const value = extname(name) === '.json' ? parsedJson(text, name) : parsedYaml(text, name);
  if (typeof value === 'boolean' || isJsonObject(value)) return value;
  throw new SchemaFileRefused(`${name} holds no JSON Schema, which is an object or a boolean`);
}

function parsedJson(text: string, name: string): Json {
  try {
    const value = JSON.parse(text) as unknown;
    if (isJson(value)) return value;
  } catch (error) {
    throw new SchemaFileRefused(`${name} is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  throw new SchemaFileRefused(`${name} is nested too deeply`);
}

/** Loaded where it is needed: a worker must be up again soon after a crash. */
function yaml(): typeof import('yaml') {
  return require('yaml') as typeof import('yaml');
}

function parsedYaml(text: string, name: string): Json {
  try {
    const { parseDocument } = yaml();
    // The parser would compare each key with each other one.
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
    const [mistake] = [...document.errors, ...document.warnings];
    if (mistake) throw mistake;
    const twice = repeatedKey(document);
    if (twice !== undefined) throw new Error(`the key ${JSON.stringify(twice)} is there twice in one object`);
    // Aliases of aliases are refused once they would make a hundred copies.
    const value = document.toJS({ maxAliasCount: 100 }) as unknown;
    if (isJson(value)) return value;
  } catch (error) {
    throw new SchemaFileRefused(`${name} is no YAML that can be used: ${(error as Error).message.slice(0, 200)}`);
  }
  throw new SchemaFileRefused(`${name} holds what JSON cannot say, or is nested too deeply`);
}

function repeatedKey(document: Document.Parsed): string | undefined {
  const { isScalar, visit } = yaml();
  let repeated: string | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) continue;
        if (seen.has(name)) {
          repeated = name;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return repeated;
}
