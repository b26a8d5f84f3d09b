import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as Lock;

describe('D1 the package', () => {
  test('D1 is built on the Temporal SDK, ajv, openai, zod and jest', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(
      expect.arrayContaining([
        '@temporalio/workflow',
        '@temporalio/worker',
        '@temporalio/client',
        'ajv',
        'openai',
        'zod',
      ]),
    );
    expect(Object.keys(manifest.devDependencies)).toContain('jest');
  });

  test.each(['src/workflows', 'src/activities', 'src/worker.ts', 'src/client.ts', 'docker-compose.yml', 'test'])(
    'D1 has %s where the design card expects it',
    (place) => {
      expect(existsSync(path.join(PROJECT, place))).toBe(true);
    },
  );

  test('has three doors, and a source file behind each', () => {
    const doors = Object.entries(manifest.exports).filter(([door]) => !door.endsWith('.json'));
    expect(doors.map(([door]) => door)).toEqual(['.', './worker', './workflow']);
    for (const [, target] of doors) {
      const { types, default: code } = target as { types: string; default: string };
      expect(types).toBe(code.replace(/\.js$/, '.d.ts'));
      expect(existsSync(path.join(PROJECT, code.replace('./dist/', 'src/').replace(/\.js$/, '.ts')))).toBe(true);
    }
    expect(existsSync(path.join(PROJECT, manifest.bin['reflect']!))).toBe(true);
  });
});

describe('what is built beside the code', () => {
  const script = read('scripts/build.ts');

  test('the tsconfig of every day asks for declarations, so that a build finds no mistakes of its own', () => {
    const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: { declaration?: boolean } };
    expect(compilerOptions.declaration).toBe(true);
  });

  test('everything in src that is no TypeScript is copied', () => {
    const others = readdirSync(path.join(PROJECT, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
      .map((entry) => path.relative(path.join(PROJECT, 'src', 'sandbox'), path.join(entry.parentPath, entry.name)));
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
    const { dependencies, devDependencies } = lock.packages[''] as Partial<Manifest>;
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
  });
});
