import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyLintRules } from '../../testing/support/lint-project';

const PROJECT = path.join(__dirname, '..', '..');

/** The folders of the domain, from the lowest floor to the highest, said here once more and not read from the configuration. */
const FLOORS = [
  'base',
  'text',
  'spec',
  'state',
  'evaluation limits',
  'versions',
  'commands',
  'step-state',
  'errors memory',
  'agents loop pipeline reflector revision',
  'plan',
  'page',
].map((floor) => floor.split(' '));
const FOLDERS = [...FLOORS.flat(), 'a-new-folder'];

const sourceFile = (from: string, to: string) => `src/domain/${from}/to-${to}.ts`;
const typesFile = (from: string, to: string) => `src/domain/${from}/types-of-${to}.ts`;

describe('floors of the domain', () => {
  let project: string;
  const found = new Set<string>();

  beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), 'floors-'));
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), text);
    };
    copyLintRules(project);
    const thing = `export const thing = 1;\nexport interface Thing {\n  a: 1;\n}\n`;
    const use = `export const own: unknown = thing;\n`;
    write('src/domain/thing.ts', thing);
    for (const from of FOLDERS) {
      write(`src/domain/${from}/thing.ts`, thing);
      write(sourceFile(from, 'beside'), `import { thing } from '../thing';\n${use}`);
      write(sourceFile(from, from), `import { thing } from './thing';\n${use}`);
      for (const to of FOLDERS.filter((other) => other !== from)) {
        write(sourceFile(from, to), `import { thing } from '../${to}/thing';\n${use}`);
        write(typesFile(from, to), `export type { Thing } from '../${to}/thing';\n`);
      }
    }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(PROJECT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', 'src'],
      { cwd: project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`);
    for (const { filename, code } of JSON.parse(stdout).diagnostics as { filename: string; code?: string }[]) {
      if (code?.endsWith('(floors)')) found.add(filename);
    }
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test.each(FOLDERS)('%s imports from lower floors and nothing else of the domain', (from) => {
    const floor = FLOORS.findIndex((one) => one.includes(from));
    const lower = FLOORS.slice(0, Math.max(floor, 0)).flat();
    const others = FOLDERS.filter((other) => other !== from);
    expect(others.filter((to) => !found.has(sourceFile(from, to)))).toEqual(lower);
    expect(others.filter((to) => !found.has(typesFile(from, to)))).toEqual(lower);
  });

  test.each(FOLDERS)('%s imports from itself, and nothing that stands beside the folders', (from) => {
    expect(found.has(sourceFile(from, from))).toBe(false);
    expect(found.has(sourceFile(from, 'beside'))).toBe(true);
  });
});
