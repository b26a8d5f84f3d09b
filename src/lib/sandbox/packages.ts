import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { StepLanguage } from './languages';
import { findMissing, type OptionalFeature, packageFolder, type PackageMissing } from '../optional-packages';

/** The folder of the files that run inside of the child. */
export const RUNTIME = path.join(__dirname, 'runtime');

const PACKAGES: [name: string, from?: string][] = [
  ['quickjs-emscripten'],
  ['quickjs-emscripten-core', 'quickjs-emscripten'],
  ['@jitl/quickjs-ffi-types', 'quickjs-emscripten-core'],
  // Only the first is used; the package loads descriptions of all.
  ['@jitl/quickjs-wasmfile-release-sync', 'quickjs-emscripten'],
  ['@jitl/quickjs-wasmfile-release-asyncify', 'quickjs-emscripten'],
  ['@jitl/quickjs-wasmfile-debug-sync', 'quickjs-emscripten'],
  ['@jitl/quickjs-wasmfile-debug-asyncify', 'quickjs-emscripten'],
  ['wasmoon'],
  ['swipl-wasm'],
  ['pyodide'],
];

export function packageFolders(): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [name, parent] of PACKAGES) {
    const from = parent === undefined ? __dirname : folders.get(parent);
    const folder = from === undefined ? undefined : packageFolder(name, from);
    if (folder !== undefined) folders.set(name, realpathSync(folder));
  }
  return folders;
}

/** The languages, from the one that is fastest to load. */
const FEATURES: Record<StepLanguage, OptionalFeature> = {
  javascript: 'JavaScript code',
  lua: 'Lua code',
  prolog: 'Prolog code',
  python: 'Python code',
};

export function missingForLanguage(language: StepLanguage): PackageMissing | undefined {
  return findMissing(FEATURES[language]);
}

export function fastestLanguage(): StepLanguage | undefined {
  return (Object.keys(FEATURES) as StepLanguage[]).find((language) => missingForLanguage(language) === undefined);
}
