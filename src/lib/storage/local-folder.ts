import { InvalidStorageSettings } from './errors';
import { FolderParts } from './parts/folder-parts';
import { PartStorageDriver, type PartStorageOptions } from './parts/part-storage-driver';

interface LocalFolderOptions extends PartStorageOptions {
  /** Made if it is not there. Relative to the working directory. All workers and clients must see the same folder. */
  folder: string;
}

/**
 * Keeps large payloads in a folder: for one machine, or for several that share a disk. Nothing to set up.
 *
 * @throws InvalidStorageSettings
 */
export function localFolderStorage({ folder, ...options }: LocalFolderOptions): PartStorageDriver {
  if (folder === '') throw new InvalidStorageSettings('The folder of a folder storage must have a name');
  return new PartStorageDriver('durable-reflection.folder', new FolderParts(folder), {
    name: 'reflect-folder',
    ...options,
  });
}
