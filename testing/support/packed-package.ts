import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');
const FOLDER = path.join(PROJECT, '.reflect', 'packed');
/** What ends up in the tarball, or makes it. */
const SOURCES = ['bin', 'docs', 'examples', 'scripts/build.ts', 'src', 'templates', 'package.json'];
/** Building and packing takes about half a minute; a lock that is older was left by a process that died. */
const STALE_MS = 5 * 60_000;

function hashOf(place: string): string {
  if (!statSync(place, { throwIfNoEntry: false })) return '';
  if (!statSync(place).isDirectory()) return createHash('sha256').update(readFileSync(place)).digest('hex');
  const inside = readdirSync(place).toSorted();
  return inside.map((name) => `${name} ${hashOf(path.join(place, name))}`).join('\n');
}

/** Runs npm without its notices. */
export function npm(args: string[], cwd: string): string {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  return execFileSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8' });
}

async function locked<Result>(work: () => Result): Promise<Result> {
  const lock = path.join(FOLDER, 'lock');
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > STALE_MS) rmSync(lock, { recursive: true, force: true });
      await sleep(200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** The tarball that users install, built and packed anew when its sources changed. Test files may ask for it at the same time. */
export async function packedPackage(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const sources = SOURCES.map((source) => hashOf(path.join(PROJECT, source))).join('\n');
  const tarball = path.join(FOLDER, `${createHash('sha256').update(sources).digest('hex').slice(0, 16)}.tgz`);
  return locked(() => {
    if (statSync(tarball, { throwIfNoEntry: false })) return tarball;
    for (const old of readdirSync(FOLDER).filter((name) => name.endsWith('.tgz'))) rmSync(path.join(FOLDER, old));
    npm(['pack', '--pack-destination', FOLDER], PROJECT);
    const packed = readdirSync(FOLDER).find((name) => name.startsWith('durable-reflection-'))!;
    renameSync(path.join(FOLDER, packed), tarball);
    return tarball;
  });
}
