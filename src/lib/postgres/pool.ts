import type { Pool, PoolClient, QueryConfig } from 'pg';
import { atMost } from '../timeout';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/** A statement that moves little is answered in milliseconds: after so long, the other side is taken for gone. */
export const QUERY_TIMEOUT_MS = 10_000;

/** The time after which the server gives up a statement that no caller waits for any more, such as one that waits for a lock. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** The slowest line that is reckoned with. */
const BYTES_A_SECOND = 512 * 1_024;

/** Before the system asks an idle connection whether its other side is still there. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** The time that connections which still work get when a pool is closed. */
const CLOSE_MS = 2_000;

interface PoolSettings {
  /** Also as pg's own variables, such as PGHOST. What it says of timeouts wins: `?statement_timeout=0`. */
  connectionString?: string | undefined;
  /** Default: 10. */
  maxConnections?: number | undefined;
  /** Milliseconds that one statement may take. Default: 10000. */
  queryTimeoutMs?: number | undefined;
}

/** A pool of connections, none of which can be waited for without end. */
export interface BoundedPool {
  pool: Pool;
  /** Ends within two seconds, also when connections are silent. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens a pool. A server that is silent, because of a failover or a router that forgot the connection, fails a statement after its
 * time; the connection is then replaced.
 */
export function openPool({ connectionString, maxConnections, queryTimeoutMs }: PoolSettings): BoundedPool {
  // Loaded where it is needed: a worker must be up again soon after a crash.
  const pg = require('pg') as typeof import('pg');
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections ?? CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // A command line program that forgets to close must still end.
    allowExitOnIdle: true,
    application_name: 'durable-reflection',
  });
  // An idle connection that the server ends would end the process. The next query opens another.
  pool.on('error', () => {});
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  let closing: Promise<void> | undefined;
  return { pool, close: () => (closing ??= closePool(pool, open)) };
}

interface Transacting {
  query(sql: string): Promise<unknown>;
  release(destroy?: boolean): void;
}

export async function inTransaction<Client extends Transacting, T>(
  pool: { connect(): Promise<Client> },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Ends the connection, and with it the transaction.
    client.release(true);
    throw error;
  }
}

/** Does something that has to be done once; again if it failed, for the next call may find the database awake. */
export function onceDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

/** Returns a statement with a time of its own, in milliseconds. `pg` knows the name, and its types do not. */
export function limitStatement(text: string, values: unknown[], timeoutMs: number): QueryConfig<unknown[]> {
  const config: QueryConfig<unknown[]> & { query_timeout: number } = { text, values, query_timeout: timeoutMs };
  return config;
}

export function transferMs(bytes: number): number {
  return Math.ceil((bytes * 1_000) / BYTES_A_SECOND);
}

interface WithSocket {
  connection?: { stream?: { destroy(): void } };
}

/** Closes a pool. `end` alone waits for statements that are under way; on a silent connection that is for ever. */
async function closePool(pool: Pool, open: ReadonlySet<PoolClient>): Promise<void> {
  await atMost(CLOSE_MS, pool.end());
  for (const client of open) (client as unknown as WithSocket).connection?.stream?.destroy();
}
