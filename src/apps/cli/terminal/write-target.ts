import path from 'node:path';
import { constants, createWriteStream, type Stats } from 'node:fs';
import { access, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../support/cli-error';
import { printAside } from './say';

export async function writeReport(target: WriteTarget, page: string): Promise<void> {
  await target.write([page]);
  printAside(`The report is in ${target.file}.`);
}

const MOST_LINKS = 40;

export interface WriteTarget {
  file: string;
  /** Writes texts. A regular file is there once it is whole; a pipe or a device is written into. Throws CliError `NotWritten`. */
  write(texts: AsyncIterable<string> | Iterable<string>): Promise<void>;
}

function notWritten(file: string, error: unknown): CliError {
  return new CliError('NotWritten', `Cannot write ${file}: ${(error as Error).message}`, 'Name another file.');
}

async function statsOf(file: string): Promise<Stats | undefined> {
  return stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function followLinks(file: string, links = 0): Promise<string> {
  const folder = await realpath(path.dirname(path.resolve(file)));
  const real = path.join(folder, path.basename(file));
  const link = await readlink(real).catch(() => undefined);
  if (link === undefined || links === MOST_LINKS) return real;
  return followLinks(path.resolve(folder, link), links + 1);
}

async function sameAs(target: Stats, others: readonly string[]): Promise<string | undefined> {
  for (const other of others) {
    const stats = other === '-' ? undefined : await statsOf(other);
    if (stats && stats.ino === target.ino && stats.dev === target.dev) return other;
  }
  return undefined;
}

/** The system calls that write a file. The source of the texts may fail with errors of other calls. */
const WRITING: readonly unknown[] = ['open', 'write', 'writev', 'close', 'fsync', 'rename'];

async function translateWriteErrors(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isOfFile = error instanceof Error && WRITING.includes((error as NodeJS.ErrnoException).syscall);
    throw isOfFile ? notWritten(file, error) : error;
  }
}

async function writeWhole(real: string, texts: Parameters<WriteTarget['write']>[0]): Promise<void> {
  const part = `${real}.${process.pid}.part`;
  try {
    await pipeline(Readable.from(texts), createWriteStream(part, { flags: 'wx' }));
    await rename(part, real);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Finds out where a command can write, before anything is paid for. Throws CliError `NotWritten`; `InvalidInput` for a file that
 * the command reads.
 */
export async function writeTarget(file: string, inputs: readonly string[] = []): Promise<WriteTarget> {
  try {
    const stats = await statsOf(file);
    const input = stats && (await sameAs(stats, inputs));
    if (input !== undefined) {
      const what = input === file ? 'is what the command reads' : `is ${input}, which the command reads`;
      throw new CliError(
        'InvalidInput',
        `${file} ${what}: it would be replaced.`,
        'Nothing was started. Name another file.',
      );
    }
    if (stats?.isDirectory()) throw new Error('it is a folder');
    if (stats && !stats.isFile()) {
      await access(file, constants.W_OK);
      return {
        file,
        write: (texts) => translateWriteErrors(file, () => pipeline(Readable.from(texts), createWriteStream(file))),
      };
    }
    const real = await followLinks(file);
    // Whether the folder takes a file shows when it does.
    const part = `${real}.${process.pid}.part`;
    await (await open(part, 'wx')).close();
    await rm(part);
    return { file, write: (texts) => translateWriteErrors(file, () => writeWhole(real, texts)) };
  } catch (error) {
    throw error instanceof CliError ? error : notWritten(file, error);
  }
}
