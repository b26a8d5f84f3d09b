import type { QueryResultRow } from 'pg';

import { type BoundedPool, onceDone, QUERY_TIMEOUT_MS, limitStatement, transferMs } from '../../postgres/pool';

import type { Part } from './part';
import type { PartStore, SweepOptions, SweepResult } from './part-store';
import { migrate, quotedTable } from '../postgres-table';

/** The maximum size of one statement, so that a large batch is not in memory twice. */
const STATEMENT_BYTES = 8 * 1_024 * 1_024;
const STATEMENT_PARTS = 500;

/** How much a read will bring is not known before; most bring less. */
const READ_BYTES = 4 * 1_024 * 1_024;

/** A sweep looks at all rows, and may do so for long. */
const SWEEP_MS = 10 * 60_000;

/** Rows that a sweep deletes in one transaction: short ones keep no other transaction waiting. */
const SWEEP_ROWS = 1_000;

/** Parts as rows of one table. */
export class PostgresParts implements PartStore {
  readonly description: string;
  readonly #table: string;
  readonly #migrated = onceDone(() => migrate((this.#pool ??= this.open()).pool, this.table));
  #pool: BoundedPool | undefined;

  /**
   * @param open gives the pool when it is needed: at the first use, and at the first one after `close`
   * @throws InvalidStorageSettings
   */
  constructor(
    private readonly open: () => BoundedPool,
    private readonly table: string,
    private readonly queryTimeoutMs = QUERY_TIMEOUT_MS,
  ) {
    this.description = `PostgreSQL table "${table}"`;
    this.#table = quotedTable(table);
  }

  /** @param longerMs the time in addition to that of a statement that moves little data */
  async #ask<Row extends QueryResultRow>(text: string, values: unknown[], longerMs = 0): Promise<Row[]> {
    this.#pool ??= this.open();
    const { rows } = await this.#pool.pool.query<Row>(limitStatement(text, values, this.queryTimeoutMs + longerMs));
    return rows;
  }

  async put(namespace: string, parts: readonly Part[], signal?: AbortSignal): Promise<void> {
    await this.#migrated();
    // Rows are always locked in this order, so that two workers with the same parts never wait for each other.
    const sorted = parts.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    const present = await this.noteNeed(
      namespace,
      sorted.map(({ hash }) => hash),
    );
    for (const batch of batches(sorted.filter(({ hash }) => !present.has(hash)))) {
      signal?.throwIfAborted();
      const rows = batch.map((_, index) => `($1, $${index * 2 + 2}, $${index * 2 + 3})`).join(', ');
      await this.#ask(
        `INSERT INTO ${this.#table} (namespace, hash, content) VALUES ${rows}
         ON CONFLICT (namespace, hash) DO UPDATE SET last_needed = now()`,
        [namespace, ...batch.flatMap(({ hash, bytes }) => [Buffer.from(hash, 'hex'), bytes])],
        transferMs(batch.reduce((sum, { bytes }) => sum + bytes.length, 0)),
      );
    }
  }

  async get(namespace: string, hashes: readonly string[], signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    await this.#migrated();
    signal?.throwIfAborted();
    const rows = await this.#ask<{ hash: Buffer; content: Buffer }>(
      `SELECT hash, content FROM ${this.#table} WHERE namespace = $1 AND hash = ANY($2::bytea[])`,
      [namespace, hashes.map((hash) => Buffer.from(hash, 'hex'))],
      transferMs(READ_BYTES),
    );
    return new Map(rows.map(({ hash, content }) => [hash.toString('hex'), content]));
  }

  async sweep({ olderThanMs, namespace }: SweepOptions): Promise<SweepResult> {
    await this.#migrated();
    const result: SweepResult = { deletedParts: 0, freedBytes: 0 };
    for (;;) {
      // The time is checked twice: the second check is repeated for rows that changed while it waited for them.
      const rows = await this.#ask<{ bytes: number }>(
        `WITH cutoff AS (SELECT now() - $1 * interval '1 millisecond' AS before)
         DELETE FROM ${this.#table} USING cutoff
         WHERE ctid = ANY(ARRAY(
           SELECT part.ctid FROM ${this.#table} part, cutoff
           WHERE part.last_needed < cutoff.before AND ($2::text IS NULL OR part.namespace = $2) LIMIT ${SWEEP_ROWS}
         )) AND last_needed < cutoff.before
         RETURNING octet_length(content) AS bytes`,
        [olderThanMs, namespace ?? null],
        SWEEP_MS,
      );
      result.deletedParts += rows.length;
      result.freedBytes += rows.reduce((sum, { bytes }) => sum + bytes, 0);
      if (rows.length === 0) return result;
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.close();
  }

  async noteNeed(namespace: string, hashes: readonly string[]): Promise<Set<string>> {
    await this.#migrated();
    const rows = await this.#ask<{ hash: Buffer }>(
      `WITH present AS (
         SELECT hash FROM ${this.#table} WHERE namespace = $1 AND hash = ANY($2::bytea[]) ORDER BY hash FOR UPDATE
       )
       UPDATE ${this.#table} part SET last_needed = now() FROM present
       WHERE part.namespace = $1 AND part.hash = present.hash
       RETURNING part.hash`,
      [namespace, hashes.map((hash) => Buffer.from(hash, 'hex'))],
    );
    return new Set(rows.map(({ hash }) => hash.toString('hex')));
  }
}

function batches(parts: readonly Part[]): Part[][] {
  const all: Part[][] = [];
  let bytes = 0;
  for (const part of parts) {
    const last = all.at(-1);
    if (last !== undefined && last.length < STATEMENT_PARTS && bytes + part.bytes.length <= STATEMENT_BYTES)
      last.push(part);
    else {
      all.push([part]);
      bytes = 0;
    }
    bytes += part.bytes.length;
  }
  return all;
}
