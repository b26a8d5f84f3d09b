import path from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import { packageSource, type PackageSource } from './package-source';

interface OwnManifest {
  name: string;
  version: string;
  peerDependencies: Record<string, string>;
}

/** For large payloads in a bucket, which a new project does not have. */
const FOR_S3 = '@temporalio/external-storage-s3';

/** Needed by tests and by `reflect server` only: it downloads a server where there is none. */
const FOR_DEVELOPMENT = new Set(['@temporalio/testing']);

interface ProjectManifest {
  name: string;
  version: string;
  private: true;
  type: 'module';
  engines: Record<string, string>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Makes a name that npm takes from the folder's name; `own` is this package's, which is taken. */
export function packageName(folderName: string, own: string): string {
  const name = folderName
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 200);
  if (name === '') return 'reflection-loop';
  return name === own || name === 'node_modules' ? `${name}-project` : name;
}

/** Names all packages of the SDK: managers such as pnpm hide the dependencies of dependencies. */
function projectManifest(folderName: string, own: OwnManifest, spec: string): ProjectManifest {
  const sdk = Object.entries(own.peerDependencies).filter(
    ([name]) => name.startsWith('@temporalio/') && name !== FOR_S3,
  );
  const isForDevelopment = ([name]: [string, string]): boolean => FOR_DEVELOPMENT.has(name);
  const dependencies = sdk.filter((each) => !isForDevelopment(each));
  return {
    name: packageName(folderName, own.name),
    version: '0.0.0',
    private: true,
    type: 'module',
    // process.loadEnvFile
    engines: { node: '>=20.12' },
    scripts: {
      server: 'reflect server',
      worker: 'node worker.mjs',
      client: 'node client.mjs',
      test: 'node --test',
    },
    dependencies: { ...Object.fromEntries(dependencies), [own.name]: spec },
    devDependencies: Object.fromEntries(sdk.filter(isForDevelopment)),
  };
}

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
