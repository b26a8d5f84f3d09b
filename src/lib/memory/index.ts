import ms, { type StringValue } from 'ms';
import { assertInstalled } from '../optional-packages';
import { pgliteDatabase } from './pglite-database';
import { postgresDatabase, type PostgresPool } from './postgres-database';
import { SqlMemory } from './sql-memory';
import type { Memory, MemoryOptions } from './types';

export { MemoryInUseError } from './errors';
export type { Embedder, Memory, MemoryOptions } from './types';

const DEFAULT_MEMORY_FOLDER = '.reflect/memory';

/** Long, because forgetting or embedding many insights by hand takes time. */
const QUERY_TIMEOUT_MS = 60_000;

/** The location of a memory, and how it recalls. At most one of the locations may be given. */
export interface MemorySettings extends MemoryOptions {
  /** URL of a PostgreSQL server, for workers on several machines. */
  connectionString?: string;
  /** A pool that the caller owns and closes, such as one of `pg`. */
  pool?: PostgresPool;
  /**
   * Milliseconds that one statement of a PostgreSQL server may take; a connection that is silent for longer is
   * replaced. Default: 4000 in a worker, otherwise 60000.
   */
  queryTimeoutMs?: number;
  /** Folder of the embedded database, for the processes of one machine. */
  folder?: string;
}

/**
 * Opens a memory: in PostgreSQL if a server is given, otherwise in a folder. Nothing is opened before it is used.
 *
 * @throws TypeError if more than one location is given; PackageMissing for a folder without the package of the embedded database
 */
export function openMemory({
  connectionString,
  pool,
  folder,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
  ...options
}: MemorySettings = {}): Memory {
  if ([connectionString, pool, folder].filter((place) => place !== undefined).length > 1) {
    throw new TypeError('A memory has one place: a connectionString, a pool or a folder');
  }
  if (pool) return new SqlMemory(postgresDatabase({ pool }), options);
  if (connectionString) return new SqlMemory(postgresDatabase({ connectionString, queryTimeoutMs }), options);
  assertInstalled('Embedded memory');
  return new SqlMemory(pgliteDatabase(folder ?? DEFAULT_MEMORY_FOLDER), options);
}

function expiryFrom(env: NodeJS.ProcessEnv): Pick<MemoryOptions, 'expiresAfterMs'> {
  const text = env['REFLECT_MEMORY_EXPIRES_AFTER'];
  if (!text) return {};
  const expiresAfterMs = ms(text as StringValue);
  if (expiresAfterMs > 0) return { expiresAfterMs };
  throw new TypeError(`REFLECT_MEMORY_EXPIRES_AFTER must be a duration such as 90d, and is "${text}"`);
}

function capFrom(env: NodeJS.ProcessEnv): Pick<MemoryOptions, 'maxPerAgent'> {
  const text = env['REFLECT_MEMORY_PER_AGENT'];
  if (!text) return {};
  if (/^[1-9]\d{0,8}$/.test(text)) return { maxPerAgent: Number(text) };
  throw new TypeError(`REFLECT_MEMORY_PER_AGENT must be a whole number above 0, and is "${text}"`);
}

function placeFrom(env: NodeJS.ProcessEnv): Pick<MemorySettings, 'connectionString' | 'folder'> {
  const connectionString = env['DATABASE_URL'];
  if (connectionString) return { connectionString };
  return { folder: env['REFLECT_MEMORY_FOLDER'] || DEFAULT_MEMORY_FOLDER };
}

/**
 * Creates a memory. Settings that code leaves out are those of the environment: the location is `DATABASE_URL`, else
 * `REFLECT_MEMORY_FOLDER`, else `.reflect/memory`; `expiresAfterMs` is `REFLECT_MEMORY_EXPIRES_AFTER`, `maxPerAgent` is
 * `REFLECT_MEMORY_PER_AGENT`. Throws TypeError for settings that cannot be read, or more than one place; PackageMissing.
 */
export function memoryFrom(env: NodeJS.ProcessEnv, settings: MemorySettings = {}): Memory {
  const { connectionString, pool, folder, expiresAfterMs, maxPerAgent } = settings;
  const isPlaced = [connectionString, pool, folder].some((place) => place !== undefined);
  return openMemory({
    ...settings,
    ...(isPlaced ? {} : placeFrom(env)),
    ...(expiresAfterMs === undefined ? expiryFrom(env) : {}),
    ...(maxPerAgent === undefined ? capFrom(env) : {}),
  });
}
