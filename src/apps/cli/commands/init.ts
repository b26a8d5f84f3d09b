import path from 'node:path';
import { writeFile, readdir } from 'node:fs/promises';
import { makeFolder } from '../../../lib/files/make-folder';
import { ownSource, type ProjectFile, projectFiles, ownManifest } from '../init/project-files';
import { CliError } from '../support/cli-error';
import { printText, writeJson } from '../terminal/say';
import type { PackageSource } from '../init/package-source';

interface NextCommand {
  command: string;
  purpose: string;
}

const TEST = 'runs the loop with scripted answers: needs no API key';

/** Lists the next commands for a new project; an owner's package.json in `kept` lacks our packages and scripts. */
export function nextCommands(kept: readonly string[], { spec, pack }: PackageSource): NextCommand[] {
  const before =
    pack === undefined ? [] : [{ command: pack, purpose: 'a tarball of durable-reflection, from its checkout' }];
  if (!kept.includes('package.json')) {
    return [
      ...before,
      { command: 'npm install', purpose: 'the packages' },
      { command: 'npm test', purpose: TEST },
      { command: 'npm run server', purpose: 'a Temporal server; then, each in a terminal of its own:' },
      { command: 'npm run worker -- --scripted', purpose: 'executes runs; without --scripted it needs a key in .env' },
      { command: 'npm run client', purpose: 'starts a run and prints its result' },
    ];
  }
  const request = spec.startsWith('file:') ? spec : `${ownManifest().name}@${spec}`;
  return [
    ...before,
    { command: `npm install ${request.includes(' ') ? `"${request}"` : request}`, purpose: 'the packages' },
    { command: 'node --test loop.test.mjs', purpose: TEST },
    { command: 'npx reflect server', purpose: 'a Temporal server; then, each in a terminal of its own:' },
    { command: 'node worker.mjs --scripted', purpose: 'executes runs; without --scripted it needs a key in .env' },
    { command: 'node client.mjs', purpose: 'starts a run and prints its result' },
  ];
}

const IGNORED = new Set(['.git', '.gitkeep', '.hg', '.idea', '.vscode', '.DS_Store', 'Thumbs.db']);

const MOST_NAMES = 20;

async function inTheWay(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !IGNORED.has(name)).toSorted();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CliError('NotAFolder', `${folder} cannot be used as a folder: ${message}`, 'Name another folder.');
  }
}

function folderNotEmpty(folder: string, names: readonly string[]): CliError {
  const more = names.length - MOST_NAMES;
  const listed = [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return new CliError(
    'FolderNotEmpty',
    `${folder} is not empty: ${listed}.`,
    'Name another folder, or add --force: it writes what is missing, and keeps every file that is there.',
  );
}

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
