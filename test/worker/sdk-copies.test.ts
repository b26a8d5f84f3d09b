import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertOneSdk, sdkVersion, SdkCopiesError } from '../../src/worker/sdk/sdk-copies';
import { isBuiltWith } from '../../src/worker/workflow-source';

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'sdk-copies-')));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** Installs a package of a version into a folder of the project. */
function install(name: string, version: string, into = ''): string {
  const folder = path.join(project, into, 'node_modules', '@temporalio', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version }));
  return folder;
}

function problem(loaded: readonly string[] = []): SdkCopiesError | undefined {
  try {
    assertOneSdk(path.join(project, 'node_modules', 'durable-reflection', 'dist'), loaded);
    return undefined;
  } catch (error) {
    if (error instanceof SdkCopiesError) return error;
    throw error;
  }
}

test('one copy of the SDK is what a checkout has', () => {
  expect(() => assertOneSdk()).not.toThrow();
});

test('a package of the worker in another version than ours is refused, with both versions and what to do', () => {
  const worker = install('worker', '1.22.0');
  install('common', '1.24.0');
  expect(problem()).toBeUndefined();
  const nested = install('common', '1.22.0', path.relative(project, worker));
  expect(problem()?.copies).toEqual([
    { name: '@temporalio/common', version: '1.24.0', folder: path.join(project, 'node_modules/@temporalio/common') },
    { name: '@temporalio/common', version: '1.22.0', folder: nested },
  ]);
  expect(problem()?.message).toMatch(/1\.24\.0 .* and 1\.22\.0 .*`npm ls @temporalio\/common`/);
});

test('a worker that the program loaded from elsewhere is refused', () => {
  const worker = install('worker', '1.23.0');
  expect(problem([path.join(worker, 'lib', 'worker.js')])).toBeUndefined();
  const ours = install('worker', '1.24.0', 'node_modules/durable-reflection');
  expect(problem([path.join(worker, 'lib', 'worker.js'), path.join(ours, 'lib', 'worker.js')])?.copies).toMatchObject([
    { version: '1.24.0' },
    { version: '1.23.0' },
  ]);
});

test('a bundle counts for the very version of the SDK that it was built with', () => {
  const file = path.join(project, 'built.json');
  expect(isBuiltWith(sdkVersion(), file)).toBe(false);
  writeFileSync(file, JSON.stringify({ sdk: '1.24.0' }));
  expect(isBuiltWith('1.24.0', file)).toBe(true);
  expect(isBuiltWith('1.24.1', file)).toBe(false);
  expect(isBuiltWith('1.22.0', file)).toBe(false);
});
