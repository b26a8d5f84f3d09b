/** Finds the ordinary tests that what changed may break, the nearest first. */
const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { PROJECT, importsOf } = require('./imports.cjs');
const { isQuick } = require('./quick-tests.cjs');

const CODE = /\.[cm]?[jt]s$/;

/** @param {RegExp} others names of the test files that other commands run */
function ordinaryTests(others) {
  return readdirSync(path.join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !others.test(file))
    .map((file) => path.join(PROJECT, 'test', file));
}

/** How many imports lie between a test and the nearest of some files; undefined where it leads to none. */
function distance(test, files) {
  const steps = new Map([[test, 0]]);
  for (const [file, step] of steps) {
    if (files.has(file)) return step;
    for (const next of importsOf(file)) if (!steps.has(next)) steps.set(next, step + 1);
  }
  return undefined;
}

/** Whether a test names one of some files that are no code, and so cannot be imported. */
function names(test, files) {
  const text = files.length > 0 ? readFileSync(test, 'utf8') : '';
  return files.some((file) => text.includes(path.basename(file)));
}

/** @param {string[]} changed relative to the project */
function relatedTests(changed, otherCommands) {
  const code = new Set(changed.filter((file) => CODE.test(file)).map((file) => path.join(PROJECT, file)));
  const texts = changed.filter((file) => !CODE.test(file));
  return ordinaryTests(otherCommands)
    .map((test) => ({ test, quick: isQuick(test), steps: names(test, texts) ? 1 : distance(test, code) }))
    .filter(({ steps }) => steps !== undefined)
    .toSorted((a, b) => a.steps - b.steps || Number(b.quick) - Number(a.quick));
}

module.exports = { relatedTests };
