export type Query = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

export interface SqlDatabase {
  query: Query;
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
