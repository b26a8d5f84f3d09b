import type { Stack } from '../stack';

/** Bytes that one PostgreSQL of the stack has on its disk for our data, without its log of changes. */
export async function storedBytes(
  { engine, compose }: Stack,
  service: 'temporal-db' | 'reflect-db',
  databases: readonly string[],
): Promise<number> {
  const user = service === 'temporal-db' ? 'temporal' : 'reflect';
  const password = `PGPASSWORD=${compose.env[`${user.toUpperCase()}_DB_PASSWORD`]}`;
  const names = databases.map((name) => `'${name}'`).join(', ');
  const query = `SELECT sum(pg_database_size(datname)) FROM pg_database WHERE datname IN (${names})`;
  const psql = ['psql', '--username', user, '--no-align', '--tuples-only', '--command', query];
  return Number(await engine.podman(['exec', '--env', password, compose.container(service), ...psql]));
}
