import { createHash } from 'node:crypto';
import {
  computeExpiry,
  EQUAL_WEIGHTS,
  type Insight,
  type NewInsight,
  type RecalledInsight,
  type RecallWeights,
} from './insight';
import { onceDone } from '../postgres/pool';
import { Embeddings } from './embeddings';
import { migrate } from './migrations';
import { comparedExactly, type ComparedRow, recallStatement } from './recall-sql';
import type { SqlDatabase } from './sql-database';
import type {
  ForgetRequest,
  ListRequest,
  Memory,
  MemoryOptions,
  MemoryOwner,
  RecallRequest,
  StoredInsight,
  StoreOptions,
} from './types';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HALF_LIFE_MS = 30 * DAY_MS;
const MAX_PER_AGENT = 10_000;

/** The time for which a forgotten insight is remembered as forgotten: longer than any activity is retried. */
const KEYS_KEPT_MS = 90 * DAY_MS;

/** New insights until the planner's statistics are renewed, then twice as many. The embedded database never does so. */
const COUNT_AFTER = 500;
const COUNT_AFTER_AT_MOST = 20_000;

/** Rows of one statement, which has at most 65535 parameters. */
const ROWS = 500;

const TEXT_CHARACTERS = 20_000;
const QUERY_LENGTH = 4_000;

interface Row {
  id: string;
  agent: string;
  workflow_id: string;
  run: string;
  iteration: number;
  kind: string;
  text: string;
  importance: number;
  type: string;
  source: string;
  tags: string[];
  created_at: Date;
  expires_at: Date | null;
}

type RatedRow = Row & ComparedRow;

/** Removes the one character that PostgreSQL does not take. */
function clean(text: string): string {
  return text.replaceAll('\0', '');
}

function idOf(tenant: string, { run, iteration, kind }: NewInsight['provenance']): string {
  const key = JSON.stringify([tenant, run, iteration, kind]);
  return createHash('sha256').update(key).digest('hex').slice(0, 24);
}

function insightOf(row: Row): Insight {
  return {
    id: row.id,
    text: row.text,
    agent: row.agent,
    importance: row.importance,
    type: row.type,
    source: row.source,
    tags: row.tags,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at ? { expiresAt: row.expires_at.toISOString() } : {}),
    provenance: { workflowId: row.workflow_id, run: row.run, iteration: row.iteration, kind: row.kind },
  };
}

/** Memory in PostgreSQL: on a server or embedded, with the same statements. */
export class SqlMemory implements Memory {
  readonly #weights: RecallWeights;
  readonly #halfLifeMs: number;
  readonly #maxPerAgent: number;
  readonly #expiresAfterMs: number | undefined;
  readonly #embeddings: Embeddings | undefined;
  readonly #migrated = onceDone(() => migrate(this.database));
  /** Insights that were written since the planner last counted words, and so many until it does again. */
  #uncounted = 0;
  #countAfter = COUNT_AFTER;

  constructor(
    private readonly database: SqlDatabase,
    options: MemoryOptions = {},
  ) {
    this.#weights = { ...EQUAL_WEIGHTS, ...options.weights };
    this.#halfLifeMs = options.recencyHalfLifeMs ?? HALF_LIFE_MS;
    this.#maxPerAgent = options.maxPerAgent ?? MAX_PER_AGENT;
    this.#expiresAfterMs = options.expiresAfterMs;
    const { embedder, onEmbeddingFailure } = options;
    this.#embeddings = embedder && new Embeddings(database, embedder, onEmbeddingFailure);
  }

  async store(
    tenant: string,
    insights: readonly NewInsight[],
    { embed = true, signal }: StoreOptions = {},
  ): Promise<StoredInsight[]> {
    await this.#migrated();
    const added = new Set<string>();
    for (let from = 0; from < insights.length; from += ROWS) {
      for (const id of await this.#insert(tenant, insights.slice(from, from + ROWS))) added.add(id);
    }
    for (const agent of new Set(insights.map((insight) => clean(insight.agent))))
      await this.#makeRoom({ tenant, agent });
    await this.#countWords(added.size);
    const stored = insights.map(({ provenance }) => {
      const id = idOf(tenant, provenance);
      return { id, isNew: added.has(id) };
    });
    // They are safe by now, whatever becomes of a model call.
    if (embed) await this.#embeddings?.add([...new Set(stored.map(({ id }) => id))], signal);
    return stored;
  }

  #expiresAt({ createdAt, expiresAt }: NewInsight): string | null {
    if (expiresAt !== undefined) return expiresAt;
    if (this.#expiresAfterMs === undefined) return null;
    return computeExpiry(createdAt, this.#expiresAfterMs);
  }

  async #countWords(added: number): Promise<void> {
    this.#uncounted += added;
    if (this.#uncounted < this.#countAfter) return;
    this.#uncounted = 0;
    this.#countAfter = Math.min(2 * this.#countAfter, COUNT_AFTER_AT_MOST);
    await this.database.query('ANALYZE reflect_insights, reflect_embeddings');
  }

  async #insert(tenant: string, insights: readonly NewInsight[]): Promise<string[]> {
    const values = insights.map((insight) => [
      idOf(tenant, insight.provenance),
      tenant,
      clean(insight.agent),
      clean(insight.provenance.workflowId),
      clean(insight.provenance.run),
      insight.provenance.iteration,
      clean(insight.provenance.kind),
      clean(insight.text).slice(0, TEXT_CHARACTERS),
      insight.importance,
      clean(insight.type),
      clean(insight.source),
      (insight.tags ?? []).map(clean),
      insight.createdAt,
      this.#expiresAt(insight),
    ]);
    const width = values[0]!.length;
    const rows = values.map((row, at) => `(${row.map((_, column) => `$${at * width + column + 1}`).join(', ')})`);
    // One statement: either all of it is written, or nothing.
    const inserted = await this.database.query<{ id: string }>(
      `INSERT INTO reflect_insights (id, tenant, agent, workflow_id, run, iteration, kind, text, importance, type, source,
         tags, created_at, expires_at)
       VALUES ${rows.join(', ')} ON CONFLICT DO NOTHING RETURNING id`,
      values.flat(),
    );
    return inserted.map(({ id }) => id);
  }

  /** Forgets what has expired, and what is beyond the agent's share: the least important, counting less with age. */
  async #makeRoom({ tenant, agent }: MemoryOwner): Promise<void> {
    await this.database.query(
      `UPDATE reflect_insights SET forgotten_at = now(), text = '', tags = '{}'
       WHERE tenant = $1 AND agent = $2 AND forgotten_at IS NULL AND expires_at <= now()`,
      [tenant, agent],
    );
    const [count] = await this.database.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM reflect_insights WHERE tenant = $1 AND agent = $2 AND forgotten_at IS NULL',
      [tenant, agent],
    );
    if ((count?.count ?? 0) > this.#maxPerAgent) {
      await this.database.query(
        `UPDATE reflect_insights SET forgotten_at = now(), text = '', tags = '{}' WHERE sequence IN (
           SELECT sequence FROM reflect_insights WHERE tenant = $1 AND agent = $2 AND forgotten_at IS NULL
           ORDER BY importance * power(0.5, extract(epoch FROM now() - created_at) / $3::double precision) DESC, sequence DESC
           OFFSET $4)`,
        [tenant, agent, this.#halfLifeMs / 1_000, this.#maxPerAgent],
      );
    }
    await this.database.query(
      `DELETE FROM reflect_insights WHERE forgotten_at < now() - $1 * interval '1 millisecond'`,
      [KEYS_KEPT_MS],
    );
  }

  async recall(request: RecallRequest): Promise<RecalledInsight[]> {
    await this.#migrated();
    const { tenant, limit, at = new Date(), embed = true, signal } = request;
    const agent = clean(request.agent);
    const query = clean(request.query ?? '').slice(0, QUERY_LENGTH);
    const weights = { ...this.#weights, ...request.weights };
    const [lexemes, meaning] = await Promise.all([
      this.#lexemes(query),
      embed ? this.#embeddings?.meaningOf(query, signal) : undefined,
    ]);
    const halfLifeMs = this.#halfLifeMs;
    const { sql, parameters } = recallStatement({ tenant, agent, at, halfLifeMs, weights, limit, lexemes, meaning });
    const found = await this.database.query<RatedRow>(sql, parameters);
    const rows = meaning ? comparedExactly(found, meaning, weights).slice(0, limit) : found;
    return rows.map((row) => ({
      ...insightOf(row),
      score: row.score,
      recency: row.recency,
      relevance: row.relevance,
    }));
  }

  async #lexemes(text: string): Promise<string[]> {
    if (text.trim() === '') return [];
    const [row] = await this.database.query<{ words: string[] }>(
      `SELECT tsvector_to_array(to_tsvector('english', $1)) AS words`,
      [text],
    );
    return row?.words ?? [];
  }

  async list({ tenant, agent, limit }: ListRequest): Promise<Insight[]> {
    await this.#migrated();
    const rows = await this.database.query<Row>(
      `SELECT * FROM reflect_insights WHERE tenant = $1 AND ($2::text IS NULL OR agent = $2) AND forgotten_at IS NULL
         AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at DESC, sequence DESC LIMIT $3`,
      [tenant, agent === undefined ? null : clean(agent), limit],
    );
    return rows.map(insightOf);
  }

  async forget({ tenant, id, agent, before }: ForgetRequest): Promise<number> {
    if (id === undefined && agent === undefined && before === undefined) {
      throw new TypeError('Say what is to be forgotten: an id, an agent or a time');
    }
    await this.#migrated();
    const forgotten = await this.database.query<{ id: string }>(
      `UPDATE reflect_insights SET forgotten_at = now(), text = '', tags = '{}'
       WHERE tenant = $1 AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR agent = $3)
         AND ($4::timestamptz IS NULL OR created_at < $4) AND forgotten_at IS NULL RETURNING id`,
      [tenant, id ?? null, agent === undefined ? null : clean(agent), before ?? null],
    );
    return forgotten.length;
  }

  async embed({ tenant, limit, signal }: Parameters<Memory['embed']>[0]): Promise<number> {
    if (!this.#embeddings) throw new TypeError('This memory has no embedder');
    await this.#migrated();
    return this.#embeddings.addMissing(tenant, limit, signal);
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}
