import { Pool } from 'pg';
import type { Query, SqlDatabase } from './sql-database';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

interface Asks {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** What is asked of a pool: one of `pg` is such. Its own type is not named, because only some programs have `@types/pg`. */
export interface PostgresPool extends Asks {
  connect(): Promise<Asks & { release(destroy?: boolean): void }>;
}

function queryOf(asked: Asks): Query {
  return async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    (await asked.query(sql, [...parameters])).rows as Row[];
}

/** A PostgreSQL server. A pool of the caller's is not ended. */
export function postgresDatabase(server: { connectionString: string } | { pool: PostgresPool }): SqlDatabase {
  if ('pool' in server) return databaseOf(server.pool, async () => undefined);
  const pool = openPool(server.connectionString);
  return databaseOf(pool, () => pool.end());
}

function databaseOf(pool: PostgresPool, close: () => Promise<void>): SqlDatabase {
  return {
    query: queryOf(pool),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(queryOf(client));
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        // Ends the connection, and with it the transaction.
        client.release(true);
        throw error;
      }
    },
    close,
  };
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A command line program that forgets to close must still end.
    allowExitOnIdle: true,
    application_name: 'durable-reflection',
  });
  // An idle connection that the server ends would end the process. The next query opens another.
  pool.on('error', () => {});
  return pool;
}
