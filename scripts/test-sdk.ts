/**
 * Runs the core of the tests with the oldest version of the SDK that the package works with: a copy of the sources stands
 * below an installation of that version, which Node finds before the one of this repository. `npm test` has the newest.
 *
 *   npm run test:sdk                                       the oldest
 *   npm run test:sdk -- --sdk 1.23.0                       another one
 *   npm run test:sdk -- test/workflows/judge.test.ts       other test files; options of jest go here, too
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { copyProject, installSdk, oldestSdk, PROJECT } from '../testing/sdk/other-sdk';
import { SDK_CORE } from '../testing/sdk/sdk-core';

function run(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(process.execPath, [program, ...args], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

const own = (...parts: string[]): string => path.join(PROJECT, 'node_modules', ...parts);

function main(given: readonly string[]): void {
  const at = given.indexOf('--sdk');
  const version = at < 0 ? oldestSdk() : given[at + 1]!;
  const forJest = given.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const folder = installSdk(version);
  const copy = copyProject(folder);
  console.log(`Temporal SDK ${version}, in ${path.relative(PROJECT, folder)}`);
  run(own('typescript', 'bin', 'tsc'), ['-p', 'tsconfig.build.json', '--noEmit'], copy);
  const files = forJest.some((each) => each.endsWith('.ts')) ? [] : SDK_CORE;
  const project = ['--selectProjects', 'test', '--config', 'jest.config.cjs'];
  run(own('jest', 'bin', 'jest.js'), [...project, ...forJest, '--runTestsByPath', ...files], copy);
}

main(process.argv.slice(2));
