/** The steps of a release that are decided without running anything. */

/** Files that name the version, and what stands before it. */
export const VERSIONED: readonly { file: string; before: RegExp }[] = [
  { file: 'package.json', before: /^ {2}"version": "/m },
  { file: 'package-lock.json', before: /^ {2}"version": "/m },
  { file: 'package-lock.json', before: /^ {2}"packages": \{\n {4}"": \{\n {6}"name": "[^"]+",\n {6}"version": "/m },
  { file: 'docker-compose.yml', before: /^ +image: durable-reflection:/m },
  { file: 'deploy/kubernetes/workers/kustomization.yaml', before: /^ +newTag: /m },
];

/** Most bytes of the tarball, which the registry sends to everybody who installs the package. */
export const MOST_TARBALL_BYTES = 6_000_000;

/** Why a release cannot be made; its message is for the person who asked for it. */
export class ReleaseRefusedError extends Error {
  override readonly name = 'ReleaseRefusedError';
}

/** The state of the repository that a release begins with. */
export interface Repository {
  branch: string;
  /** Files that are changed or not committed. */
  changes: readonly string[];
  tags: readonly string[];
}

/** @throws ReleaseRefusedError if the version is none, or the repository is not ready for a release */
export function requireReady(version: string, { branch, changes, tags }: Repository): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ReleaseRefusedError(`"${version}" is no version such as 1.2.3.`);
  if (branch !== 'main') throw new ReleaseRefusedError(`A release is made on main, and this is ${branch}.`);
  if (changes.length > 0) throw new ReleaseRefusedError(`Commit these first:\n${changes.join('\n')}`);
  if (tags.includes(`v${version}`)) throw new ReleaseRefusedError(`The tag v${version} is there already.`);
}

/**
 * The changelog with the date of a version. The commit that brings the date is the release, also where tags are missing.
 *
 * @throws ReleaseRefusedError if the version has no section, or has a date already
 */
export function dateChangelog(changelog: string, version: string, date: string): string {
  const [line, state] =
    new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\](?: - (.*))?$`, 'm').exec(changelog) ?? [];
  if (line === undefined) {
    throw new ReleaseRefusedError(`CHANGELOG.md has no section "## [${version}] - Unreleased". Write it first.`);
  }
  if (state !== undefined && state !== 'Unreleased') {
    throw new ReleaseRefusedError(`CHANGELOG.md says that ${version} was released: "${line}".`);
  }
  return changelog.replace(line, `## [${version}] - ${date}`);
}

/**
 * A file with another version in it.
 *
 * @throws ReleaseRefusedError if the version does not stand where it should
 */
export function setVersion(text: string, { file, before }: (typeof VERSIONED)[number], version: string): string {
  const place = new RegExp(`(${before.source})\\d+\\.\\d+\\.\\d+`, before.flags);
  if (!place.test(text)) throw new ReleaseRefusedError(`${file} names no version after ${String(before)}.`);
  return text.replace(place, `$1${version}`);
}
