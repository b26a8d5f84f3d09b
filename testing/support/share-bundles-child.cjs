/**
 * For `--require` in processes that tests start: their workers take the bundle that another worker of the same run of the
 * tests made, as those inside of jest do. Nothing is loaded before a worker asks for the bundler.
 */
const Module = require('node:module');

const BUNDLER = require.resolve('@temporalio/worker/lib/workflow/bundler');
const load = Module._load;
let shared;

Module._load = function loadShared(request, parent, isMain) {
  const loaded = load.call(this, request, parent, isMain);
  if (!request.endsWith('/bundler') || Module._resolveFilename(request, parent) !== BUNDLER) return loaded;
  // TypeScript is understood by then: who asks for the bundler is a worker of ours.
  shared ??= require('./share-bundles.ts').sharingBundles(loaded);
  return shared;
};
