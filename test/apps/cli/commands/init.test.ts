import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { init, nextCommands } from '../../../../src/apps/cli/commands/init';
import { packageSource } from '../../../../src/apps/cli/init/package-source';
import { ownSource, projectFiles, packageName } from '../../../../src/apps/cli/init/project-files';
import { parseFile } from '../../../../src/apps/yaml';
import { variableNames } from '../../../../testing/build/reference/environment';
import { reflect } from '../reflect-command';

const PROJECT = path.join(__dirname, '..', '..', '..', '..');
const own = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
  version: string;
  bin: Record<string, string>;
  peerDependencies: Record<string, string>;
};
const FILES = [
  '.env.example',
  '.gitignore',
  'README.md',
  'client.mjs',
  'docker-compose.yml',
  'loop.test.mjs',
  'loop.yaml',
  'package.json',
  'worker.mjs',
];

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reflect-init-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/** What it prints. */
async function printed(given: string | undefined, options: { force?: boolean; json?: boolean } = {}): Promise<string> {
  const lines: string[] = [];
  const spy = jest.spyOn(console, 'log').mockImplementation((text: unknown) => void lines.push(String(text)));
  try {
    expect(await init(given, options)).toBe(0);
  } finally {
    spy.mockRestore();
  }
  return lines.join('\n');
}

describe('reflect init', () => {
  test('writes a project into a new folder, and says what to do next', async () => {
    const place = path.join(folder, 'below', 'My notes');
    const said = await printed(place);
    expect(readdirSync(place).toSorted()).toEqual(FILES);
    for (const name of FILES) expect(said).toContain(name);
    for (const command of ['npm install', 'npm test', 'npm run server', 'npm run worker -- --scripted']) {
      expect(said).toMatch(new RegExp(`^ {2}${command} +# `, 'm'));
    }
    expect(JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))).toMatchObject({ name: 'my-notes' });
  });

  test('package.json has the versions of the package that wrote it', async () => {
    await printed(folder);
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const { 'durable-reflection': ours, ...sdk } = { ...dependencies, ...devDependencies };
    // A checkout has no version that a registry knows.
    expect(ours).toMatch(/^file:.*\.tgz$/);
    expect(ours).toBe(ownSource(folder).spec);
    // A new project has no bucket, and the driver brings 36 MB.
    const isNeeded = (name: string) => name.startsWith('@temporalio/') && !name.includes('external-storage');
    const peers = Object.entries(own.peerDependencies).filter(([name]) => isNeeded(name));
    expect(sdk).toEqual(Object.fromEntries(peers));
    expect(Object.keys(devDependencies!)).toEqual(['@temporalio/testing']);
  });

  test('the files name scripts, variables and files that are there, and the spec is right', async () => {
    await printed(folder);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const readme = read('README.md');
    const named = [...readme.matchAll(/npm (?:run )?(test|server|worker|client)\b/g)].map(([, name]) => name!);
    expect(new Set(named)).toEqual(new Set(Object.keys(scripts)));
    const files = Object.values(scripts).flatMap((script) => script.match(/\S+\.mjs/g) ?? []);
    expect(files).toEqual(['worker.mjs', 'client.mjs']);
    for (const [, name] of readme.matchAll(/^\| `(.+?)`/gm)) expect(FILES).toContain(name);
    const variables = [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(variables).toContain('OPENAI_API_KEY');
    expect(variables.filter((name) => !variableNames().includes(name))).toEqual([]);
    expect(read('.gitignore').split('\n')).toContain('.env');
    expect(parseFile(read('loop.yaml'), 'loop.yaml')).toMatchObject({ kind: 'loop', spec: { name: 'contact-card' } });
  });

  test('both names of the command start it, without a folder in the current one', async () => {
    expect(own.bin).toEqual({ 'durable-reflection': 'bin/reflect.js', reflect: 'bin/reflect.js' });
    const { code, stdout } = await reflect(['init', '--json'], { cwd: folder });
    expect(code).toBe(0);
    const said = JSON.parse(stdout) as { folder: string };
    const { pack } = ownSource(folder);
    const packs = pack === undefined ? [] : [pack];
    expect(said).toEqual({
      folder: said.folder,
      written: FILES,
      kept: [],
      next: [...packs, 'npm install', 'npm test', 'npm run server', 'npm run worker -- --scripted', 'npm run client'],
    });
    expect(path.basename(said.folder)).toBe(path.basename(folder));
    expect(readdirSync(folder).toSorted()).toEqual(FILES);
  });

  test('a folder with a repository and settings of an editor is empty', async () => {
    execFileSync('git', ['init', '--quiet', folder]);
    mkdirSync(path.join(folder, '.vscode'));
    await printed(folder);
    expect(readdirSync(folder)).toHaveLength(FILES.length + 2);
  });

  test('refuses a folder that is not empty, lists what is there, and writes nothing', async () => {
    const there = Array.from({ length: 23 }, (_each, index) => `note-${String(index).padStart(2, '0')}`);
    for (const name of there) writeFileSync(path.join(folder, name), '');
    const { code, stdout, stderr } = await reflect(['init', folder, '--json']);
    expect(code).toBe(1);
    const { error } = JSON.parse(stdout) as { error: { type: string; message: string; advice: string } };
    expect(error).toMatchObject({ type: 'FolderNotEmpty', advice: expect.stringContaining('--force') as string });
    expect(error.message).toContain('is not empty: note-00, note-01, ');
    expect(error.message).toMatch(/note-19, and 3 more\.$/);
    expect(stderr).toContain('FolderNotEmpty');
    expect(readdirSync(folder).toSorted()).toEqual(there);
  });

  test('--force writes what is missing, and replaces nothing, not even through a link', async () => {
    const outside = path.join(folder, 'outside');
    const place = path.join(folder, 'place');
    mkdirSync(path.join(place, 'README.md'), { recursive: true });
    writeFileSync(path.join(place, 'package.json'), '{ "name": "mine" }');
    symlinkSync(outside, path.join(place, 'worker.mjs'));
    const kept = ['README.md', 'package.json', 'worker.mjs'];
    const said = JSON.parse(await printed(place, { force: true, json: true })) as Record<string, string[]>;
    expect(said['kept']).toEqual(kept);
    expect(said['written']).toEqual(FILES.filter((name) => !kept.includes(name)));
    expect(said['next']).toEqual(nextCommands(['package.json'], ownSource(place)).map(({ command }) => command));
    const [install] = nextCommands(['package.json'], { spec: `^${own.version}` });
    expect(install!.command).toBe(`npm install durable-reflection@^${own.version}`);
    expect(readFileSync(path.join(place, 'package.json'), 'utf8')).toBe('{ "name": "mine" }');
    expect(existsSync(outside)).toBe(false);
    expect(await printed(place, { force: true })).toContain(`Kept as they are: ${FILES.join(', ')}`);
  });

  test('refuses a file, and tells what could not be written', async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await expect(init(file, { force: true })).rejects.toMatchObject({ type: 'NotAFolder' });
    await expect(init(path.join(folder, 'x'.repeat(300)), {})).rejects.toMatchObject({ type: 'NotAFolder' });
    const leadsNowhere = path.join(folder, 'link');
    symlinkSync(path.join(folder, 'none', 'here'), leadsNowhere);
    await expect(init(leadsNowhere, {})).rejects.toMatchObject({ type: 'NotWritten' });
  });

  test.each([
    ['My Notes!', 'my-notes'],
    ['.hidden', 'hidden'],
    ['Müller & Söhne', 'muller-sohne'],
    ['日本', 'reflection-loop'],
    ['durable-reflection', 'durable-reflection-project'],
    ['node_modules', 'node_modules-project'],
  ])('the folder %j makes the package %s', (name, expected) => {
    expect(packageName(name, 'durable-reflection')).toBe(expected);
  });

  test('every template is a file of the project', async () => {
    const templates = readdirSync(path.join(PROJECT, 'templates', 'init')).map((name) => name.replace(/^_/, '.'));
    const files = (await projectFiles('notes', '^1.0.0')).map(({ name }) => name);
    expect(files).toEqual([...templates, 'package.json'].toSorted());
  });
});

describe('where a new project gets the package from', () => {
  const named = { name: 'durable-reflection', version: '1.2.3' };
  const packed = 'durable-reflection-1.2.3.tgz';
  const write = (name: string, text = '') => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const source = (root: string, project = 'cards') =>
    packageSource(path.join(folder, root), path.join(folder, project), named);

  test.each([
    ['a registry', 'https://registry.example/durable-reflection-1.2.3.tgz', '^1.2.3'],
    ['no known place', undefined, '^1.2.3'],
    ['a tarball', `file:../${packed}`, `file:../${packed}`],
    ['a tarball with a name of its own', 'file:../a%23b.tgz', 'file:../a%23b.tgz'],
    ['a tarball that is gone', 'file:../gone.tgz', '^1.2.3'],
  ])('installed from %s', (_name, resolved, spec) => {
    for (const tarball of [packed, 'a#b.tgz']) write(tarball);
    const packages = { 'node_modules/durable-reflection': { resolved } };
    write('npx/node_modules/.package-lock.json', JSON.stringify({ packages }));
    expect(source('npx/node_modules/durable-reflection')).toEqual({ spec });
  });

  test('installed by a package manager that keeps no record, or a broken one', () => {
    expect(source('npx/node_modules/durable-reflection')).toEqual({ spec: '^1.2.3' });
    write('npx/node_modules/.package-lock.json', '{');
    expect(source('npx/node_modules/durable-reflection')).toEqual({ spec: '^1.2.3' });
  });

  test('in a checkout: the tarball beside it or in it, or the command that packs one', () => {
    write('checkout/scripts/build.ts');
    expect(source('checkout')).toEqual({ spec: `file:${packed}`, pack: `npm pack ${path.join(folder, 'checkout')}` });
    const [pack, install] = nextCommands(['package.json'], source('checkout')).map(({ command }) => command);
    expect([pack, install]).toEqual([source('checkout').pack, `npm install file:${packed}`]);
    write(`checkout/${packed}`);
    expect(source('checkout', 'below/cards')).toEqual({ spec: `file:../../checkout/${packed}` });
    write(packed);
    expect(source('checkout')).toEqual({ spec: `file:../${packed}` });
  });
});
