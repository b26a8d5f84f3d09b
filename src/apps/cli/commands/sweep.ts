import { omitUndefined } from '../../../lib/base/defined';
import { storageDriverFrom } from '../../../lib/storage';
import { CliError } from '../support/cli-error';
import { durationOf } from '../support/options';
import { printText, writeJson } from '../terminal/say';
import { count } from '../views/printable';

interface SweepCommandOptions {
  olderThan: string;
  namespace?: string;
  force?: boolean;
  json?: boolean;
}

/** The shortest age to sweep without `--force`: a shorter one is rarely intended, as a run that still goes on would lose what it needs. */
const SHORTEST_MS = 24 * 60 * 60 * 1_000;

/** `reflect sweep`: deletes stored payloads that have not been stored again for the given time. Safe while workers work. */
export async function sweep(options: SweepCommandOptions): Promise<number> {
  const olderThanMs = durationOf(options.olderThan);
  if (olderThanMs < SHORTEST_MS && !options.force) {
    throw new CliError(
      'SweepTooYoung',
      `${options.olderThan} is less than a day: runs that are under way could lose what they need.`,
      "Take more than the namespace's retention plus the longest run, or add --force.",
    );
  }
  const driver = storageDriverFrom(process.env);
  if (driver === undefined) {
    throw new CliError('NoStorage', 'REFLECT_STORAGE is not set.', 'Set it as it is set where the workers run.');
  }
  try {
    const { namespace } = options;
    const { deleted, freedBytes } = await driver.sweep(
      omitUndefined({ olderThanMs, namespace: namespace || undefined }),
    );
    if (options.json) writeJson({ deleted, freedBytes });
    else printText(`Deleted ${count(deleted, 'object')}, ${count(freedBytes, 'byte')}.`);
    return 0;
  } finally {
    await driver.close();
  }
}
