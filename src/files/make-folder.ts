import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/**
 * Makes a folder and those above it. Unlike Node's own way of doing so, it fails with what is really wrong: on a read-only file
 * system that one says that there is no such file or folder.
 *
 * @param mode of folders that are made
 * @returns the folders that were made, the uppermost first
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string[]> {
  try {
    await mkdir(path, { mode });
    return [path];
  } catch (error) {
    if (code(error) === 'EEXIST') return [];
    const above = dirname(path);
    if (code(error) !== 'ENOENT' || above === path) throw error;
    const made = await makeFolder(above, mode);
    // Somebody else may make it meanwhile.
    return [...made, ...(await makeFolder(path, mode))];
  }
}
