import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fetchedPackages } from '../support/fetched-packages';

export const PROJECT = path.join(__dirname, '..', '..');

/** What tests read of a checkout. */
const FOLDERS = ['bin', 'examples', 'scripts', 'src', 'templates', 'test', 'testing'];
const FILES = ['CHANGELOG.md', 'jest.config.cjs', 'package.json', 'size.json', 'tsconfig.json', 'tsconfig.build.json'];

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

const ofSdk = (packages: Record<string, string>): [name: string, range: string][] =>
  Object.entries(packages).filter(([name]) => name.startsWith('@temporalio/'));

function manifest(): Manifest {
  return JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as Manifest;
}

/** The oldest version of the SDK that the package works with, by the range of its peers. */
export function oldestSdk({ peerDependencies } = manifest()): string {
  const range = peerDependencies['@temporalio/worker']!;
  const version = /^>=(\d+\.\d+\.\d+) /.exec(range)?.[1];
  if (version === undefined) throw new Error(`The range ${range} of @temporalio/worker does not begin with a version.`);
  return version;
}

/** What users of a version have: its packages, and the dependencies of ours, which others would else be found in place of. */
function packagesOf(version: string): Record<string, string> {
  const { dependencies, devDependencies } = manifest();
  const exact = ofSdk(devDependencies).map(([name]) => [name, version]);
  return { ...dependencies, ...(Object.fromEntries(exact) as Record<string, string>) };
}

/**
 * Installs a version of the SDK into a folder of its own, unless it is there.
 *
 * @returns the folder
 */
export function installSdk(version: string): string {
  return path.dirname(fetchedPackages(`sdk-${version}`, packagesOf(version)));
}

/**
 * Copies the sources and tests of this project below an installed SDK: from there, Node finds that SDK first, and all other
 * packages further above, in this project.
 *
 * @returns the folder of the copy
 */
export function copyProject(sdkFolder: string): string {
  const copy = path.join(sdkFolder, 'project');
  rmSync(copy, { recursive: true, force: true });
  for (const part of [...FOLDERS, ...FILES]) {
    cpSync(path.join(PROJECT, part), path.join(copy, part), { recursive: true });
  }
  // The development server that tests start is fetched once.
  mkdirSync(path.join(PROJECT, '.reflect', 'cache'), { recursive: true });
  mkdirSync(path.join(copy, '.reflect'));
  symlinkSync(path.join(PROJECT, '.reflect', 'cache'), path.join(copy, '.reflect', 'cache'));
  return copy;
}
