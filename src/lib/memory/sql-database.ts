/** Runs one statement and gives its rows. */
export type Query = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** PostgreSQL, wherever it runs. */
export interface SqlDatabase {
  query: Query;
  /** Runs work in one transaction. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
