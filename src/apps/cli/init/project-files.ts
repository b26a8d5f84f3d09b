import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageSource, type PackageSource } from './package-source';
import { type OwnManifest, projectManifest } from './project-manifest';

const PACKAGE = path.join(__dirname, '..', '..', '..', '..');

/** The folder of the files that are copied as they are. `_` replaces the dot of a name, as npm does not pack a `.gitignore`. */
const TEMPLATES = path.join(PACKAGE, 'templates', 'init');

export interface ProjectFile {
  name: string;
  text: string;
}

export function ownManifest(): OwnManifest {
  return require('../../../../package.json') as OwnManifest;
}

export function ownSource(folder: string): PackageSource {
  return packageSource(PACKAGE, folder, ownManifest());
}

/**
 * Returns the files of a new project, by name.
 *
 * @param folderName becomes the name in package.json
 * @param spec the version or the tarball of this package
 */
export async function projectFiles(folderName: string, spec: string): Promise<ProjectFile[]> {
  const names = await readdir(TEMPLATES);
  const copied = names.map(async (name) => ({
    name: name.replace(/^_/, '.'),
    text: await readFile(path.join(TEMPLATES, name), 'utf8'),
  }));
  const manifest = `${JSON.stringify(projectManifest(folderName, ownManifest(), spec), null, 2)}\n`;
  const files = [...(await Promise.all(copied)), { name: 'package.json', text: manifest }];
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
