/**
 * Lets workers of one process use the workflow threads and the parsed bundles of those before them: see kept-threads.ts and
 * parsed-bundles.ts. Nothing is loaded before the SDK is.
 */
const Module = require('node:module');
const { rememberParsed } = require('../support/parsed-bundles.ts');
const { withKeptThreads } = require('./kept-threads.ts');

const STARTS_THREADS = require.resolve('@temporalio/worker/lib/workflow/threaded-vm');
const WORKER = require.resolve('@temporalio/worker/lib/worker');
const load = Module._load;
let isChanged = false;

Module._load = function loadForReuse(request, parent, isMain) {
  const loaded = load.call(this, request, parent, isMain);
  if (request === 'node:worker_threads' && parent?.filename === STARTS_THREADS) return withKeptThreads(loaded);
  if (request === './worker' && !isChanged && Module._resolveFilename(request, parent) === WORKER) {
    isChanged = true;
    rememberParsed(loaded.Worker);
  }
  return loaded;
};
