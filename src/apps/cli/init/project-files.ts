import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type OwnManifest, projectManifest } from './project-manifest';

/** The folder of the files that are copied as they are. `_` replaces the dot of a name, as npm does not pack a `.gitignore`. */
const TEMPLATES = path.join(__dirname, '..', '..', '..', '..', 'templates', 'init');

/** A file of a new project. */
export interface ProjectFile {
  name: string;
  text: string;
}

/** Returns the manifest of this package. */
export function ownManifest(): OwnManifest {
  return require('../../../../package.json') as OwnManifest;
}

/**
 * Returns the files of a new project, by name.
 *
 * @param folderName becomes the name in package.json
 */
export async function projectFiles(folderName: string): Promise<ProjectFile[]> {
  const names = await readdir(TEMPLATES);
  const copied = names.map(async (name) => ({
    name: name.replace(/^_/, '.'),
    text: await readFile(path.join(TEMPLATES, name), 'utf8'),
  }));
  const manifest = `${JSON.stringify(projectManifest(folderName, ownManifest()), null, 2)}\n`;
  const files = [...(await Promise.all(copied)), { name: 'package.json', text: manifest }];
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
