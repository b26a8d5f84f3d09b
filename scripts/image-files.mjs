/**
 * Removes from `node_modules` of the current folder what no program of the image loads: the native cores of other
 * platforms and the sources they were built from, types, source maps and readme files. Licences stay.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const MODULES = path.resolve('node_modules');
const NEVER_LOADED = /\.(?:[cm]?tsx?|map|md|markdown|flow|tsbuildinfo|rs)$/i;

/** A file of the bridge itself says which core it loads here, so that this script names no platform. */
function slimCore() {
  const bridge = path.join(MODULES, '@temporalio', 'core-bridge');
  const { getPrebuiltPath } = createRequire(import.meta.url)(path.join(bridge, 'common.js'));
  const releases = path.join(bridge, 'releases');
  const own = path.relative(releases, getPrebuiltPath()).split(path.sep)[0];
  for (const name of readdirSync(releases)) {
    if (name !== own) rmSync(path.join(releases, name), { recursive: true });
  }
  for (const name of ['sdk-core', 'bridge-macros', 'src', 'Cargo.toml', 'Cargo.lock']) {
    rmSync(path.join(bridge, name), { recursive: true, force: true });
  }
}

function slimFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const each = path.join(folder, entry.name);
    if (entry.isDirectory()) slimFiles(each);
    else if (entry.isFile() && NEVER_LOADED.test(entry.name) && !/^licen[cs]e/i.test(entry.name)) rmSync(each);
  }
}

function bytes(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, { size }) => sum + size, 0);
}

const before = bytes(MODULES);
slimCore();
slimFiles(MODULES);
console.log(`node_modules: ${Math.round(before / 1e6)} MB, of which ${Math.round(bytes(MODULES) / 1e6)} MB stay`);
