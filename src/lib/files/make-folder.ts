import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (code(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes a folder and those above it. Unlike Node's own way of doing so, it fails with what is really wrong: on a read-only file
 * system that one says that there is no such file or folder.
 * @returns the folders that were made, the uppermost first
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string[]> {
  let above: string[];
  try {
    return (await makeOne(path, mode)) ? [path] : [];
  } catch (error) {
    const folder = dirname(path);
    if (code(error) !== 'ENOENT' || folder === path) throw error;
    above = await makeFolder(folder, mode);
  }
  // Once more, and not again: some file systems report that nothing exists whatever is above, such as /proc.
  return (await makeOne(path, mode)) ? [...above, path] : above;
}
