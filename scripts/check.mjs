/**
 * Checks what changed since the branch left `main`, uncommitted files included, in less than a minute: format, lint, types,
 * the size, and the nearest of the tests that lead to a changed file. `npm run verify` checks everything.
 *
 *   npm run check -- --lower   lowers the ceilings of `size.json` to the sizes that are there
 */
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const PROJECT = path.join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { relatedTests } = require('../testing/jest/related-tests.cjs');
const { CEILINGS, lowerCeilings, measureSize, readCeilings, sizeProblems } = require('../testing/structure/size.cjs');
const [{ testPathIgnorePatterns }] = require('../jest.config.cjs').projects;
/** Test files that are run, the nearest: a file that everything needs leads to hundreds. */
const MOST_TESTS = 15;
const LINTED = /\.[cm]?[jt]s$/;

const git = (...args) =>
  execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const linesOf = (text) => text.split('\n').filter((line) => line !== '');

/** Where the branch left `main`; in a clone that has no branch of that name, the latest commit. */
function base() {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', main).trim();
    } catch {
      // There is no such branch.
    }
  }
  return 'HEAD';
}

/** Runs a program, and says how it ended. */
async function run(name, program, args) {
  const started = performance.now();
  const child = spawn(process.execPath, [path.join(PROJECT, 'node_modules', program), ...args], { cwd: PROJECT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  return { name, failed: code !== 0, output };
}

if (process.argv.includes('--lower')) {
  const lowered = lowerCeilings(measureSize(PROJECT), readCeilings(PROJECT));
  // As the formatter writes it: a list on one line.
  const text = JSON.stringify(lowered, null, 2).replaceAll(/\[\s+([\d.]+),\s+([\d.]+)\s+\]/g, '[$1, $2]');
  writeFileSync(path.join(PROJECT, CEILINGS), `${text}\n`);
}
const tooLarge = sizeProblems(measureSize(PROJECT), readCeilings(PROJECT));
console.log(`${tooLarge.length === 0 ? '✓' : '✗'} size`);

const changed = [
  ...linesOf(git('diff', '--name-only', '--diff-filter=d', base())),
  ...linesOf(git('ls-files', '--others', '--exclude-standard')),
];
if (changed.length === 0) {
  console.log('Nothing changed since the branch left main. `npm run verify` checks everything.');
  if (tooLarge.length > 0) console.log(`\n── size failed\n${tooLarge.join('\n')}`);
  process.exit(tooLarge.length > 0 ? 1 : 0);
}
const related = relatedTests(changed, new RegExp(testPathIgnorePatterns.at(-1)));
// Tests that need a server are for `npm test`, but for those that were changed, and where there are no others.
const near = related.filter(({ quick, steps }) => quick || steps === 0);
const tests = (near.length > 0 ? near : related).slice(0, MOST_TESTS);
const jestOptions = [
  // Where no test needs the server, none is started.
  ...(tests.every(({ quick }) => quick) ? ['--config', 'jest.quick.config.cjs'] : ['--selectProjects', 'test']),
  '--runTestsByPath',
];
const linted = changed.filter((file) => LINTED.test(file));

console.log(
  `${changed.length} files changed; ${tests.length} of ${related.length} test files that lead to them are run.`,
);
const results = await Promise.all([
  run('format', 'prettier/bin/prettier.cjs', ['--check', '--ignore-unknown', ...changed]),
  ...(linted.length > 0 ? [run('lint', 'oxlint/bin/oxlint', ['--type-aware', ...linted])] : []),
  run('types', 'typescript/bin/tsc', []),
  ...(tests.length > 0 ? [run('tests', 'jest/bin/jest.js', [...jestOptions, ...tests.map(({ test }) => test)])] : []),
]);
const size = { name: 'size', failed: tooLarge.length > 0, output: tooLarge.join('\n') };
const failed = [size, ...results].filter((result) => result.failed);
for (const { name, output } of failed) console.log(`\n── ${name} failed\n${output.trimEnd()}`);
console.log(`
${failed.length === 0 ? 'All of it holds.' : `Failed: ${failed.map(({ name }) => name).join(', ')}.`}
More: npm run format (mends the format), npm run test:quick, npx jest FILE, npm test, npm run verify (everything).`);
process.exitCode = failed.length === 0 ? 0 : 1;
