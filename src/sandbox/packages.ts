import { createRequire } from 'node:module';
import path from 'node:path';
import { realpathSync } from 'node:fs';

/** The folder of the files that run inside of the child. */
export const RUNTIME = path.join(__dirname, 'runtime');

/** Packages that the interpreters are in, with the package that each is resolved from. */
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

/** Each package's folder, by name. */
export function packageFolders(): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [name, from] of PACKAGES)
    folders.set(name, folderOf(name, from === undefined ? undefined : folders.get(from)));
  return folders;
}

/** Looked for as Node does, but by folder: not every package exports its package.json. */
function folderOf(name: string, from = __dirname): string {
  const places = createRequire(path.join(from, 'index.js')).resolve.paths(name) ?? [];
  for (const place of places) {
    try {
      return realpathSync(path.join(place, name));
    } catch {
      continue;
    }
  }
  throw new Error(`The package ${name} is not installed.`);
}
