import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchedPackages } from '../../testing/support/fetched-packages';
import { packedPackage } from '../../testing/support/packed-package';

/** The package is built and packed, and the checkers are fetched: with a compiler of their own, they are 39 MB. */
jest.setTimeout(300_000);

const PROJECT = path.join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>;
};
const CHECKERS = { publint: '0.3.25', '@arethetypeswrong/cli': '0.18.5' };

let modules: string;
let tarball: string;
beforeAll(async () => {
  modules = fetchedPackages('checkers', CHECKERS);
  tarball = await packedPackage();
});

/** What a checker says, and whether it is content. */
const check = (program: string, args: readonly string[]) => run([path.join(modules, program), ...args]);

async function run(args: readonly string[], cwd = PROJECT): Promise<{ content: boolean; said: string }> {
  const running = promisify(execFile)(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 10_000_000,
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

test('the types compile in a project that does not skip the check of libraries', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-types-'));
  try {
    execFileSync('tar', ['-xf', tarball, '-C', folder]);
    symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const entries = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'object' ? [`./package/${target.types.slice(2, -'.d.ts'.length)}`] : [],
    );
    expect(entries.length).toBeGreaterThan(4);
    writeFileSync(path.join(folder, 'use.ts'), entries.map((entry) => `import '${entry}';\n`).join(''));
    const how = ['--noEmit', '--strict', '--esModuleInterop', '--module', 'node16', '--target', 'es2022', 'use.ts'];
    const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { said } = await run([compiler, ...how, '--pretty', 'false', '--listFiles'], folder);
    expect(said).toContain('package/dist/worker.d.ts');
    // Those of the SDK and other packages are not ours to mend.
    expect(said.split('\n').filter((line) => /^package\b.* error /.test(line))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
