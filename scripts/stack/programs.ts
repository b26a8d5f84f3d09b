import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { defaultCacheDirectory, findTemporalCli } from '../../src/server/index';
import { CACHE, run } from './engine';

const GO = path.join(CACHE, 'go');
const SERVER = 'go.temporal.io/server';

/** Programs of the Go module proxy: the package that each is built of. */
const SOURCES = {
  server: `${SERVER}/cmd/server`,
  sql: `${SERVER}/cmd/tools/sql`,
};

const goEnvironment = {
  GOPATH: GO,
  GOMODCACHE: path.join(GO, 'pkg', 'mod'),
  GOCACHE: path.join(CACHE, 'go-build'),
  CGO_ENABLED: '0',
  GOTOOLCHAIN: 'auto',
};

/** Builds a program once for each version, and returns its path. */
async function build(name: keyof typeof SOURCES, version: string): Promise<string> {
  const built = path.join(CACHE, 'bin', `${name}-${version}`);
  if (existsSync(built)) return built;
  const folder = path.join(CACHE, 'bin', name);
  mkdirSync(folder, { recursive: true });
  console.log(`building ${SOURCES[name]} ${version}`);
  await run(['go', 'install', '-trimpath', '-ldflags=-s -w', `${SOURCES[name]}@v${version}`], {
    env: { ...goEnvironment, GOBIN: folder },
  });
  renameSync(path.join(folder, path.basename(SOURCES[name])), built);
  rmSync(folder, { recursive: true });
  return built;
}

/**
 * Puts all programs, and the schemas of Temporal's databases, into the folder that images are built from.
 *
 * @param server the version of Temporal
 */
export async function collectPrograms(context: string, server: string): Promise<void> {
  const bin = path.join(context, 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(await build('server', server), path.join(bin, 'server'));
  copyFileSync(await build('sql', server), path.join(bin, 'sql'));
  const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
  copyFileSync(cli, path.join(bin, 'temporal'));
  const schema = path.join(goEnvironment.GOMODCACHE, `${SERVER}@v${server}`, 'schema');
  cpSync(schema, path.join(context, 'schema'), { recursive: true });
}
