import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertInstalled, installedVersion } from '../optional-packages';

/**
 * Returns the name of the file of an empty database of a version of PGlite: a compressed tar. A database opens only with the
 * version that made it.
 */
export function emptyDatabaseFile(version: string): string {
  return `empty-database-${version}.tar.br`;
}

/** Returns the version of PGlite that is installed. */
export function pgliteVersion(): string {
  assertInstalled('Embedded memory');
  return installedVersion('@electric-sql/pglite')!;
}

/**
 * Returns the prebuilt empty database, which the build puts beside this file: making one takes four times as long. Undefined in a
 * checkout, and where another version of PGlite is installed than the build had.
 */
export function emptyDatabase(folder: string = __dirname): string | undefined {
  const file = join(folder, emptyDatabaseFile(pgliteVersion()));
  return existsSync(file) ? file : undefined;
}
