import type { PoolClient } from 'pg';
import { inTransaction, openPool, limitStatement } from '../postgres/pool';
import { explainError } from '../postgres/trouble';
import type { Query, SqlDatabase } from './sql-database';

interface Asks {
  query(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * The part of a pool that is used: a pool of `pg` has it. Its own type is not named, because only some programs have `@types/pg`.
 */
export interface PostgresPool extends Asks {
  connect(): Promise<Asks & { release(destroy?: boolean): void }>;
}

function queryOf(asked: Asks): Query {
  return async <Row>(sql: string, parameters: readonly unknown[] = []) => {
    try {
      return (await asked.query(sql, [...parameters])).rows as Row[];
    } catch (error) {
      throw explainError(error);
    }
  };
}

/** Making tables and indexes may take longer than what runs wait for. */
const MIGRATION_MS = 10 * 60_000;

function patient(client: Asks): Asks {
  const own = client as unknown as PoolClient;
  return { query: (sql, parameters = []) => own.query(limitStatement(sql, parameters, MIGRATION_MS)) };
}

/** Returns a PostgreSQL server. A pool of the caller's is not ended. */
export function postgresDatabase(
  server: { connectionString: string; queryTimeoutMs?: number } | { pool: PostgresPool },
): SqlDatabase {
  if ('pool' in server) return databaseOf(server.pool, async () => undefined);
  const { pool, close } = openPool(server);
  return databaseOf(pool, close, patient);
}

function databaseOf(
  pool: PostgresPool,
  close: () => Promise<void>,
  asking = (client: Asks): Asks => client,
): SqlDatabase {
  return {
    query: queryOf(pool),
    transaction: (work) =>
      inTransaction(pool, (client) => work(queryOf(asking(client)))).catch((error: unknown) => {
        throw explainError(error);
      }),
    close,
  };
}
