import { cosineOf, SIGNATURE_BITS, signatureOf } from './vectors';
import type { Meaning } from './embeddings';

/** Candidates by each of time and importance, by meaning, and by each word. */
const CANDIDATES = 100;
const CANDIDATES_BY_WORD = 30;

/** The latest signatures of an agent with which a query is compared: each takes nearly a microsecond. */
const COMPARED = 10_000;

/** Insights whose vectors are compared exactly; twice as many as are requested, if that is more. */
const COMPARED_EXACTLY = 50;

/** Words of a query that are searched for; the longest say most. */
const WORDS = 8;

const LIVE = 'tenant = $1 AND agent = $2 AND forgotten_at IS NULL AND (expires_at IS NULL OR expires_at > $3)';

interface RecallQuestion {
  tenant: string;
  agent: string;
  at: Date;
  halfLifeMs: number;
  weights: { recency: number; importance: number; relevance: number };
  limit: number;
  /** Words of the query, as stems. */
  lexemes: readonly string[];
  /** The meaning of the query. Undefined: relevance is that of the words. */
  meaning?: Meaning | undefined;
}

interface RecallStatement {
  sql: string;
  parameters: unknown[];
}

/** The parts of the statement that have to do with meaning; without one, relevance is that of the words. */
interface MeaningParts {
  near: string;
  found: string[];
  join: string;
  /** From 1 for the same direction to -1 for the opposite; null for an insight without a vector of this model. */
  closeness: string;
  vectors: { column: string; join: string };
}

const NO_MEANING: MeaningParts = {
  near: '',
  found: [],
  join: '',
  closeness: 'NULL::double precision',
  vectors: { column: '', join: '' },
};

function meaningParts(model: number, signature: number): MeaningParts {
  const countDifferingBits = (column: string): string =>
    `bit_count(${column} # $${signature}::text::bit(${SIGNATURE_BITS}))`;
  return {
    near: `near AS MATERIALIZED (
      SELECT sequence FROM (
        SELECT sequence, signature FROM reflect_embeddings
        WHERE tenant = $1 AND agent = $2 AND model = $${model} AND (expires_at IS NULL OR expires_at > $3)
        ORDER BY sequence DESC LIMIT ${COMPARED}
      ) latest ORDER BY ${countDifferingBits('signature')} LIMIT ${CANDIDATES}
    ),`,
    found: ['(SELECT sequence, -1 AS word FROM near)'],
    join: `LEFT JOIN reflect_embeddings embedding
      ON embedding.sequence = candidates.sequence AND embedding.model = $${model}`,
    closeness: `cos(pi() * ${countDifferingBits('embedding.signature')} / ${SIGNATURE_BITS}.0)`,
    // Of one of another model, which has no closeness, the vector means nothing here.
    vectors: {
      column: ', CASE WHEN closeness IS NOT NULL THEN vector END AS vector',
      join: 'LEFT JOIN reflect_vectors USING (sequence)',
    },
  };
}

/**
 * Builds the statement of a recall.
 *
 * Rating every insight of an agent would take a second for 100,000 of them. So the latest, the most important and, for each word,
 * the latest that have it are looked up by indexes, and only these are rated. Each word is a question of its own, as a value and
 * not as a column, so that the planner knows whether it is rare.
 *
 * Relevance by words is the share of the words that an insight has, where a word counts more the fewer insights have it (inverse
 * document frequency, counted up to `CANDIDATES_BY_WORD`), compared with the best.
 *
 * By meaning, the latest signatures of the agent are compared, and the closest become candidates too. The relevance of a
 * candidate that has a vector is how close it is, between the farthest candidate and the closest (as Park et al. 2023 scale it);
 * that of one without is its words'.
 */
export function recallStatement(question: RecallQuestion): RecallStatement {
  const { tenant, agent, at, halfLifeMs, weights, limit, lexemes, meaning } = question;
  const words = lexemes.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, WORDS);
  const has = words.map((_, index) => `search @@ $${index + 9}::tsquery`);
  const byWord = has.map(
    (condition, index) =>
      `(SELECT sequence, ${index} AS word FROM reflect_insights WHERE ${LIVE} AND ${condition}
        ORDER BY created_at DESC LIMIT ${CANDIDATES_BY_WORD})`,
  );
  const weight = (index: number): string =>
    `(SELECT ln(1 + ${CANDIDATES_BY_WORD} / (0.5 + count(*))) FROM found WHERE word = ${index})`;
  const match = has.map((condition, index) => `CASE WHEN ${condition} THEN ${weight(index)} ELSE 0 END`);
  const last = 8 + words.length;
  const parts = meaning ? meaningParts(last + 1, last + 2) : NO_MEANING;
  const sql = `
    WITH ${parts.near} found AS MATERIALIZED (
      ${[
        `(SELECT sequence, -1 AS word FROM reflect_insights WHERE ${LIVE} ORDER BY created_at DESC LIMIT ${CANDIDATES})`,
        `(SELECT sequence, -1 AS word FROM reflect_insights WHERE ${LIVE}
          ORDER BY importance DESC, created_at DESC LIMIT ${CANDIDATES})`,
        ...byWord,
        ...parts.found,
      ].join(' UNION ALL ')}
    ), candidates AS (SELECT DISTINCT sequence FROM found),
    rated AS (
      SELECT insight.*, ${parts.closeness} AS closeness,
        power(0.5::double precision,
          greatest(0, extract(epoch FROM $3::timestamptz - created_at))::double precision / $4::double precision) AS recency,
        (${match.join(' + ') || '0'})::double precision AS rank
      FROM candidates JOIN reflect_insights insight USING (sequence) ${parts.join}
      WHERE insight.forgotten_at IS NULL
    ), compared AS (
      SELECT *, min(closeness) OVER () AS farthest, CASE
          WHEN closeness IS NOT NULL THEN coalesce(
            (closeness - min(closeness) OVER ()) / nullif(max(closeness) OVER () - min(closeness) OVER (), 0), 1)
          WHEN rank > 0 THEN rank / max(rank) OVER () ELSE 0 END AS relevance
      FROM rated
    )
    SELECT best.*${parts.vectors.column} FROM (
      SELECT *, $5::double precision * recency + $6::double precision * importance + $7::double precision * relevance AS score
      FROM compared ORDER BY score DESC, sequence DESC LIMIT $8
    ) best ${parts.vectors.join} ORDER BY score DESC, sequence DESC`;
  const parameters = [
    tenant,
    agent,
    at,
    halfLifeMs / 1_000,
    weights.recency,
    weights.importance,
    weights.relevance,
    meaning ? Math.max(COMPARED_EXACTLY, 2 * limit) : limit,
    ...words.map(wordQuery),
    ...(meaning ? [meaning.model, `x${signatureOf(meaning.vector)}`] : []),
  ];
  return { sql, parameters };
}

export interface ComparedRow {
  vector?: Uint8Array | null;
  /** The closeness of the farthest candidate. */
  farthest: number | null;
  recency: number;
  importance: number;
  relevance: number;
  score: number;
}

/** Compares the insights that signatures found exactly: signatures are right to within a few degrees. */
export function comparedExactly<Row extends ComparedRow>(
  rows: readonly Row[],
  { vector }: Meaning,
  weights: RecallQuestion['weights'],
): Row[] {
  const cosines = rows.map((row) => (row.vector ? cosineOf(vector, row.vector) : undefined));
  const most = Math.max(...cosines.filter((cosine) => cosine !== undefined));
  const compared = rows.map((row, index): Row => {
    const cosine = cosines[index];
    if (cosine === undefined) return row;
    const least = Math.min(row.farthest ?? most, most);
    const relevance = most === least ? 1 : Math.max(0, (cosine - least) / (most - least));
    const { recency, importance } = row;
    const score = weights.recency * recency + weights.importance * importance + weights.relevance * relevance;
    return { ...row, relevance, score };
  });
  return compared.sort((one, other) => other.score - one.score);
}

function wordQuery(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
