import { Pool } from 'pg';

import { InvalidStorageSettings } from './errors';
import { PartStorageDriver, type PartStorageOptions } from './part-storage-driver';
import { PostgresParts } from './postgres-parts';

const DEFAULT_TABLE = 'reflect_parts';
const DEFAULT_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

export interface PostgresStorageOptions extends PartStorageOptions {
  /** A pool is opened with it, and ended by `close`; the next use opens another. It may also stand in pg's own variables, such as PGHOST. */
  connectionString?: string;
  /** A pool of the caller's, who also ends it and listens to its errors; instead of `connectionString`. */
  pool?: Pool;
  /** Connections of a pool that is opened here. Default: 10. */
  maxConnections?: number;
  /** The table, also as `schema.table`. Made at the first use, if it is not there. Default: `reflect_parts`. */
  table?: string;
}

/**
 * Keeps large payloads in PostgreSQL: for workers on several machines.
 *
 * @throws InvalidStorageSettings
 */
export function postgresStorage(options: PostgresStorageOptions): PartStorageDriver {
  const { connectionString, pool, maxConnections, table = DEFAULT_TABLE, ...rest } = options;
  if (pool !== undefined && connectionString !== undefined) {
    throw new InvalidStorageSettings('Give a PostgreSQL storage either a connectionString or a pool');
  }
  const open = () => pool ?? openPool(connectionString, maxConnections);
  const parts = new PostgresParts(open, table, pool === undefined);
  return new PartStorageDriver('durable-reflection.postgres', parts, { name: 'reflect-postgres', ...rest });
}

function openPool(connectionString: string | undefined, max = DEFAULT_CONNECTIONS): Pool {
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A command line program that forgets to close must still end.
    allowExitOnIdle: true,
    application_name: 'durable-reflection',
  });
  // An idle connection that the server ends would end the process. The next query opens another.
  pool.on('error', () => {});
  return pool;
}
