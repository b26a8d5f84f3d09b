import { join } from 'node:path';

/** What a process with a worker needs in its environment to share the workflow bundle of this run of the tests. */
export const SHARES_BUNDLES = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'share-bundles-child.cjs'))}`,
};
