import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyLintRules } from '../../testing/support/lint-project';
import { ARROWS } from './import-arrows';

const PROJECT = path.join(__dirname, '..', '..');

const AREAS = Object.keys(ARROWS);

/** What the folders beside `src` may import from, besides their own. Tests and scripts share `testing` and nothing else. */
const BESIDES: Record<string, string[]> = {
  test: ['testing', 'src', 'examples'],
  testing: ['src'],
  scripts: ['testing', 'src'],
  examples: [],
};
const FOLDERS = [...Object.keys(BESIDES), 'src'];

interface Case {
  name: string;
  file: string;
  code: string;
  /** The rules that must complain, and no other. */
  rules: string[];
}

const cases: Case[] = [];

function add(name: string, file: string, code: string, ...rules: string[]): void {
  cases.push({ name, file: `src/${file}`, code, rules });
}

const TARGETS = [...AREAS, 'workflows/messages', 'a-new-area'];

/** The file of an area that imports from a target. */
const arrowFile = (area: string, target: string) => `src/${area}/to-${target.replace('/', '-')}.ts`;

/** The file of a folder beside `src` that imports from another folder. */
const besideFile = (folder: string, target: string) => `${folder}/of-${target}/own.ts`;

const use = 'export const own: unknown = thing;\n';
add('an area that is a file is an area', 'client.ts', `import { thing } from './worker/thing';\n${use}`, 'arrows');
add(
  'client may import workflows/messages',
  'client/messages.ts',
  `import { thing } from '../workflows/messages';\n${use}`,
);
add(
  'nothing of src may import from outside it',
  'yaml/out.ts',
  `import { thing } from '../../scripts/thing';\n${use}`,
  'arrows',
);
add('the command may read its version', 'cli.ts', `export const own: unknown = require('../package.json');\n`);
add(
  'the client may not',
  'client/own-version.ts',
  `export const own: unknown = require('../../package.json');\n`,
  'arrows',
);
add(
  'workflows may import types of activities',
  'workflows/activity-types.ts',
  `import type { Thing } from '../activities/thing';\nexport { type Thing as Other } from '../activities/thing';\nexport const own = (thing: Thing): Thing => thing;\n`,
);
add(
  'domain may import types of the contract',
  'domain/base/contract-types.ts',
  `import type { Thing } from '../../contract/thing';\nexport type { Other } from '../../contract/thing';\nexport const own = (thing: Thing): Thing => thing;\n`,
);
add(
  'observability may import types of models',
  'observability/model-types.ts',
  `import type { Thing } from '../models/thing';\nexport const own = (thing: Thing): Thing => thing;\n`,
);
add(
  'workflows may import two packages',
  'workflows/packages.ts',
  [
    `import { ApplicationFailure } from '@temporalio/common';`,
    `import { sleep } from '@temporalio/workflow';`,
    `export const own: unknown = [ApplicationFailure, sleep];\n`,
  ].join('\n'),
);
for (const specifier of [
  'ajv',
  'openai',
  'node:fs',
  'zod',
  '@temporalio/client',
  '@temporalio/workflow/lib/cancellation-scope',
]) {
  add(
    `workflows may not import ${specifier}`,
    `workflows/${cases.length}.ts`,
    `import * as thing from '${specifier}';\n${use}`,
    'arrows',
  );
}
for (const specifier of ['zod', 'ms', 'node:crypto', '@temporalio/common']) {
  add(
    `domain may not import ${specifier}`,
    `domain/${cases.length}.ts`,
    `import * as thing from '${specifier}';\n${use}`,
    'arrows',
  );
}
const otherForms: Record<string, string> = {
  'types only': `import type { Thing } from '../models/thing';\nexport const own = (thing: Thing): Thing => thing;\n`,
  're-export': `export { thing } from '../models/thing';\n`,
  'side effect': `import '../models/thing';\n`,
  'import()': `export const own: unknown = import('../models/thing');\n`,
  'computed import()': `export const own = (name: string): unknown => import(\`../models/\${name}\`);\n`,
  'import type': `export type Own = import('../models/thing').Thing;\n`,
  'import = require': `import thing = require('../models/thing');\n${use}`,
};
const alsoFound: Record<string, string[]> = {
  'side effect': ['no-unassigned-import'],
};
for (const [form, code] of Object.entries(otherForms)) {
  add(
    `domain may not import in the form ${form}`,
    `domain/${cases.length}.ts`,
    code,
    'arrows',
    ...(alsoFound[form] ?? []),
  );
}

const activities = [
  `import { proxyActivities } from '@temporalio/workflow';`,
  `import type { Activities } from '../activities/thing';`,
  `const { generate } = proxyActivities<Activities>({ startToCloseTimeout: '1m' });`,
].join('\n');
const workflow = (line: string) => `${activities}\nexport async function loop(): Promise<void> {\n  ${line}\n}\n`;
add('an awaited activity call passes', 'workflows/awaited.ts', workflow('await generate();'));
add(
  'an activity call that nobody awaits fails',
  'workflows/floating.ts',
  workflow('generate();'),
  'no-floating-promises',
);
add('`void` does not excuse it', 'workflows/void.ts', workflow('void generate();'), 'no-floating-promises');

add(
  'domain code may use a time it is given',
  'domain/given.ts',
  `export const own = (at: string): Date => new Date(at);\n`,
);
add(
  'domain code may not read the clock',
  'domain/now.ts',
  `export const own = (): number => Date.now();\n`,
  'no-restricted-properties',
);
add(
  'domain code may not make dates of now',
  'domain/date.ts',
  `export const own = (): Date => new Date();\n`,
  'no-current-date',
);
add(
  'domain code may not be random',
  'domain/random.ts',
  `export const own = (): number => Math.random();\n`,
  'no-restricted-properties',
);
add(
  'domain code may not read the environment',
  'domain/env.ts',
  `export const own = (): unknown => process.env;\n`,
  'no-restricted-globals',
);
add(
  'workflows may read their deterministic clock',
  'workflows/now.ts',
  `export const own = (): number => Date.now();\n`,
);

for (const [file, other] of [
  ['circle-one', 'circle-two'],
  ['circle-two', 'circle-one'],
]) {
  add(
    `no circles, not of types either: ${file}`,
    `models/${file}.ts`,
    `import type { Own as Other } from './${other}';\nexport interface Own {\n  other: Other;\n}\n`,
    'no-cycle',
  );
}

add('no any', 'models/any.ts', `export const own = (thing: any): unknown => thing;\n`, 'no-explicit-any');
add('no default export', 'models/default.ts', `export default function own(): void {}\n`, 'no-default-export');
add('no export *', 'models/all.ts', `export * from './thing';\n`, 'no-export-all');
add(
  'no AbortSignal.timeout',
  'models/time.ts',
  `export const own = AbortSignal.timeout(1);\n`,
  'no-restricted-properties',
);
add('no console', 'models/console.ts', `export const own = (): void => console.log('hello');\n`, 'no-console');
add('the command may use the console', 'cli/console.ts', `export const own = (): void => console.log('hello');\n`);
add('300 lines pass', 'models/short.ts', `export const own = 1;\n${'// a line\n'.repeat(299)}`);
for (const [name, code, ...rules] of [
  ['a docstring may begin with a verb', '/** Reads it. */\nexport const own = 1;\n'],
  ['a docstring may not begin with What', '/** What it is. */\nexport const own = 1;\n', 'docstring-opening'],
  ['a comment may', '/* What it is. */\nexport const own = 1; // What it is.\n'],
  ['a noun names what returns something', 'export function own(): number {\n  return 1;\n}\n'],
  ['a participle may not name a function', 'export const told = (): number => 1;\n', 'function-names'],
  ['a participle may name a value', 'export const told = 1;\n'],
  ['a noun may not name what returns nothing', 'export function own(): void {}\n', 'function-names'],
  ['a noun may not name a method that returns nothing', 'export class Box {\n  lid(): void {}\n}\n', 'function-names'],
  ['a verb may', 'export class Box {\n  open(): void {}\n}\n'],
] as [string, string, ...string[]][]) {
  cases.push({ name, file: `testing/structure/${name.replaceAll(' ', '-')}.ts`, code, rules });
}
add('301 lines fail', 'models/long.ts', `export const own = 1;\n${'// a line\n'.repeat(300)}`, 'max-lines');

describe('lint', () => {
  let folder: string;
  let found: Map<string, Set<string>>;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), text);
    };
    copyLintRules(folder);
    const thing = `export const thing = 1;\nexport interface Thing {\n  a: 1;\n}\nexport interface Activities {\n  generate(): Promise<void>;\n}\n`;
    for (const area of [...AREAS, 'a-new-area']) write(`src/${area}/thing.ts`, thing);
    write('src/workflows/messages.ts', thing);
    for (const name of FOLDERS) write(`${name}/thing.ts`, thing);
    for (const importer of Object.keys(BESIDES)) {
      for (const target of FOLDERS) {
        write(besideFile(importer, target), `import { thing } from '../../${target}/thing';\n${use}`);
      }
    }
    for (const { file, code } of cases) write(file, code);
    for (const area of AREAS) {
      for (const target of TARGETS) {
        const from = target.includes('/') ? target : `${target}/thing`;
        write(arrowFile(area, target), `import { thing } from '../${from}';\nexport const own: unknown = thing;\n`);
      }
    }
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(PROJECT, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format', 'json', ...FOLDERS],
      { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
    );
    if (!stdout.startsWith('{')) throw new Error(`oxlint did not run: ${stdout}${stderr}`);
    found = new Map();
    for (const { filename, code } of JSON.parse(stdout).diagnostics as { filename: string; code?: string }[]) {
      const rule = /\((.+)\)$/.exec(code ?? '')?.[1] ?? `${code}`;
      found.set(filename, (found.get(filename) ?? new Set()).add(rule));
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(AREAS)('%s imports what its arrows say and nothing else', (area) => {
    const passes = (target: string) => !found.get(arrowFile(area, target))?.has('arrows');
    const within = (target: string) => [area, ...ARROWS[area]!].some((one) => `${target}/`.startsWith(`${one}/`));
    expect(TARGETS.filter(passes)).toEqual(TARGETS.filter(within));
  });

  test.each(Object.keys(BESIDES))('%s imports from the folders that it may import from and no others', (importer) => {
    const passes = (target: string) => !found.get(besideFile(importer, target))?.has('besides');
    expect(FOLDERS.filter(passes)).toEqual(FOLDERS.filter((one) => [importer, ...BESIDES[importer]!].includes(one)));
  });

  test.each(cases)('$name', ({ file, rules }) => {
    expect([...(found.get(file) ?? [])].toSorted()).toEqual(rules.toSorted());
  });
});
