import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHARES_BUNDLES } from '../../testing/support/child-environment';
import { testAddress } from '../../testing/support/temporal-server';

const ROOT = join(__dirname, '..', '..');

test('the example as one command: the first run fails, and the second succeeds because of what that one learned', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reflect-plan-'));
  try {
    const { DATABASE_URL: _url, ...environment } = process.env;
    const env = { ...environment, ...SHARES_BUNDLES, TEMPORAL_ADDRESS: testAddress(), REFLECT_MEMORY_FOLDER: folder };
    const args = ['--import', 'tsx', join('examples', 'plan-and-learn', 'main.ts')];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
    const [first, second] = stdout.split('run 2: ');
    expect(first).toMatch(/^run 1: failed$/m);
    expect(first).toMatch(/learned: .*no such file/);
    expect(first).not.toContain('is written');
    expect(second).toMatch(/^succeeded\n {2}write: .* is written\n {2}send: .* is sent/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
