/**
 * Makes a release: dates its section of CHANGELOG.md, sets the version, packs the package and tries the tarball, commits and
 * tags. It neither pushes nor publishes, and prints the commands that do.
 *
 *   npm run release -- 1.2.3 [--dry-run]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  dateChangelog,
  MOST_TARBALL_BYTES,
  ReleaseRefusedError,
  requireReady,
  setVersion,
  VERSIONED,
} from '../testing/build/release';
import { npm } from '../testing/support/packed-package';

const CHANGELOG = 'CHANGELOG.md';

const project = process.cwd();
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The files that a release changes, with their new texts. */
function newTexts(version: string): Map<string, string> {
  const date = new Date().toISOString().slice(0, 10);
  const texts = new Map([[CHANGELOG, dateChangelog(read(CHANGELOG), version, date)]]);
  for (const place of VERSIONED) {
    texts.set(place.file, setVersion(texts.get(place.file) ?? read(place.file), place, version));
  }
  return texts;
}

/** Packs the package, unpacks the tarball and loads it, with the packages of this project. @throws ReleaseRefusedError if it is not what users should get */
function tryTarball(version: string): void {
  mkdirSync(path.join(project, '.reflect'), { recursive: true });
  const folder = mkdtempSync(path.join(project, '.reflect', 'release-'));
  try {
    npm(['pack', '--pack-destination', folder], project);
    const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))!;
    const { size } = statSync(path.join(folder, tarball));
    if (size > MOST_TARBALL_BYTES) throw new ReleaseRefusedError(`The tarball has ${size} bytes.`);
    execFileSync('tar', ['-xzf', tarball], { cwd: folder });
    const unpacked = { cwd: path.join(folder, 'package'), encoding: 'utf8' } as const;
    const load = `for (const entry of ${JSON.stringify(entryNames())}) require(entry)`;
    execFileSync(process.execPath, ['-e', load], unpacked);
    const said = execFileSync(process.execPath, [path.join('bin', 'reflect.js'), '--version'], unpacked).trim();
    if (said !== version) throw new ReleaseRefusedError(`\`reflect --version\` of the tarball says ${said}.`);
    console.log(`The tarball has ${size} bytes; its entry points load, and it says that it is ${version}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What users import of the package. */
function entryNames(): string[] {
  const { name, exports } = JSON.parse(read('package.json')) as { name: string; exports: Record<string, unknown> };
  const codes = Object.keys(exports).filter((key) => typeof exports[key] === 'object');
  return codes.map((key) => name + key.slice(1));
}

function release(version: string, isDry: boolean): void {
  requireReady(version, {
    branch: git('branch', '--show-current').trim(),
    changes: linesOf(git('status', '--porcelain')),
    tags: linesOf(git('tag', '--list')),
  });
  const texts = newTexts(version);
  const files = [...texts.keys()];
  if (isDry) {
    console.log(`Would change ${files.join(', ')}, pack and try the tarball, commit, and tag v${version}.`);
    return;
  }
  for (const [file, text] of texts) writeFileSync(path.join(project, file), text);
  try {
    tryTarball(version);
  } catch (error) {
    git('checkout', '--quiet', '--', ...files);
    throw error;
  }
  git('commit', '--quiet', '--message', `release: ${version}`, '--', ...files);
  git('tag', '--annotate', '--message', version, `v${version}`);
  console.log(`Committed and tagged v${version}. To publish it:\n\n  git push --follow-tags\n  npm publish`);
}

const words = process.argv.slice(2);
try {
  release(words.find((word) => !word.startsWith('-')) ?? '', words.includes('--dry-run'));
} catch (error) {
  if (!(error instanceof ReleaseRefusedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
