import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from './packed-package';

const FOLDER = path.join(__dirname, '..', '..', '.reflect', 'fetched');

/**
 * Installs packages that few tests need, and that are too large for everybody's `npm ci`, into a folder that is kept
 * between runs of the tests.
 *
 * @param name of the folder; two processes must not ask for it at the same time
 * @returns its `node_modules`
 */
export function fetchedPackages(name: string, dependencies: Record<string, string>): string {
  const folder = path.join(FOLDER, name);
  const modules = path.join(folder, 'node_modules');
  const manifest = path.join(folder, 'package.json');
  const text = JSON.stringify({ private: true, dependencies });
  const isThere = existsSync(manifest) && readFileSync(manifest, 'utf8') === text;
  if (isThere && existsSync(path.join(modules, '.package-lock.json'))) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, text);
  npm(['install', '--ignore-scripts', '--prefer-offline', '--no-package-lock'], folder);
  return modules;
}
