/** Builds `dist/`: the package's JavaScript and types, and the workflow bundles that let a worker start without bundling. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { jsonSchemas } from '../src/kinds/list/schemas';
import { nameTypes } from '../src/lib/contract/definitions';
import { fileSchemas } from '../src/apps/yaml';
import { modulesOf, strangersAmong } from '../testing/build/check-bundle';
import { entryFiles, removeUnreached } from '../testing/build/declarations';
import { useLineMap } from '../testing/build/line-map';
import { writeComments } from '../testing/build/contract-docs';

const PROJECT = path.join(__dirname, '..');
const DIST = path.join(PROJECT, 'dist');
/** Folders whose declarations get the comments of the schemas that they are inferred from. */
const WITH_CONTRACT = ['lib/contract', 'loop/base', 'loop/contract', 'loop/state', 'kinds'];
const SOURCE_MAP = /(?<=^\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,)[\w+/=]+/m;

/**
 * JavaScript goes without comments, which stand in the types: they would be a sixth of the package, and of each workflow bundle.
 */
function compile(): void {
  const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
  for (const options of [['--removeComments', '--declaration', 'false'], ['--emitDeclarationOnly']]) {
    const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...options], {
      cwd: PROJECT,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('The compiler found mistakes.');
  }
}

/** Makes all paths of a bundle relative, those in its inline source map too: where the package was built is nobody's business. */
function withRelativePaths(code: string): string {
  const relative = (text: string) => text.replaceAll(`${PROJECT}${path.sep}`, '');
  return relative(code).replace(SOURCE_MAP, (encoded) =>
    Buffer.from(relative(Buffer.from(encoded, 'base64').toString())).toString('base64'),
  );
}

/** Comments of the packages in a bundle, each on lines of its own. */
const COMMENTS = [
  /^[ \t]*\/\*\*[ \t]*\n(?:[ \t]*\*.*\n)*?[ \t]*\*\/[ \t]*$/gm,
  /^[ \t]*\/\*\* .*\*\/[ \t]*$/gm,
  /^[ \t]*\/\/ .*$/gm,
];

/** The code without the comments of packages, which have no use here. Lines stay where the source map says. */
function withoutComments(code: string): string {
  const [, script = '', map = ''] = /^([\s\S]*)(^\/\/# sourceMappingURL=[\s\S]*)$/m.exec(code) ?? [];
  const bare = COMMENTS.reduce((text, comment) => text.replaceAll(comment, (all) => all.replaceAll(/.+/g, '')), script);
  return map === '' ? code : `${bare}${map}`;
}

async function bundle(file: string, failureConverterPath?: string): Promise<void> {
  const workflowsPath = path.join(DIST, 'workflows', 'index.js');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    // Nothing in these modules remembers anything, so that all runs of a worker can share them: less memory and time a run.
    preloadModules: [workflowsPath],
    workflowInterceptorModules: [path.join(DIST, 'workflows', 'interceptors.js')],
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
    logger: new DefaultLogger('WARN'),
    webpackConfigHook: (config) => withoutPathComments(useLineMap(config)),
  });
  const strangers = strangersAmong(modulesOf(code));
  if (strangers.length > 0) throw new Error(`These must not be in the workflow bundle:\n${strangers.join('\n')}`);
  writeFileSync(path.join(DIST, file), withRelativePaths(withoutComments(code)));
}

/** What runs inside of sandboxes is no TypeScript, and is copied as it is. */
function copySandbox(): void {
  for (const part of ['runtime', 'jail.sh']) {
    cpSync(path.join(PROJECT, 'src', 'lib', 'sandbox', part), path.join(DIST, 'lib', 'sandbox', part), {
      recursive: true,
    });
  }
}

/**
 * Copies the reader of Temporal's configuration into the build. As a dependency it brings a copy of `@temporalio/common` in its
 * own version, 16 MB with what that needs, wherever the SDK beside it is an older one.
 */
function copyConfigurationReader(): void {
  const from = path.dirname(require.resolve('@temporalio/envconfig/package.json'));
  const to = path.join(DIST, 'lib', 'envconfig');
  const isCode = (file: string) => !path.extname(file) || file.endsWith('.js');
  cpSync(path.join(from, 'lib'), to, { recursive: true, filter: isCode });
  cpSync(path.join(from, 'LICENSE'), path.join(to, 'LICENSE'));
  const user = path.join(DIST, 'lib', 'config.js');
  const code = readFileSync(user, 'utf8');
  const own = code.replace(`require("@temporalio/envconfig")`, 'require("./envconfig/index.js")');
  if (own === code) throw new Error('dist/lib/config.js does not load @temporalio/envconfig.');
  writeFileSync(user, own);
}

/** Leaves out webpack's comments with the path of each module: the map of the bundle and the names of modules have it, too. */
function withoutPathComments<Configuration extends { output?: object | undefined }>(configuration: Configuration) {
  return { ...configuration, output: { ...configuration.output, pathinfo: false } };
}

/** JSON Schemas for editors and other languages. Programs read them, and indented they take three times as much. */
function writeSchemas(): void {
  const folder = path.join(DIST, 'json-schemas');
  mkdirSync(folder, { recursive: true });
  const schemas = { ...nameTypes(jsonSchemas()), ...nameTypes(fileSchemas()) };
  for (const [file, schema] of Object.entries(schemas)) {
    writeFileSync(path.join(folder, file), `${JSON.stringify(schema)}\n`);
  }
}

/** Loads what users will load. */
function tryDoors(): void {
  for (const entry of [...entryFiles(), 'apps/cli']) {
    const { status } = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path.join(DIST, entry))})`], {
      cwd: PROJECT,
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`dist/${entry} cannot be loaded.`);
  }
}

/** Has a thread of the built package do a check: where none starts, the event loop would do it all, and nobody would notice. */
function tryThread(): void {
  const program = `
    const { CheckPool } = require(${JSON.stringify(path.join(DIST, 'lib', 'threads', 'offload'))});
    const file = ${JSON.stringify(path.join(DIST, 'evaluators', 'schema', 'schema-problems'))};
    const input = JSON.stringify({ schema: { type: 'nothing' } });
    new CheckPool(1).ask({ file, name: 'schemaProblems', input, milliseconds: 60_000 }).then(({ output }) => {
      process.exit(JSON.parse(output).length === 1 ? 0 : 1);
    });
  `;
  const { status } = spawnSync(process.execPath, ['-e', program], { cwd: PROJECT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The threads of dist/ do no checks.');
}

async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  try {
    compile();
    for (const folder of WITH_CONTRACT) writeComments(path.join(DIST, folder));
    removeUnreached(DIST);
    copySandbox();
    copyConfigurationReader();
    await bundle('workflow-bundle.js');
    // Encryption needs a failure converter, and a bundle cannot be given one later.
    await bundle('workflow-bundle-encoded.js', path.join(DIST, 'lib', 'codec', 'failure-converter.js'));
    const { version: sdk } = require('@temporalio/worker/package.json') as { version: string };
    writeFileSync(path.join(DIST, 'workflow-bundle-sdk.json'), `${JSON.stringify({ sdk })}\n`);
    writeSchemas();
    tryDoors();
    tryThread();
  } catch (error) {
    // Half a build would be used as if it were whole.
    rmSync(DIST, { recursive: true, force: true });
    throw error;
  }
}

build().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
