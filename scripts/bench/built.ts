import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from '../../testing/torture/package-path';

const ROOT = join(__dirname, '..', '..');

/** Builds the package where there is no build of the present sources: what is measured is what users get. */
export function ensureBuilt(): void {
  if (isBuilt()) return;
  console.error('There is no build of the present sources: npm run build.');
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0 || !isBuilt()) throw new Error('`npm run build` failed, so there is nothing to measure.');
}
