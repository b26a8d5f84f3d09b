import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import { emptyDatabaseFile, pgliteVersion } from '../../src/lib/memory/empty-database';

/** In a process of its own: PGlite loads its parts by `import()`, which tests have no part in. */
const PROGRAM = `
const { writeFileSync } = require('node:fs');
const { brotliCompressSync } = require('node:zlib');
const [module, file, params] = process.argv.slice(1);
async function write() {
  const database = await require(module).PGlite.create();
  const tar = await (await database.dumpDataDir('none')).arrayBuffer();
  await database.close();
  writeFileSync(file, brotliCompressSync(new Uint8Array(tar), { params: JSON.parse(params) }));
}
write().catch((error) => { console.error(error); process.exit(1); });
`;

/**
 * Makes the empty database that embedded memories begin as, and writes it into a folder.
 *
 * @param quality of the compression, 0..11. Most of it are zeros and the same catalogue three times
 */
export function writeEmptyDatabase(folder: string, quality = 9): string {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  const file = join(folder, emptyDatabaseFile(pgliteVersion()));
  execFileSync(
    process.execPath,
    ['-e', PROGRAM, require.resolve('@electric-sql/pglite'), file, JSON.stringify(params)],
    {
      stdio: 'inherit',
    },
  );
  return file;
}
