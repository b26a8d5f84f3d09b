/** Reads which files import which, so that a change can be followed to the tests that it may break. */
const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

const PROJECT = path.join(__dirname, '..', '..');
/** Value imports and re-exports, calls of `import` and `require`, and files that `require.resolve` names for threads. */
const IMPORTS =
  /(?:^|\n)(?:import|export)(?! type)[^;'"]*?from\s*'([^']+)'|(?:^|\n)import\s*'([^']+)'|\b(?:import|require|require\.resolve|requireActual|mock)\(\s*'([^']+)'/g;
const ENTRY = /^durable-reflection(?:\/(worker|workflow|testing|compat|review))?$/;

/** Entry points whose files have another name. */
const FOLDERS = { testing: 'apps/testing/index', review: 'apps/cli/review/index' };

/** The file that a name means, seen from another file; a package's name stays as it is. */
function resolve(from, name) {
  const entry = ENTRY.exec(name);
  if (entry) return path.join(PROJECT, 'src', `${FOLDERS[entry[1]] ?? entry[1] ?? 'index'}.ts`);
  if (!name.startsWith('.')) return name;
  const base = path.resolve(path.dirname(from), name);
  return [base, `${base}.ts`, path.join(base, 'index.ts')].find((file) => /\.\w+$/.test(file) && existsSync(file));
}

const known = new Map();

/** Files and packages that a file imports as values. */
function importsOf(file) {
  const before = known.get(file);
  if (before) return before;
  const found = new Set();
  known.set(file, found);
  if (!path.isAbsolute(file) || !/\.(?:[cm]?[jt]s)$/.test(file) || !existsSync(file)) return found;
  for (const [, from, bare, called] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
    const target = resolve(file, from ?? bare ?? called);
    if (target !== undefined) found.add(target);
  }
  return found;
}

/** Everything that a file leads to. @param {(file: string) => boolean} enters whether the imports of a file count, too */
function reachedFrom(file, enters = () => true) {
  const reached = new Set([file]);
  for (const each of reached) if (enters(each)) for (const next of importsOf(each)) reached.add(next);
  return reached;
}

module.exports = { PROJECT, importsOf, reachedFrom };
