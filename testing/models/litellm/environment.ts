import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../../src/apps/server/run-command';

const REQUIREMENTS = join(__dirname, 'requirements.txt');
const GIVE_UP_AFTER_MS = 9 * 60_000;

/**
 * A virtual environment with LiteLLM's proxy, made where it is not there yet: about a minute, and 400 MB. pip compares each
 * package with its hash.
 *
 * @param cache where it is kept; one for each version of the requirements
 * @returns the folder of its programs
 * @throws Error when there is no Python of 3.11 or newer, or when pip fails
 */
export async function litellmEnvironment(cache: string): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(cache, `litellm-${digest}`);
  const programs = join(folder, 'bin');
  // Written last: an environment that was not finished is made anew.
  const finished = join(folder, 'finished');
  if (existsSync(finished)) return programs;
  await rm(folder, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await ran('python3', [
    '-c',
    'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)',
  ]);
  await ran('python3', ['-m', 'venv', folder]);
  const options =
    '--quiet --no-input --disable-pip-version-check --no-cache-dir --no-deps --no-compile --only-binary=:all:';
  const pip = [...`-m pip install ${options} --require-hashes`.split(' '), '-r', REQUIREMENTS];
  await ran(join(programs, 'python'), pip);
  await writeFile(finished, '');
  return programs;
}

async function ran(command: string, args: string[]): Promise<void> {
  const result = await runCommand(command, args, { timeout: GIVE_UP_AFTER_MS });
  if (!result.ok)
    throw new Error(
      `LiteLLM's proxy cannot be installed: ${command} ${args.slice(0, 3).join(' ')} …: ${result.problem}`,
    );
}
