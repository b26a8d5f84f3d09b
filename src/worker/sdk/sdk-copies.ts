import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../lib/optional-packages';

const SHARED = ['activity', 'client', 'common', 'proto', 'workflow'].map((name) => `@temporalio/${name}`);

const WORKER = '@temporalio/worker';

/** An installed copy of a package. */
export interface SdkCopy {
  name: string;
  version: string;
  folder: string;
}

/** Two copies of the SDK meet in one worker. Errors and converters of one are unknown to the other. */
export class SdkCopiesError extends TypeError {
  readonly type = 'SdkCopies';

  constructor(readonly copies: readonly [SdkCopy, SdkCopy]) {
    const [one, other] = copies.map(({ version, folder }) => `${version} (${folder})`);
    const [{ name }] = copies;
    super(
      `There are two copies of ${name}, and a worker works with one only: ${one} and ${other}. ` +
        `See who asks for them with \`npm ls ${name}\`, give all @temporalio packages of your package.json one version, ` +
        'and install again. With pnpm or Yarn, name activity, client, common, worker and workflow there, all five.',
    );
    this.name = 'SdkCopiesError';
  }
}

function copyAt(name: string, folder: string): SdkCopy {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  return { name, version, folder: realpathSync(folder) };
}

function copyFrom(from: string, name: string): SdkCopy | undefined {
  const folder = packageFolder(name, from);
  return folder === undefined ? undefined : copyAt(name, folder);
}

function assertOne(one: SdkCopy | undefined, other: SdkCopy | undefined): void {
  if (one && other && one.folder !== other.folder) throw new SdkCopiesError([one, other]);
}

function workersAmong(files: readonly string[]): string[] {
  const found = files.flatMap(
    (file) => /^(.*[\\/]@temporalio[\\/]worker)[\\/]lib[\\/]worker\.js$/.exec(file)?.[1] ?? [],
  );
  return [...new Set(found)];
}

/**
 * Throws if there are two copies of the SDK: there are when npm puts one beside this package, or when the program loads a worker
 * of its own. Throws SdkCopiesError.
 */
export function assertOneSdk(from = __dirname, loaded: readonly string[] = Object.keys(require.cache ?? {})): void {
  const ours = copyFrom(from, WORKER);
  if (!ours) return;
  for (const name of SHARED) assertOne(copyFrom(from, name), copyFrom(ours.folder, name));
  for (const folder of workersAmong(loaded)) assertOne(ours, copyAt(WORKER, folder));
}

export function sdkVersion(): string {
  return (require('@temporalio/worker/package.json') as { version: string }).version;
}
