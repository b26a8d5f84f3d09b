import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchedPackages } from '../../testing/support/fetched-packages';
import { packedPackage } from '../../testing/support/packed-package';

/** The package is built and packed, and the checkers are fetched: with a compiler of their own, they are 39 MB. */
jest.setTimeout(300_000);

const CHECKERS = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' };

let modules: string;
let tarball: string;
beforeAll(async () => {
  modules = fetchedPackages('checkers', CHECKERS);
  tarball = await packedPackage();
});

/** What a checker says, and whether it is content. */
async function check(program: string, args: readonly string[]): Promise<{ content: boolean; said: string }> {
  const running = promisify(execFile)(process.execPath, [path.join(modules, program), ...args], {
    env: { ...process.env, NO_COLOR: '1' },
    timeout: 120_000,
  });
  return running.then(
    ({ stdout }) => ({ content: true, said: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ content: false, said: stdout + stderr }),
  );
}

test('publint finds nothing to warn of in what is packed', async () => {
  const found = await check('publint/src/cli.js', ['run', tarball, '--strict']);
  expect(found).toEqual({ content: true, said: expect.stringMatching(/All good!\s*$/) as string });
});

test('the types of each entry point are found by every way in which TypeScript looks for them', async () => {
  const args = [tarball, '--no-definitely-typed', '--format', 'ascii', '--no-emoji'];
  const { content, said } = await check('@arethetypeswrong/cli/dist/index.js', args);
  expect({ content, said }).toEqual({ content: true, said: expect.stringContaining('No problems found') as string });
  // So that it looked where `moduleResolution: node10` looks, which knows no `exports`.
  for (const entry of ['', '/worker', '/workflow', '/testing']) {
    expect(said).toMatch(new RegExp(`"durable-reflection${entry}"\\s+node10: OK`));
  }
});
