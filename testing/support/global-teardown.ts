import { rmSync } from 'node:fs';
import { RUN_FOLDER_VARIABLE } from './run-folder';

/** Stops the server of the run, if it was ours, and removes what the run kept. Jest takes what the module itself is. */
export = async function stopSharedServer(): Promise<void> {
  const folder = process.env[RUN_FOLDER_VARIABLE];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  await globalThis.sharedTestServer?.stop();
};
