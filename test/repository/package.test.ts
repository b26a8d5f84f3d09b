import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reachedDeclarations } from '../../testing/build/declarations';
import { oldestSdk } from '../../testing/sdk/other-sdk';
import { SDK_CORE } from '../../testing/sdk/sdk-core';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional?: boolean }>;
  exports: Record<string, string | { types: string; default: string }>;
  typesVersions: Record<string, Record<string, string[]>>;
  bin: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as Lock;

const SDK = ['activity', 'client', 'common', 'proto', 'worker', 'workflow'].map((name) => `@temporalio/${name}`);

describe('the package', () => {
  test('is built on the Temporal SDK, ajv, openai, zod and jest', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(['ajv', 'openai', 'zod']));
    expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(SDK));
    expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(['jest', ...SDK]));
  });

  test('leaves the SDK to its users: one range, of which npm installs only the worker, whose packages fit together', () => {
    const ofTemporal = (packages: object) => Object.keys(packages).filter((name) => name.startsWith('@temporalio/'));
    const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
    // It depends on no other: see docs/decisions/sdk-versions.md.
    expect(ofTemporal(dependencies)).toEqual(['@temporalio/plugin']);
    const ranges = [...ofTemporal(dependencies), ...ofTemporal(peerDependencies)].map(
      (name) => peerDependencies[name] ?? dependencies[name],
    );
    expect(new Set(ranges)).toEqual(new Set(['>=1.22.0 <1.25.0']));
    // npm would install the newest of a required one, beside what the user's worker needs.
    const required = ofTemporal(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    expect(required).toEqual(['@temporalio/worker']);
  });

  test('is tested with the newest SDK of its range, and a core of it with the oldest', () => {
    const installed = lock.packages['node_modules/@temporalio/worker'] as { version: string };
    const [, minor] = installed.version.split('.').map(Number);
    expect(manifest.peerDependencies['@temporalio/worker']).toMatch(new RegExp(`<1\\.${minor! + 1}\\.0$`));
    expect(oldestSdk()).toBe('1.22.0');
    expect(read('scripts/verify.mjs')).toContain("'test:sdk'");
    expect(SDK_CORE.filter((file) => !existsSync(path.join(PROJECT, file)))).toEqual([]);
  });

  test.each(['src/workflows', 'src/activities', 'src/worker.ts', 'src/client.ts', 'docker-compose.yml', 'test'])(
    'has %s where the design card expects it',
    (place) => {
      expect(existsSync(path.join(PROJECT, place))).toBe(true);
    },
  );

  test('tells compilers that do not read "exports" (moduleResolution node10) where the types are', () => {
    const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
      typeof target === 'object' && entry !== '.' ? [[entry.slice(2), [target.types.slice(2)]]] : [],
    );
    expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(entries) });
  });

  test('each example asks for a range of versions that includes this one', () => {
    const folders = readdirSync(path.join(PROJECT, 'examples'), { recursive: true, encoding: 'utf8' });
    const [major, minor, patch] = (JSON.parse(read('package.json')) as { version: string }).version
      .split('.')
      .map(Number);
    const ranges = folders
      .filter((file) => path.basename(file) === 'package.json' && !file.includes('node_modules'))
      .map(
        (file) =>
          (JSON.parse(read(`examples/${file}`)) as { dependencies: Record<string, string> }).dependencies[
            'durable-reflection'
          ]!,
      );
    expect(ranges.length).toBeGreaterThanOrEqual(2);
    for (const range of ranges) {
      // Below 1.0.0 a caret lets patches in, and nothing else.
      expect(range).toMatch(new RegExp(`^\\^${major}\\.${minor}\\.\\d+$`));
      expect(Number(range.split('.')[2])).toBeLessThanOrEqual(patch!);
    }
  });

  test('examples import it by its name, as its users do', () => {
    const examples = readdirSync(path.join(PROJECT, 'examples'), { recursive: true, encoding: 'utf8' });
    const written = examples.filter((file) => file.endsWith('.ts'));
    expect(written.length).toBeGreaterThan(10);
    expect(written.filter((file) => /from '[./]*\/src\b/.test(read(`examples/${file}`)))).toEqual([]);
  });

  test('has six entry points, and a source file behind each', () => {
    const entries = Object.entries(manifest.exports).filter(([entry]) => !entry.endsWith('.json'));
    expect(entries.map(([entry]) => entry)).toEqual([
      '.',
      './worker',
      './workflow',
      './testing',
      './compat',
      './review',
    ]);
    for (const [, target] of entries) {
      const { types, default: code } = target as { types: string; default: string };
      expect(types).toBe(code.replace(/\.js$/, '.d.ts'));
      expect(existsSync(path.join(PROJECT, code.replace('./dist/', 'src/').replace(/\.js$/, '.ts')))).toBe(true);
    }
    expect(existsSync(path.join(PROJECT, manifest.bin['reflect']!))).toBe(true);
  });
});

describe('what npm packs', () => {
  interface Pack {
    size: number;
    files: { path: string; size: number }[];
  }
  let pack: Pack;
  beforeAll(() => {
    // What is built is packed as well, where it is; nothing links to it.
    const options = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = spawnSync('npm', options, {
      cwd: PROJECT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    [pack] = Object.values(JSON.parse(stdout) as Record<string, Pack>) as [Pack];
  });

  test('every relative link of its pages leads to something that is packed', () => {
    const packed = pack.files.map((file) => file.path);
    const isThere = (target: string) => packed.some((file) => file === target || file.startsWith(`${target}/`));
    const pages = packed.filter((file) => file.endsWith('.md'));
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'examples/README.md', 'docs/memory.md']),
    );
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => ({
        page,
        target: path.posix.join(path.posix.dirname(page), link!),
      })),
    );
    expect(links.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(20);
    // Pictures, the pages for contributors, and the references that `--help`, messages, JSON Schemas and types have too, are in the
    // repository and on the site.
    const elsewhere = links.filter(({ target }) =>
      /\.png$|^docs\/(?:decisions\/|architecture\.md|bench-models\.md|reference\/(?:command-line|errors|fields|typescript)\.md)|^CONTRIBUTING\.md$/.test(
        target,
      ),
    );
    expect(elsewhere.filter(({ target }) => isThere(target))).toEqual([]);
    expect(elsewhere.filter(({ target }) => !existsSync(path.join(PROJECT, target)))).toEqual([]);
    expect(links.filter((link) => !elsewhere.includes(link) && !isThere(link.target))).toEqual([]);
  });

  test('is what people read and run, and no more than two megabytes beside what is built', () => {
    const others = pack.files.filter((file) => !file.path.startsWith('dist/'));
    const folders = new Set(others.flatMap((file) => (file.path.includes('/') ? [file.path.split('/')[0]] : [])));
    expect(folders).toEqual(new Set(['bin', 'docs', 'examples', 'src', 'templates']));
    expect(others.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(2_000_000);
  });

  test('has no file of containers, which builds an image from what only the repository has', () => {
    const compose = pack.files.filter(({ path: file }) => /^(docker-compose|compose|Dockerfile|deploy)/.test(file));
    expect(compose).toEqual([]);
  });

  test('has the sources that decide runs, to read, and no others; its command runs what is built', () => {
    const packed = pack.files.map((file) => file.path);
    const sources = packed.filter((file) => file.startsWith('src/'));
    expect(sources).toEqual(expect.arrayContaining(['src/loop/moves/next-move.ts', 'src/workflows/loop/loop.ts']));
    expect(sources.filter((file) => !/^src\/(?:loop|workflows)\//.test(file))).toEqual([]);
    // npm leaves out files of some names.
    const templates = readdirSync(path.join(PROJECT, 'templates', 'init')).map((file) => `templates/init/${file}`);
    expect(packed.filter((file) => file.startsWith('templates/')).toSorted()).toEqual(templates.toSorted());
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-packed-'));
    try {
      // As installed: no packages that only a checkout has.
      for (const file of packed.filter((each) => /^(bin|src|package\.json)/.test(each))) {
        cpSync(path.join(PROJECT, file), path.join(folder, file));
      }
      mkdirSync(path.join(folder, 'dist', 'apps', 'cli'), { recursive: true });
      writeFileSync(
        path.join(folder, 'dist', 'apps', 'cli', 'index.js'),
        `exports.main = () => console.log('what is built');`,
      );
      const { stdout, stderr } = spawnSync(process.execPath, ['bin/reflect.js'], { cwd: folder, encoding: 'utf8' });
      expect({ stdout, stderr }).toEqual({ stdout: 'what is built\n', stderr: '' });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('what is built beside the code', () => {
  test('the declarations of the entry points name no package whose types only this repository has', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'reflect-types-'));
    try {
      const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
      const how = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--noCheck', '--outDir', folder];
      spawnSync(process.execPath, [compiler, ...how], { cwd: PROJECT });
      const { files, packages } = reachedDeclarations(folder);
      expect(packages).toContain('zod');
      // No other declaration imports it; those that `declare module` it do not compile without it.
      expect(files).toContain(path.join(folder, 'activities', 'protocol.d.ts'));
      // A package of types is for development: users have those of `node`, and of packages that bring their own.
      const untyped = Object.keys(manifest.devDependencies).filter((name) => name.startsWith('@types/'));
      expect([...packages].filter((name) => untyped.includes(`@types/${name}`))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const script = read('scripts/build.ts');

  test('the tsconfig of every day asks for declarations, so that a build finds no mistakes of its own', () => {
    const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: { declaration?: boolean } };
    expect(compilerOptions.declaration).toBe(true);
  });

  test('everything in src that the compiler does not emit is copied', () => {
    // It emits JSON that code imports.
    const others = readdirSync(path.join(PROJECT, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:ts|json)$/.test(entry.name))
      .map((entry) =>
        path.relative(path.join(PROJECT, 'src', 'lib', 'sandbox'), path.join(entry.parentPath, entry.name)),
      );
    const copied = [...(/for \(const part of \[(.*)\]\)/.exec(script)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
      (match) => match[1]!,
    );
    expect(others.length).toBeGreaterThan(1);
    expect(others.filter((file) => !copied.some((part) => file === part || file.startsWith(`${part}/`)))).toEqual([]);
  });
});

describe('the lock file', () => {
  test('has the optional packages of every platform: npm ci refuses a lock file that lacks one', () => {
    const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !lock.packages[`${place}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('names no registry, so that it works with any', () => {
    expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test('has the dependencies of package.json', () => {
    const { dependencies, devDependencies, peerDependencies } = lock.packages[''] as Partial<Manifest>;
    expect({ dependencies, devDependencies, peerDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
      peerDependencies: manifest.peerDependencies,
    });
  });
});
