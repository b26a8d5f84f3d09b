import type { Query, SqlDatabase } from './sql-database';

/** A lock keeps two processes from migrating at the same time. Any number that is free will do. */
const MIGRATION_LOCK = 7_218_564_302;

/**
 * The migrations in their order; a released one stays as it is.
 *
 * A forgotten insight leaves its key, without its text, so that a late retry does not bring it back. The index of words takes new
 * rows at once: a list of pending ones would have to be read by each search.
 *
 * Embeddings are in tables of their own, because each query is compared with many signatures, and with few vectors and texts. A
 * vector reveals what its insight was about, so a trigger deletes it when that is forgotten: by any caller, and also one just
 * written.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE reflect_insights (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    tenant text NOT NULL,
    agent text NOT NULL,
    workflow_id text NOT NULL,
    run text NOT NULL,
    iteration integer NOT NULL,
    kind text NOT NULL,
    text text NOT NULL,
    importance double precision NOT NULL CHECK (importance BETWEEN 0 AND 1),
    type text NOT NULL,
    source text NOT NULL,
    tags text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    forgotten_at timestamptz,
    search tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english', text)) STORED,
    UNIQUE (tenant, run, iteration, kind)
  );
  CREATE INDEX reflect_insights_by_time ON reflect_insights (tenant, agent, created_at DESC)
    WHERE forgotten_at IS NULL;
  CREATE INDEX reflect_insights_by_importance ON reflect_insights (tenant, agent, importance DESC, created_at DESC)
    WHERE forgotten_at IS NULL;
  CREATE INDEX reflect_insights_by_words ON reflect_insights USING gin (search) WITH (fastupdate = off)
    WHERE forgotten_at IS NULL;
  CREATE INDEX reflect_insights_forgotten ON reflect_insights (forgotten_at) WHERE forgotten_at IS NOT NULL;
  CREATE TABLE reflect_embeddings (
    sequence bigint PRIMARY KEY REFERENCES reflect_insights ON DELETE CASCADE,
    tenant text NOT NULL,
    agent text NOT NULL,
    model text NOT NULL,
    expires_at timestamptz,
    signature bit(512) NOT NULL
  );
  CREATE INDEX reflect_embeddings_latest ON reflect_embeddings (tenant, agent, model, sequence DESC);
  CREATE TABLE reflect_vectors (
    sequence bigint PRIMARY KEY REFERENCES reflect_embeddings ON DELETE CASCADE,
    vector bytea NOT NULL
  );
  CREATE FUNCTION reflect_forget_embedding() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN DELETE FROM reflect_embeddings WHERE sequence = NEW.sequence; RETURN NULL; END';
  CREATE TRIGGER reflect_forget_embedding AFTER UPDATE OF forgotten_at ON reflect_insights FOR EACH ROW
    WHEN (NEW.forgotten_at IS NOT NULL) EXECUTE FUNCTION reflect_forget_embedding()`,
];

async function present(query: Query): Promise<number> {
  const [table] = await query<{ there: boolean }>(`SELECT to_regclass('reflect_memory_version') IS NOT NULL AS there`);
  if (!table?.there) return 0;
  return newest(query);
}

async function newest(query: Query): Promise<number> {
  const [row] = await query<{ version: number | null }>('SELECT max(version) AS version FROM reflect_memory_version');
  return row?.version ?? 0;
}

/** Makes the tables, or brings them up to date. Where they are, no right to make tables is needed. */
export async function migrate(database: SqlDatabase): Promise<void> {
  if ((await present(database.query)) >= MIGRATIONS.length) return;
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // The connection may still remember that there was no such table, so the question is put to the table itself.
    await query('CREATE TABLE IF NOT EXISTS reflect_memory_version (version integer PRIMARY KEY)');
    const version = await newest(query);
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < version) continue;
      for (const statement of migration.split(/;\s*\n/)) await query(statement);
      await query('INSERT INTO reflect_memory_version VALUES ($1)', [index + 1]);
    }
  });
}
