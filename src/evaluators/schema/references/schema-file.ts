import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path';
import type { Document } from 'yaml';
import { isJson, isJsonObject } from '../../../lib/json/json';
import { BoundedCache } from '../../../lib/threads/bounded-cache';
import { decodeUriPart, type JsonSchema } from '../schema-walk';

const MAX_BYTES = 512 * 1024;
const CACHED_FILES = 200;
const CACHED_BYTES = 16 * 1024 * 1024;

export interface SchemaFolder {
  root: string;
  /** Precedes the names of files in references by address; ends with a slash. Default: it has no address. */
  address?: string;
}

export interface SchemaFile {
  /** The path below the root, with slashes: the name that users know. */
  name: string;
  schema: JsonSchema;
}

/** Thrown with the reason why a file cannot be used, which discloses nothing about files outside of the root. */
export class SchemaFileRefused extends Error {
  override name = 'SchemaFileRefused';
}

const cache = new BoundedCache<{ schema: JsonSchema; bytes: number }>({
  entries: CACHED_FILES,
  size: CACHED_BYTES,
  sizeOf: ({ bytes }) => bytes,
});

/** The file must be below the root, symbolic links followed. Kept while its time, size and identity stay. Throws SchemaFileRefused. */
export function readSchemaFile(root: string, from: string, reference: string): SchemaFile {
  const path = join(dirname(from), decodeUriPart(reference));
  const name = path.split(sep).join('/');
  // By the words alone first: outside of the root, not even existence is disclosed.
  if (isAbsolute(decodeUriPart(reference)) || isOutside(path))
    throw new SchemaFileRefused('leads out of the schema folder');
  const realRoot = realPath(root);
  if (realRoot === undefined) throw new SchemaFileRefused('the schema folder of the worker cannot be read');
  const real = realPath(join(realRoot, path));
  if (real === undefined) throw new SchemaFileRefused(`there is no file ${name} in the schema folder`);
  if (isOutside(relative(realRoot, real))) throw new SchemaFileRefused('leads out of the schema folder');
  return { name, schema: contentOf(real, name) };
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
  const file = openFile(path, name);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) throw new SchemaFileRefused(`${name} is no file`);
    if (stats.size > MAX_BYTES) throw new SchemaFileRefused(`${name} is larger than ${MAX_BYTES} bytes`);
    const identity = [path, stats.dev, stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].join('\0');
    const read = () => ({ schema: parseSchema(readFileSync(file, 'utf8'), name), bytes: Number(stats.size) });
    return cache.getOrMake(identity, read).schema;
  } finally {
    closeSync(file);
  }
}

function openFile(path: string, name: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // The system's own message would disclose where the folder is.
    throw new SchemaFileRefused(`${name} cannot be opened`);
  }
}

function parseSchema(text: string, name: string): JsonSchema {
  const isJsonFile = extname(name) === '.json';
  let value: unknown;
  try {
    value = isJsonFile ? JSON.parse(text) : yamlValue(text);
  } catch (error) {
    const why = (error as Error).message.slice(0, 200);
    throw new SchemaFileRefused(`${name} is no ${isJsonFile ? 'JSON' : 'YAML that can be used'}: ${why}`);
  }
  if (!isJson(value)) {
    const why = isJsonFile ? 'is nested too deeply' : 'holds what JSON cannot say, or is nested too deeply';
    throw new SchemaFileRefused(`${name} ${why}`);
  }
  if (typeof value === 'boolean' || isJsonObject(value)) return value;
  throw new SchemaFileRefused(`${name} holds no JSON Schema, which is an object or a boolean`);
}

/** Loads the YAML package only when it is needed: a worker must be up again soon after a crash. */
function yaml(): typeof import('yaml') {
  return require('yaml') as typeof import('yaml');
}

function yamlValue(text: string): unknown {
  const { parseDocument } = yaml();
  // The parser would compare each key with each other one.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const [mistake] = [...document.errors, ...document.warnings];
  if (mistake) throw mistake;
  const twice = repeatedKey(document);
  if (twice !== undefined) throw new Error(`the key ${JSON.stringify(twice)} is there twice in one object`);
  // Aliases of aliases are refused once they would make a hundred copies.
  return document.toJS({ maxAliasCount: 100 });
}

function repeatedKey(document: Document.Parsed): string | undefined {
  const { isScalar, visit } = yaml();
  let repeated: string | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      const names = items.flatMap(({ key }) => (isScalar(key) ? String(key.value) : []));
      repeated = names.find((name) => seen.has(name) || !seen.add(name));
      return repeated === undefined ? undefined : visit.BREAK;
    },
  });
  return repeated;
}
