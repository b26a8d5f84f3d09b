import { statSync } from 'node:fs';
import { join } from 'node:path';

import { findMissing, resolveOptional } from '../../lib/optional-packages';
import { runCommand } from './run-command';

type Fetched = { binary: string } | { problem: string };

const FEATURE = 'Download of a development server';

/** Longer than this without a byte is a network that swallows packets; the SDK itself would wait for minutes. */
const STALLED_AFTER = 20_000;
const GIVE_UP_AFTER = 10 * 60_000;

/**
 * The SDK offers its download only together with starting a server, on the process-wide runtime of its native core.
 * Both happen in a child process, because a runtime that exists cannot be configured any more by our own worker.
 */
const DOWNLOAD_AND_STOP = `
const [testing, downloadDir, version] = process.argv.slice(1);
require(testing)
  .TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'cached-download', downloadDir, version } } })
  .then((environment) => environment.teardown())
  .then(() => process.exit(0), (error) => { console.error(error.message); process.exit(1); });
`;

export async function downloadOfficialCli(
  version: string,
  directory: string,
  env: NodeJS.ProcessEnv,
): Promise<Fetched> {
  const missing = findMissing(FEATURE);
  if (missing) return { problem: missing.message };
  // The SDK's own file name. It writes to `.downloading` and renames at the end.
  const binary = join(directory, `temporal-v${version}${process.platform === 'win32' ? '.exe' : ''}`);
  const stall = abortWhenStalled(binary);
  const result = await runCommand(
    process.execPath,
    ['-e', DOWNLOAD_AND_STOP, resolveOptional(FEATURE, '@temporalio/testing'), directory, `v${version}`],
    // NODE_OPTIONS may ask for a debugger or for hooks that belong to the parent.
    { env: { ...env, NODE_OPTIONS: '' }, timeout: GIVE_UP_AFTER, signal: stall.signal },
  );
  stall.end();
  // A complete file is good even when the server start that fetched it failed: the caller runs it.
  if (sizeOf(binary) > 0) return { binary };
  return { problem: result.ok ? 'downloaded nothing' : shorten(result.problem) };
}

function abortWhenStalled(binary: string): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  let size = -1;
  let movedAt = performance.now();
  const timer = setInterval(() => {
    const now = Math.max(sizeOf(binary), sizeOf(`${binary}.downloading`));
    const done = sizeOf(binary) > 0;
    if (now !== size || done) {
      size = now;
      movedAt = performance.now();
    } else if (performance.now() - movedAt > STALLED_AFTER) {
      controller.abort(`no progress for ${STALLED_AFTER / 1000} s`);
    }
  }, 500);
  return { signal: controller.signal, end: () => clearInterval(timer) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Shortens a problem to its first and last part: the SDK repeats the address and every wrapper's text. */
function shorten(problem: string): string {
  const parts = problem.split(': ');
  return parts.length <= 3 ? problem : `${parts[1] ?? ''}: ${parts.slice(-2).join(': ')}`;
}
