import type { Pool, PoolClient, QueryResultRow } from 'pg';
import {
  type BoundedPool,
  inTransaction,
  limitStatement,
  onceDone,
  openPool,
  QUERY_TIMEOUT_MS,
  transferMs,
} from '../postgres/pool';
import { ObjectStorageDriver, type ObjectStorageOptions } from './object-storage-driver';
import type { ListedObject, ObjectStore, StoredObject, SweepOptions } from './object-store';

const DEFAULT_TABLE = 'reflect_payloads';

/** Keeps two processes from making the table at the same time. Any number that no other program takes will do. */
const MIGRATION_LOCK = 7_218_564_301;

/** The maximum size of one statement, so that a large batch is not in memory twice. */
const STATEMENT_BYTES = 8 * 1_024 * 1_024;
const STATEMENT_OBJECTS = 500;

/** How much a read will bring is not known before; most bring less. */
const READ_BYTES = 4 * 1_024 * 1_024;

const SWEEP_MS = 10 * 60_000;

/** Rows that a sweep deletes in one transaction: short ones keep no other transaction waiting. */
const SWEEP_ROWS = 1_000;

interface PostgresStorageOptions extends ObjectStorageOptions {
  /** A pool is opened with it, and ended by `close`; the next use opens another. */
  connectionString: string;
  /** The limit of one statement in milliseconds; statements that move much data get more. Default: 10000. */
  queryTimeoutMs?: number;
  /** Made at the first use, if it is not there. Default: `reflect_payloads`. */
  table?: string;
}

/** Keeps large payloads in PostgreSQL: for workers on several machines. */
export function postgresStorage(options: PostgresStorageOptions): ObjectStorageDriver {
  const { connectionString, queryTimeoutMs = QUERY_TIMEOUT_MS, table = DEFAULT_TABLE, ...rest } = options;
  const store = new PostgresStore(() => openPool({ connectionString, queryTimeoutMs }), table, queryTimeoutMs);
  return new ObjectStorageDriver('durable-reflection.postgres', 'reflect-postgres', store, rest);
}

/**
 * SQL that creates what the storage needs in the database. PostgreSQL moves objects out of the row, so noting that one is needed
 * rewrites only the rest of its row. There is no index on the time: each note would have to change it, and only sweeps look for
 * times.
 */
export function payloadsTableSql(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
  namespace text NOT NULL,
  hash bytea NOT NULL,
  content bytea NOT NULL,
  last_needed timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace, hash)
)`;
}

/** Makes the table, unless it is there already: then no right to create tables is needed. */
async function migrate(pool: Pool, table: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
  if (rows[0]?.there) return;
  await inTransaction(pool, async (client: PoolClient) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(payloadsTableSql(table));
  });
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex');

class PostgresStore implements ObjectStore {
  readonly description: string;
  readonly #migrated = onceDone(() => migrate((this.#pool ??= this.open()).pool, this.table));
  #pool: BoundedPool | undefined;

  /** @param open gives the pool when it is needed: at the first use, and at the first one after `close` */
  constructor(
    private readonly open: () => BoundedPool,
    private readonly table: string,
    private readonly queryTimeoutMs: number,
  ) {
    this.description = `PostgreSQL table "${table}"`;
  }

  /** @param longerMs the time in addition to that of a statement that moves little data */
  async #ask<Row extends QueryResultRow>(text: string, values: unknown[], longerMs = 0): Promise<Row[]> {
    await this.#migrated();
    this.#pool ??= this.open();
    const { rows } = await this.#pool.pool.query<Row>(limitStatement(text, values, this.queryTimeoutMs + longerMs));
    return rows;
  }

  async put(namespace: string, objects: readonly StoredObject[], signal?: AbortSignal): Promise<void> {
    // Rows are always locked in this order, so that two workers with the same objects never wait for each other.
    const sorted = objects.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    const present = await this.noteNeed(
      namespace,
      sorted.map(({ hash }) => hash),
    );
    for (const batch of batches(sorted.filter(({ hash }) => !present.has(hash)))) {
      signal?.throwIfAborted();
      const rows = batch.map((_, index) => `($1, $${index * 2 + 2}, $${index * 2 + 3})`).join(', ');
      await this.#ask(
        `INSERT INTO ${this.table} (namespace, hash, content) VALUES ${rows}
         ON CONFLICT (namespace, hash) DO UPDATE SET last_needed = now()`,
        [namespace, ...batch.flatMap(({ hash, bytes }) => [bytesOf(hash), bytes])],
        transferMs(batch.reduce((sum, { bytes }) => sum + bytes.length, 0)),
      );
    }
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    signal?.throwIfAborted();
    const rows = await this.#ask<{ hash: Buffer; content: Buffer }>(
      `SELECT hash, content FROM ${this.table} WHERE namespace = $1 AND hash = ANY($2::bytea[])`,
      [namespace, hashes.map(bytesOf)],
      transferMs(READ_BYTES),
    );
    return new Map(rows.map(({ hash, content }) => [hash.toString('hex'), content]));
  }

  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.#ask<{ hash: Buffer }>(
      `WITH present AS (
         SELECT hash FROM ${this.table} WHERE namespace = $1 AND hash = ANY($2::bytea[]) ORDER BY hash FOR UPDATE
       )
       UPDATE ${this.table} object SET last_needed = now() FROM present
       WHERE object.namespace = $1 AND object.hash = present.hash
       RETURNING object.hash`,
      [namespace, hashes.map(bytesOf)],
    );
    return new Set(rows.map(({ hash }) => hash.toString('hex')));
  }

  /** Rows are listed by their place in the table, which another version of a row does not keep. */
  async *list({ olderThanMs, namespace }: SweepOptions): AsyncIterableIterator<ListedObject[], void> {
    for (;;) {
      const page = await this.#ask<{ key: string; bytes: number }>(
        `SELECT ctid::text AS key, octet_length(content) AS bytes FROM ${this.table}
         WHERE last_needed < now() - $1 * interval '1 millisecond' AND ($2::text IS NULL OR namespace = $2)
         LIMIT ${SWEEP_ROWS}`,
        [olderThanMs, namespace ?? null],
        SWEEP_MS,
      );
      if (page.length === 0) return;
      yield page;
    }
  }

  /** The check of the time is repeated for rows that changed while the statement waited for them. */
  async delete(objects: readonly ListedObject[], olderThanMs: number): Promise<ListedObject[]> {
    return this.#ask<{ key: string; bytes: number }>(
      `DELETE FROM ${this.table}
       WHERE ctid = ANY($2::text[]::tid[]) AND last_needed < now() - $1 * interval '1 millisecond'
       RETURNING ctid::text AS key, octet_length(content) AS bytes`,
      [olderThanMs, objects.map(({ key }) => key)],
      SWEEP_MS,
    );
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.close();
  }
}

function batches(objects: readonly StoredObject[]): StoredObject[][] {
  const all: StoredObject[][] = [];
  let bytes = 0;
  for (const object of objects) {
    const last = all.at(-1);
    if (last !== undefined && last.length < STATEMENT_OBJECTS && bytes + object.bytes.length <= STATEMENT_BYTES)
      last.push(object);
    else {
      all.push([object]);
      bytes = 0;
    }
    bytes += object.bytes.length;
  }
  return all;
}
