/** `npm run docs:site`: builds the site of docs/ with VitePress into docs/site/dist. Its packages have a lock of their own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeSitePages } from '../testing/build/site-pages';

const SITE = path.join(__dirname, '..', 'docs', 'site');

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: SITE, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(path.join(SITE, 'node_modules', 'vitepress'))) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}
writeSitePages();
run(process.execPath, [path.join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build']);
