import type { Pool } from 'pg';

import { openPool } from '../postgres/pool';
import { InvalidStorageSettings } from './errors';
import { PartStorageDriver, type PartStorageOptions } from './parts/part-storage-driver';
import { PostgresParts } from './parts/postgres-parts';

const DEFAULT_TABLE = 'reflect_parts';

interface PostgresStorageOptions extends PartStorageOptions {
  /** A pool is opened with it, and ended by `close`; the next use opens another. It may also stand in pg's own variables, such as PGHOST. */
  connectionString?: string;
  /** A pool of the caller's, who also ends it and listens to its errors; instead of `connectionString`. */
  pool?: Pool;
  /** Connections of a pool that is opened here. Default: 10. */
  maxConnections?: number;
  /**
   * The time limit of one statement in milliseconds; statements that move much data get more. A connection that does not
   * answer in time is replaced. Default: 10000.
   */
  queryTimeoutMs?: number;
  /** The table, also as `schema.table`. Made at the first use, if it is not there. Default: `reflect_parts`. */
  table?: string;
}

/**
 * Keeps large payloads in PostgreSQL: for workers on several machines.
 *
 * @throws InvalidStorageSettings
 */
export function postgresStorage(options: PostgresStorageOptions): PartStorageDriver {
  const { connectionString, pool, maxConnections, queryTimeoutMs, table = DEFAULT_TABLE, ...rest } = options;
  if (pool !== undefined && connectionString !== undefined) {
    throw new InvalidStorageSettings('Give a PostgreSQL storage either a connectionString or a pool');
  }
  const open = () =>
    pool ? { pool, close: async () => undefined } : openPool({ connectionString, maxConnections, queryTimeoutMs });
  const parts = new PostgresParts(open, table, queryTimeoutMs);
  return new PartStorageDriver('durable-reflection.postgres', parts, { name: 'reflect-postgres', ...rest });
}
