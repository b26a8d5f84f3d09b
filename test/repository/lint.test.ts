import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyLintRules } from '../../testing/support/lint-project';
import { evaluatorTypeCases, languageCases, stateCases } from './lint-cases';

const PROJECT = path.join(__dirname, '..', '..');

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

/** The file of a folder beside `src` that imports from another folder. */
const besideFile = (folder: string, target: string) => `${folder}/of-${target}/own.ts`;

const use = 'export const own: unknown = thing;\n';
const typesOf = (target: string): string =>
  `import type { Thing } from '${target}';\nexport const own = (thing: Thing): Thing => thing;\n`;

/** Who imports a value of whom: the module, the place and whether this is allowed. */
const arrows: [from: string, to: string, isAllowed: boolean][] = [
  ['client.ts', 'worker', false],
  ['client/messages.ts', 'workflows', false],
  ['a-new-area/own.ts', 'lib/base', false],
  ['lib/models/new.ts', 'a-new-area', false],
  ['lib/models/loop.ts', 'loop/state', false],
  ['lib/models/base.ts', 'lib/base', true],
  ['lib/base/models.ts', 'lib/models', false],
  ['loop/state/kind.ts', 'kinds/plan/state', false],
  ['loop/state/base.ts', 'lib/base', true],
  ['loop/state/shapes.ts', 'loop/contract', false],
  ['loop/contract/own.ts', 'loop/state', true],
  ['kinds/plan/state/other.ts', 'kinds/agents/state', false],
  ['kinds/plan/state/loop.ts', 'loop/state', true],
  ['kinds/agents/state/shapes.ts', 'kinds/agents/contract', false],
  ['kinds/agents/contract/state.ts', 'kinds/agents/state', true],
  ['workflows/kind.ts', 'kinds/agents/state', true],
  ['workflows/shapes.ts', 'kinds/agents/contract', false],
  ['evaluators/worker.ts', 'worker', false],
  ['activities/evaluators.ts', 'evaluators', true],
  ['kinds/plan/client/calls.ts', 'calls', true],
  ['kinds/plan/client/client.ts', 'client', false],
  ['kinds/plan/file/forms.ts', 'spec-files', true],
  ['kinds/plan/file/yaml.ts', 'apps/yaml', false],
  ['calls/kind.ts', 'kinds/list', false],
  ['spec-files/kind.ts', 'kinds/list', false],
];
for (const [from, to, isAllowed] of arrows) {
  const place = path.posix.relative(path.posix.dirname(from), to);
  const target = place.startsWith('.') ? place : `./${place}`;
  const code = `import { thing } from '${target}/thing';\n${use}`;
  add(`${from} ${isAllowed ? 'may' : 'may not'} import ${to}`, from, code, ...(isAllowed ? [] : ['arrows']));
}

/** Who imports of which folder of the loop, types included, and whether it is a lower one. */
const floors: [from: string, to: string, isAllowed: boolean][] = [
  ['loop/versions/lower.ts', 'loop/state', true],
  ['loop/state/higher.ts', 'loop/versions', false],
  ['loop/state/new.ts', 'loop/a-new-folder', false],
  ['loop/a-new-folder/old.ts', 'loop/state', false],
  ['loop/state/contract.ts', 'loop/contract', true],
];
for (const [from, to, isAllowed] of floors) {
  const code = typesOf(`${path.posix.relative(path.posix.dirname(from), to)}/thing`);
  add(`${from} ${isAllowed ? 'may' : 'may not'} import types of ${to}`, from, code, ...(isAllowed ? [] : ['floors']));
}
add(
  'nothing of src may import from outside it',
  'lib/yaml/out.ts',
  `import { thing } from '../../../scripts/thing';\n${use}`,
  'arrows',
);
add(
  'the command may read its version',
  'apps/cli/version.ts',
  `export const own: unknown = require('../../../package.json');\n`,
);
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
add('observability may import types of models', 'lib/observability/types.ts', typesOf('../models/thing'));
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
    `the loop may not import ${specifier}`,
    `loop/state/${cases.length}.ts`,
    `import * as thing from '${specifier}';\n${use}`,
    'arrows',
  );
}
const otherForms: Record<string, string> = {
  'types only': `import type { Thing } from '../../lib/models/thing';\nexport const own = (thing: Thing): Thing => thing;\n`,
  're-export': `export { thing } from '../../lib/models/thing';\n`,
  'side effect': `import '../../lib/models/thing';\n`,
  'import()': `export const own: unknown = import('../../lib/models/thing');\n`,
  'computed import()': `export const own = (name: string): unknown => import(\`../../lib/models/\${name}\`);\n`,
  'import type': `export type Own = import('../../lib/models/thing').Thing;\n`,
  'import = require': `import thing = require('../../lib/models/thing');\n${use}`,
};
const alsoFound: Record<string, string[]> = {
  'side effect': ['no-unassigned-import'],
};
for (const [form, code] of Object.entries(otherForms)) {
  add(
    `the loop may not import in the form ${form}`,
    `loop/state/${cases.length}.ts`,
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
const workflow = (line: string) => `${activities}\nexport async function runLoop(): Promise<void> {\n  ${line}\n}\n`;
add('an awaited activity call passes', 'workflows/awaited.ts', workflow('await generate();'));
add(
  'an activity call that nobody awaits fails',
  'workflows/floating.ts',
  workflow('generate();'),
  'no-floating-promises',
);
add('`void` does not excuse it', 'workflows/void.ts', workflow('void generate();'), 'no-floating-promises');

add(
  'pure code may use a time it is given',
  'loop/state/given.ts',
  `export const own = (at: string): Date => new Date(at);\n`,
);
add(
  'pure code may not read the clock',
  'loop/state/now.ts',
  `export const own = (): number => Date.now();\n`,
  'no-restricted-properties',
);
add(
  'pure code may not make dates of now',
  'loop/state/date.ts',
  `export const own = (): Date => new Date();\n`,
  'no-current-date',
);
add(
  'pure code may not be random',
  'loop/state/random.ts',
  `export const own = (): number => Math.random();\n`,
  'no-restricted-properties',
);
add(
  'pure code may not read the environment',
  'loop/state/env.ts',
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
    `lib/models/${file}.ts`,
    `import type { Own as Other } from './${other}';\nexport interface Own {\n  other: Other;\n}\n`,
    'no-cycle',
  );
}

for (const [name, file, code, ...rules] of [...stateCases, ...evaluatorTypeCases]) add(name, file, code, ...rules);

add('no any', 'lib/models/any.ts', `export const own = (thing: any): unknown => thing;\n`, 'no-explicit-any');
add('no default export', 'lib/models/default.ts', `export default function runOwn(): void {}\n`, 'no-default-export');
add('no export *', 'lib/models/all.ts', `export * from './thing';\n`, 'no-export-all');
add(
  'no AbortSignal.timeout',
  'lib/models/time.ts',
  `export const own = AbortSignal.timeout(1);\n`,
  'no-restricted-properties',
);
add('no console', 'lib/models/console.ts', `export const printOwn = (): void => console.log('hello');\n`, 'no-console');
add(
  'the command may use the console',
  'apps/cli/console.ts',
  `export const printOwn = (): void => console.log('hello');\n`,
);
add('300 lines pass', 'lib/models/short.ts', `export const own = 1;\n${'// a line\n'.repeat(299)}`);
for (const [name, code, ...rules] of languageCases) {
  cases.push({ name, file: `testing/structure/${name.replaceAll(' ', '-')}.ts`, code, rules });
}
add('301 lines fail', 'lib/models/long.ts', `export const own = 1;\n${'// a line\n'.repeat(300)}`, 'max-lines');

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
    for (const place of new Set(['activities', 'lib/models', ...[...arrows, ...floors].map(([, to]) => to)]))
      write(`src/${place}/thing.ts`, thing);
    write('src/workflows/messages.ts', thing);
    for (const name of FOLDERS) write(`${name}/thing.ts`, thing);
    for (const importer of Object.keys(BESIDES)) {
      for (const target of FOLDERS) {
        write(besideFile(importer, target), `import { thing } from '../../${target}/thing';\n${use}`);
      }
    }
    for (const { file, code } of cases) write(file, code);
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

  test.each(Object.keys(BESIDES))('%s imports from the folders that it may import from and no others', (importer) => {
    const passes = (target: string) => !found.get(besideFile(importer, target))?.has('besides');
    expect(FOLDERS.filter(passes)).toEqual(FOLDERS.filter((one) => [importer, ...BESIDES[importer]!].includes(one)));
  });

  test.each(cases)('$name', ({ file, rules }) => {
    expect([...(found.get(file) ?? [])].toSorted()).toEqual(rules.toSorted());
  });
});
