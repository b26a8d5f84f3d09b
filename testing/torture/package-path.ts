import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const BUNDLE = join(ROOT, 'dist', 'workflow-bundle.js');

function newestSource(): number {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return Math.max(
    ...files.filter((file) => file.endsWith('.ts')).map((file) => statSync(join(ROOT, 'src', file)).mtimeMs),
  );
}

/** True when `dist/` was built after the last change of a source. */
export function isBuilt(): boolean {
  return existsSync(BUNDLE) && statSync(BUNDLE).mtimeMs > newestSource();
}

/** What a worker process loads: the built package, which starts without bundling, or else the sources. */
export function packagePath(): string {
  return isBuilt() ? join(ROOT, 'dist', 'worker.js') : join(ROOT, 'src', 'worker.ts');
}
