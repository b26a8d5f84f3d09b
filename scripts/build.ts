/** Builds `dist/`: the package's JavaScript and types, and the workflow bundle that lets a worker start without bundling. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { modulesOf, strangersAmong } from './check-bundle';

const PROJECT = path.join(__dirname, '..');
const DIST = path.join(PROJECT, 'dist');
const SOURCE_MAP = /(?<=^\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,)[\w+/=]+/m;

function compile(): void {
  const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: PROJECT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The compiler found mistakes.');
}

/** Makes the sources of the inline source map relative: where the package was built is nobody's business. */
function withRelativeSources(code: string): string {
  return code.replace(SOURCE_MAP, (encoded) => {
    const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as { sources: string[] };
    const sources = map.sources.map((source) =>
      source.startsWith(`${PROJECT}${path.sep}`) ? path.relative(PROJECT, source).split(path.sep).join('/') : source,
    );
    return Buffer.from(JSON.stringify({ ...map, sources })).toString('base64');
  });
}

async function bundle(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(DIST, 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
  });
  const strangers = strangersAmong(modulesOf(code));
  if (strangers.length > 0) throw new Error(`These must not be in the workflow bundle:\n${strangers.join('\n')}`);
  const relative = withRelativeSources(code);
  if (relative.includes(PROJECT)) throw new Error('The workflow bundle still names the folder where it was built.');
  writeFileSync(path.join(DIST, 'workflow-bundle.js'), relative);
}

async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  compile();
  await bundle();
}

build().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
