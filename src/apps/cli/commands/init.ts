import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../lib/files/make-folder';
import { folderNotEmpty, inTheWay } from '../init/folder-contents';
import { nextCommands } from '../init/next-commands';
import { ownSource, type ProjectFile, projectFiles } from '../init/project-files';
import { CliError } from '../support/cli-error';
import { printText, writeJson } from '../terminal/say';

interface InitOptions {
  force?: boolean;
  json?: boolean;
}

/** `reflect init`: writes a project with a loop, its worker, client and test. Never replaces a file. */
export async function init(given: string | undefined, { force, json }: InitOptions): Promise<number> {
  const folder = path.resolve(given ?? '.');
  const there = await inTheWay(folder);
  if (there.length > 0 && !force) throw folderNotEmpty(folder, there);
  const source = ownSource(folder);
  const { written, kept } = await write(folder, await projectFiles(path.basename(folder), source.spec));
  const next = nextCommands(kept, source);
  if (json) {
    writeJson({ folder, written, kept, next: next.map(({ command }) => command) });
    return 0;
  }
  if (written.length > 0) printText(`Wrote to ${folder}: ${written.join(', ')}`);
  if (kept.length > 0) printText(`Kept as they are: ${kept.join(', ')}`);
  printText(`\nNext${folder === process.cwd() ? '' : `, in ${given}`}:\n`);
  const width = Math.max(...next.map(({ command }) => command.length));
  for (const { command, purpose } of next) printText(`  ${command.padEnd(width)}  # ${purpose}`);
  printText('\nREADME.md tells how to run it with a model.');
  return 0;
}

async function write(folder: string, files: readonly ProjectFile[]): Promise<{ written: string[]; kept: string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  try {
    await makeFolder(folder);
    for (const { name, text } of files) {
      const isNew = await writeNew(path.join(folder, name), text);
      (isNew ? written : kept).push(name);
    }
  } catch (error) {
    const { message } = error as NodeJS.ErrnoException;
    throw new CliError(
      'NotWritten',
      message,
      written.length === 0 ? undefined : `Written before: ${written.join(', ')}`,
    );
  }
  return { written, kept };
}

/** Returns whether it was written: the system refuses what is there, links among it, also where it appeared just now. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
