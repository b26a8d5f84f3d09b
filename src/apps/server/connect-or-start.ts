import { join } from 'node:path';

import { defaultCacheDirectory } from './cli-cache';
import { startDevServer, type DevServerOptions } from './dev-server';
import { DatabaseInUse } from './errors';
import { findTemporalCli, type FindCliOptions } from './find-cli';
import type { ProcessExit } from './server-process';

export interface ReachedServer {
  address: string;
  uiUrl?: string;
  /** Whether we started it. If not, `stop` does nothing: the server has another owner. */
  started: boolean;
  /** Only of a server that we started. */
  exited?: Promise<ProcessExit>;
  stop: () => Promise<void>;
}

interface ConnectOrStartOptions extends Omit<DevServerOptions, 'cli'>, Partial<FindCliOptions> {
  /** A Temporal CLI that is there already. Default: found or fetched. */
  cli?: string;
}

/** Returns the address in `TEMPORAL_ADDRESS`: the user has a server, and none is to be started. */
export function serverAddress(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['TEMPORAL_ADDRESS'] || undefined;
}

/** Returns the address of the Web UI of a server that we did not start: `TEMPORAL_UI_URL`, or a guess at the usual port. */
export function uiUrlOf(address: string, env: NodeJS.ProcessEnv = process.env): string {
  return env['TEMPORAL_UI_URL'] || `http://${address.replace(/^\w+:\/\//, '').replace(/:\d+$/, '')}:8233`;
}

/** Returns the database that `reflect server` and the demo share, in the current folder. */
export function defaultDatabaseFile(): string {
  return join(process.cwd(), '.reflect', 'temporal.db');
}

/**
 * Returns the server to use: the one that `TEMPORAL_ADDRESS` names, or the one that runs on the database file already, or a new
 * one. A server that is named is not checked for an answer: only its client knows the credentials that it requires.
 * @throws TemporalServerUnavailable, PortInUse, TemporalServerFailed
 */
export async function connectOrStart(options: ConnectOrStartOptions = {}): Promise<ReachedServer> {
  const { cli, onProgress, env = process.env, cacheDirectory = defaultCacheDirectory(env), ...server } = options;
  const address = serverAddress(env);
  if (address !== undefined) return notOurs(address, uiUrlOf(address, env));

  const path = cli ?? (await findTemporalCli({ cacheDirectory, onProgress, env })).path;
  try {
    const started = await startDevServer({ ...server, cli: path });
    return { started: true, ...started };
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    return notOurs(error.server.address, error.server.uiUrl);
  }
}

function notOurs(address: string, uiUrl: string | undefined): ReachedServer {
  return { address, uiUrl, started: false, stop: async () => {} };
}
