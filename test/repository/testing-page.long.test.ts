import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { testAddress } from '../../testing/support/temporal-server';

const PROJECT = path.join(__dirname, '..', '..');
const PAGE = readFileSync(path.join(PROJECT, 'docs', 'testing.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
/** What the page says the reader has: a workflow that runs a loop. */
const READERS_WORKFLOWS = {
  place: '/app/workflows.js',
  code: `import { reflect, type ReflectionSpec } from 'durable-reflection/workflow';

export async function letter(spec: ReflectionSpec) {
  return (await reflect(spec)).finalOutput;
}
`,
};
const isOfNode = (code: string) => code.includes(`from 'node:test'`);

describe('docs/testing.md', () => {
  let folder: string;
  beforeAll(() => {
    // Inside the project, so that its packages are found.
    mkdirSync(path.join(PROJECT, 'coverage'), { recursive: true });
    folder = mkdtempSync(path.join(PROJECT, 'coverage', 'testing-page-'));
    const source = (file: string) => [path.join(PROJECT, 'src', file)];
    const paths = {
      'durable-reflection': source('index.ts'),
      'durable-reflection/worker': source('worker.ts'),
      'durable-reflection/workflow': source('workflow.ts'),
      'durable-reflection/testing': source('apps/testing/index.ts'),
    };
    const configuration = {
      extends: path.join(PROJECT, 'tsconfig.json'),
      compilerOptions: { types: ['node', 'jest'], paths },
      include: ['*.ts', '*.mts'],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const mapped = Object.entries(paths).map(([name, [file]]) => [`^${name}$`, file]);
    const jest = {
      rootDir: folder,
      moduleNameMapper: Object.fromEntries(mapped) as Record<string, string>,
      transform: { '^.+\\.ts$': [require.resolve('@swc/jest'), { module: { type: 'commonjs' } }] },
    };
    writeFileSync(path.join(folder, 'jest.json'), JSON.stringify(jest));
    writeFileSync(path.join(folder, 'workflows.ts'), READERS_WORKFLOWS.code);
    for (const [index, code] of BLOCKS.entries()) {
      const here = code.replace(READERS_WORKFLOWS.place, path.join(folder, 'workflows.ts'));
      writeFileSync(path.join(folder, isOfNode(code) ? `block-${index}.mts` : `block-${index}.test.ts`), here);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (args: string[]) => {
    const { NODE_OPTIONS: _options, ...inherited } = process.env;
    const env = {
      ...inherited,
      TEMPORAL_ADDRESS: testAddress(),
      TSX_TSCONFIG_PATH: path.join(folder, 'tsconfig.json'),
    };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: PROJECT, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${stdout}\n${stderr}`);
    return stdout + stderr;
  };

  test('has tests for node:test and for the names that Jest and Vitest share', () => {
    expect(BLOCKS.map(isOfNode)).toEqual([true, false, false, true, true, true, true]);
  });

  test('what it shows compiles', () => {
    const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(run([compiler, '-p', folder])).toBe('');
  }, 120_000);

  test.each(BLOCKS.flatMap((code, index) => (isOfNode(code) ? [index] : [])))(
    'block %i passes as an ES module with node:test',
    (index) => {
      const told = run(['--import', 'tsx', '--test', path.join(folder, `block-${index}.mts`)]);
      const tests = BLOCKS[index]!.match(/^test\(/gm)!.length;
      expect(Number(/pass (\d+)/.exec(told)?.[1])).toBeGreaterThanOrEqual(tests);
      expect(told).toMatch(/fail 0/);
    },
    240_000,
  );

  test('blocks 1 and 2 pass with Jest, as CommonJS', () => {
    const jest = path.join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');
    expect(run([jest, '--config', path.join(folder, 'jest.json')])).toMatch(/Tests: +2 passed/);
  }, 240_000);
});
