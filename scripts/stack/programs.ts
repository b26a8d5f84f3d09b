import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultCacheDirectory, findTemporalCli } from '../../src/apps/server';
import { CACHE, run } from './engine';
import { goProgram } from './python';

/** Says which versions are built, with the digests of everything that they need. */
const MODULE = path.join(__dirname, 'go');
const SERVER = 'go.temporal.io/server';
const UI = 'github.com/temporalio/ui-server/v2';

/** The package that each program is built of. */
const SOURCES = { server: './server', sql: './sql', ui: `${UI}/cmd/server` };

const folders = { GOPATH: path.join(CACHE, 'go'), GOCACHE: path.join(CACHE, 'go-build') };
const environment = {
  ...folders,
  GOMODCACHE: path.join(folders.GOPATH, 'pkg', 'mod'),
  CGO_ENABLED: '0',
  // The compiler collects its garbage less often: less processor time, for more memory.
  GOGC: '400',
};

function versionOf(module: string): string {
  const [, version] = new RegExp(`^\\s*(?:require )?${module} (v\\S+)`, 'm').exec(
    readFileSync(path.join(MODULE, 'go.mod'), 'utf8'),
  )!;
  return version!;
}

const sourcesOf = (module: string): string => path.join(environment.GOMODCACHE, `${module}@${versionOf(module)}`);

/** Builds a program once for each version, and returns its path. */
async function build(name: keyof typeof SOURCES): Promise<string> {
  const version = versionOf(name === 'ui' ? UI : SERVER);
  const built = path.join(CACHE, 'bin', `${name}-${version}`);
  if (existsSync(built)) return built;
  const began = performance.now();
  const options = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w'];
  await run([await goProgram(), 'build', ...options, '-o', built, SOURCES[name]], { env: environment, cwd: MODULE });
  console.log(`${name} ${version}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return built;
}

/**
 * Puts all programs, and what they read, into the folder that images are built from.
 *
 * @param server the version of Temporal that docker-compose.yml names
 * @throws Error unless that is the version that is built here
 */
export async function collectPrograms(context: string, server: string): Promise<void> {
  if (versionOf(SERVER) !== `v${server}`) {
    throw new Error(`docker-compose.yml names Temporal ${server}; scripts/stack/go/go.mod has ${versionOf(SERVER)}`);
  }
  const bin = path.join(context, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of Object.keys(SOURCES) as (keyof typeof SOURCES)[]) {
    copyFileSync(await build(name), path.join(bin, name));
  }
  const { path: cli } = await findTemporalCli({ cacheDirectory: defaultCacheDirectory() });
  copyFileSync(cli, path.join(bin, 'temporal'));
  cpSync(path.join(sourcesOf(SERVER), 'schema'), path.join(context, 'schema'), { recursive: true });
  cpSync(path.join(sourcesOf(UI), 'config'), path.join(context, 'ui'), { recursive: true });
}
