import type { Pool, PoolClient } from 'pg';

import { inTransaction } from '../postgres/pool';
import { InvalidStorageSettings } from './errors';

/** A table, or schema and table. Unquoted names only: they are easy to type in psql. */
const TABLE = /^(?:[a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,62}$/;

/**
 * The number of the lock that keeps two processes from making the table at the same time, as they would fail each other. Any
 * number that no other program takes will do.
 */
const MIGRATION_LOCK = 7_218_564_301;

/**
 * Returns the table's name in the form of SQL.
 *
 * @throws InvalidStorageSettings
 */
export function quotedTable(table: string): string {
  if (!TABLE.test(table)) {
    throw new InvalidStorageSettings(
      `"${table}" is no table name: use lower case letters, digits and _, and at most one dot`,
    );
  }
  return table
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');
}

/**
 * Returns the SQL that creates what the storage needs in the database. Run it yourself where workers may not create tables; else
 * the first use does.
 *
 * Parts are compressed and moved out of the row by PostgreSQL, and noting that one is needed rewrites only the rest of its row.
 * There is no index on the time: each note would have to change it, and only sweeps look for times.
 */
export function partsTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${quotedTable(table)} (
  namespace text NOT NULL,
  hash bytea NOT NULL,
  content bytea NOT NULL,
  last_needed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace, hash)
)`;
}

/** Makes the table, unless it is there already: then no right to create tables is needed. */
export async function migrate(pool: Pool, table: string): Promise<void> {
  const name = quotedTable(table);
  const { rows } = await pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name]);
  if (rows[0]?.there) return;
  await inTransaction(pool, async (client: PoolClient) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(partsTableSql(table));
  });
}
