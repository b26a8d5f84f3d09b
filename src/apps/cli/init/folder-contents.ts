import { readdir } from 'node:fs/promises';
import { CliError } from '../support/cli-error';

/**
 * Files that version control, editors and desktops leave in a folder that a user would call empty. None of them is written by
 * `reflect init`.
 */
const IGNORED = new Set(['.git', '.gitkeep', '.hg', '.idea', '.vscode', '.DS_Store', 'Thumbs.db']);

const MOST_NAMES = 20;

/**
 * Returns the names in a folder that are in the way of a new project, sorted; none if there is no such folder.
 *
 * @throws CliError NotAFolder
 */
export async function inTheWay(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !IGNORED.has(name)).toSorted();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CliError('NotAFolder', `${folder} cannot be used as a folder: ${message}`, 'Name another folder.');
  }
}

export function folderNotEmpty(folder: string, names: readonly string[]): CliError {
  const more = names.length - MOST_NAMES;
  const listed = [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return new CliError(
    'FolderNotEmpty',
    `${folder} is not empty: ${listed}.`,
    'Name another folder, or add --force: it writes what is missing, and keeps every file that is there.',
  );
}
