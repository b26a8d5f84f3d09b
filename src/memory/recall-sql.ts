/** Candidates by each of time and importance, and by each word. */
const CANDIDATES = 100;
const CANDIDATES_BY_WORD = 30;

/** Words of a query that are searched for; the longest say most. */
const WORDS = 8;

const LIVE = 'tenant = $1 AND agent = $2 AND forgotten_at IS NULL AND (expires_at IS NULL OR expires_at > $3)';

/** What a recall asks the database, and the words, as parameters beyond the first eight. */
export interface RecallStatement {
  sql: string;
  words: string[];
}

/**
 * Rating every insight of an agent would take a second for 100,000 of them. So the latest, the most important and, for each
 * word, the latest that have it are looked up by indexes, and only these are rated. Each word is a question of its own, as a
 * value and not as a column, so that the planner knows whether it is rare.
 *
 * Relevance is the share of the words that an insight has, where a word counts more the fewer insights have it (inverse
 * document frequency, counted up to `CANDIDATES_BY_WORD`), compared with the best.
 *
 * Parameters: 1 tenant, 2 agent, 3 time, 4 half-life in seconds, 5 to 7 weights of recency, importance and relevance, 8 limit;
 * then each word.
 */
export function recallStatement(lexemes: readonly string[]): RecallStatement {
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
  const sql = `
    WITH found AS MATERIALIZED (
      ${[
        `(SELECT sequence, -1 AS word FROM reflect_insights WHERE ${LIVE} ORDER BY created_at DESC LIMIT ${CANDIDATES})`,
        `(SELECT sequence, -1 AS word FROM reflect_insights WHERE ${LIVE}
          ORDER BY importance DESC, created_at DESC LIMIT ${CANDIDATES})`,
        ...byWord,
      ].join(' UNION ALL ')}
    ), candidates AS (SELECT DISTINCT sequence FROM found),
    rated AS (
      SELECT insight.*,
        power(0.5::double precision,
          greatest(0, extract(epoch FROM $3::timestamptz - created_at))::double precision / $4::double precision) AS recency,
        (${match.join(' + ') || '0'})::double precision AS rank
      FROM candidates JOIN reflect_insights insight USING (sequence)
    ), compared AS (
      SELECT *, CASE WHEN rank > 0 THEN rank / max(rank) OVER () ELSE 0 END AS relevance FROM rated
    )
    SELECT *, $5::double precision * recency + $6::double precision * importance + $7::double precision * relevance AS score
    FROM compared ORDER BY score DESC, sequence DESC LIMIT $8`;
  return { sql, words };
}

/** A word as a query of the database's full-text search. */
export function wordQuery(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
