import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDirectory } from '../../src/apps/server';
import { userCacheDirectory } from '../../src/lib/user-cache';

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string]>([
  ['the folder of the environment', { XDG_CACHE_HOME: '/cache' }, 'darwin', '/cache'],
  ['the usual folder', {}, 'linux', join(homedir(), '.cache')],
  ['that of a Mac', {}, 'darwin', join(homedir(), 'Library', 'Caches')],
  ['that of Windows', { LOCALAPPDATA: '/local' }, 'win32', '/local'],
])('the cache of a user is in %s', (_what, env, platform, folder) => {
  expect(userCacheDirectory(env, platform)).toBe(join(folder, 'durable-reflection'));
});

test('the server is fetched once for all projects, but for those that have a cache of their own', () => {
  const project = mkdtempSync(join(tmpdir(), 'project-'));
  const before = process.cwd();
  process.chdir(project);
  try {
    const env = { XDG_CACHE_HOME: '/cache' };
    expect(defaultCacheDirectory(env)).toBe(join('/cache', 'durable-reflection'));
    const own = join(process.cwd(), '.reflect', 'cache');
    mkdirSync(own, { recursive: true });
    expect(defaultCacheDirectory(env)).toBe(own);
  } finally {
    process.chdir(before);
    rmSync(project, { recursive: true, force: true });
  }
});
