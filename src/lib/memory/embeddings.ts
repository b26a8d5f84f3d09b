import type { SqlDatabase } from './sql-database';
import type { Embedder } from './types';
import { bytesOf, signatureOf } from './vectors';
import { renderCount } from '../text/counted';

/** Texts of one call: an answer may have 8 MiB, and a vector of 8,192 numbers is 200 KB of JSON. */
const TEXTS = 40;

/** Characters of a text that count: models take a few thousand tokens. */
const EMBEDDED_LENGTH = 8_000;

export interface Meaning {
  model: string;
  vector: readonly number[];
}

type Vectors = readonly (readonly number[])[];

interface Missing {
  id: string;
  text: string;
}

/** Vectors of insights, beside them in the database: what an insight is about, whatever its words are. */
export class Embeddings {
  constructor(
    private readonly database: SqlDatabase,
    private readonly embedder: Embedder,
    private readonly onFailure: (error: unknown) => void = () => undefined,
  ) {}

  /**
   * Gives vectors to those of these insights that have none of this model: to new ones, and to those of an attempt that ended
   * before it reached this step. One that gets none is found by its words.
   */
  async add(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const missing = await this.#findMissing('insight.id = ANY($2::text[])', [ids]);
    await this.#addTo(missing, (texts) => this.#orNothing(() => this.#embed(texts, signal), signal));
  }

  /** Gives vectors to so many insights of a tenant, the latest of those that have none of this model. Says how many got one. */
  async addMissing(tenant: string, limit: number, signal?: AbortSignal): Promise<number> {
    const missing = await this.#findMissing(
      `insight.tenant = $2 AND (insight.expires_at IS NULL OR insight.expires_at > now())
       ORDER BY insight.sequence DESC LIMIT $3`,
      [tenant, limit],
    );
    await this.#addTo(missing, (texts) => this.#embed(texts, signal));
    return missing.length;
  }

  /** Returns the vector of a query; undefined for a query without words, and while the model cannot be asked. */
  async meaningOf(query: string, signal?: AbortSignal): Promise<Meaning | undefined> {
    if (query.trim() === '') return undefined;
    const vectors = await this.#orNothing(() => this.#embed([query], signal), signal);
    return vectors && { model: this.embedder.model, vector: vectors[0]! };
  }

  async #findMissing(condition: string, parameters: readonly unknown[]): Promise<Missing[]> {
    return this.database.query<Missing>(
      `SELECT insight.id, insight.text FROM reflect_insights insight
       LEFT JOIN reflect_embeddings embedding ON embedding.sequence = insight.sequence AND embedding.model = $1
       WHERE embedding.sequence IS NULL AND insight.forgotten_at IS NULL AND ${condition}`,
      [this.embedder.model, ...parameters],
    );
  }

  async #addTo(missing: readonly Missing[], embed: (texts: string[]) => Promise<Vectors | undefined>): Promise<void> {
    for (let from = 0; from < missing.length; from += TEXTS) {
      const some = missing.slice(from, from + TEXTS);
      const vectors = await embed(some.map(({ text }) => text));
      if (!vectors) return;
      await this.#write(some.map(({ id }, index) => ({ id, vector: vectors[index]! })));
    }
  }

  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<Vectors> {
    const cut = texts.map((text) => text.slice(0, EMBEDDED_LENGTH));
    const vectors = await this.embedder.embed(cut, signal);
    if (vectors.length === texts.length && vectors.every(({ length }) => length > 0)) return vectors;
    throw new TypeError(
      `the embedder gave ${renderCount(vectors.length, 'vector')} for ${renderCount(texts.length, 'text')}, or empty ones`,
    );
  }

  /** Returns undefined for work of the model that failed, since memory does without it. An aborted call throws. */
  async #orNothing<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw error;
      this.onFailure(error);
      return undefined;
    }
  }

  async #write(embedded: readonly { id: string; vector: readonly number[] }[]): Promise<void> {
    const rows = embedded.map((_, index) => {
      const [id, signature, vector] = [3 * index + 2, 3 * index + 3, 3 * index + 4];
      return `($${id}::text, $${signature}::text::bit(512), $${vector}::bytea)`;
    });
    // Locked, so that one that is forgotten meanwhile does not leave what it was about.
    await this.database.query(
      `WITH given (id, signature, vector) AS (VALUES ${rows.join(', ')}), signed AS (
         INSERT INTO reflect_embeddings (sequence, tenant, agent, model, expires_at, signature)
         SELECT insight.sequence, insight.tenant, insight.agent, $1, insight.expires_at, given.signature
         FROM given JOIN reflect_insights insight USING (id) WHERE insight.forgotten_at IS NULL FOR SHARE OF insight
         ON CONFLICT (sequence) DO UPDATE SET model = excluded.model, signature = excluded.signature
         RETURNING sequence
       )
       INSERT INTO reflect_vectors (sequence, vector)
       SELECT signed.sequence, given.vector FROM signed JOIN reflect_insights USING (sequence) JOIN given USING (id)
       ON CONFLICT (sequence) DO UPDATE SET vector = excluded.vector`,
      [
        this.embedder.model,
        ...embedded.flatMap(({ id, vector }) => [id, `x${signatureOf(vector)}`, bytesOf(vector)] as const),
      ],
    );
  }
}
