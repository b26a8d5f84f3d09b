/**
 * Which ordinary tests need no server, Temporal's or another, and no process or thread of their own. Jest asks at each run, so that
 * a new test counts at once.
 */
const path = require('node:path');
const { PROJECT, reachedFrom } = require('./imports.cjs');

const SOURCES = path.join(PROJECT, 'src', path.sep);
/** A test that leads to one of these, by itself or by what it shares with other tests, is not quick. */
const SLOW = [
  path.join('testing', 'support', 'temporal-server.ts'),
  path.join('src', 'apps', 'server', path.sep),
  path.join('src', 'apps', 'testing', 'environment'),
  path.join('src', 'apps', 'testing', 'scripted-model', path.sep),
  path.join('src', 'lib', 'threads', path.sep),
  // All recorded histories take seconds to read.
  path.join('testing', 'replay', 'recordings'),
  '@electric-sql/pglite',
  'node:child_process',
  'node:http',
  'node:net',
  'node:worker_threads',
  '@temporalio/testing',
  '@temporalio/worker',
];

function isQuick(test) {
  const reached = [...reachedFrom(test, (file) => !file.startsWith(SOURCES))];
  const names = reached.map((file) => (path.isAbsolute(file) ? path.relative(PROJECT, file) : file));
  return !names.some((name) => SLOW.some((slow) => name.startsWith(slow)));
}

module.exports = (tests) => Promise.resolve({ filtered: tests.filter(isQuick) });
module.exports.isQuick = isQuick;
