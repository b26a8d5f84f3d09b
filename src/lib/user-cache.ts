import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of this package in the place that the system has for the caches of a user; `XDG_CACHE_HOME` sets it. */
export function userCacheDirectory(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const ofSystem =
    platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches')
      : platform === 'win32'
        ? env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local')
        : join(homedir(), '.cache');
  return join(env['XDG_CACHE_HOME'] || ofSystem, 'durable-reflection');
}
