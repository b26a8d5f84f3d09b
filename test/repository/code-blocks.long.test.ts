import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadClientConfigProfile } from '@temporalio/envconfig';
import { z } from 'zod';
import { defineAction } from '../../src/actions/define-action';
import { createActionRegistry } from '../../src/actions/registry';
import { prepareSpec } from '../../src/activities/prepare/prepare';
import { openMemory } from '../../src/lib/memory';
import { createModels } from '../../src/lib/models';
import { createSandbox } from '../../src/lib/sandbox';
import { payloadsTableSql } from '../../src/lib/storage/postgres';
import { parseSpec } from '../../src/loop/parse/spec';
import { parseFile } from '../../src/apps/yaml';
import { variableNames } from '../../testing/build/reference/environment';
import { messagesIn } from '../../testing/build/reference/messages';
import { blocksOf, checkSyntax, type CodeBlock, pages, shellCommands } from '../../testing/build/code-blocks';
import { checkSettings } from './settings-blocks';
import { mistakesOfReflect } from './reflect-words';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');
const BLOCKS = pages().flatMap(blocksOf);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What a fragment of a spec needs to be a whole one. */
const REST: Record<string, string> = {
  generator: 'generator: { action: llm.call, prompt: Write. }',
  evaluator: 'evaluator: { type: llm, prompt: Is it good? }',
};

/** A spec as a file holds it; a fragment is completed. */
function wholeSpec(code: string): string {
  const keys = [...code.matchAll(/^(\w+):/gm)].map(([, key]) => key!);
  if (['nodes', 'goal', 'agents', 'global_config'].some((key) => keys.includes(key))) return code;
  const missing = Object.keys(REST).filter((key) => !keys.includes(key));
  return [...missing.map((key) => REST[key]!), code].join('\n');
}

async function checkYaml({ code, place }: CodeBlock): Promise<void> {
  if (checkSettings(code, place)) return;
  const file = parseFile(wholeSpec(code), place);
  if (file.kind !== 'loop') return;
  // Actions of the reader's worker: what a page calls is taken as registered.
  const named = [...code.matchAll(/action: ([\w.]+)/g)].map(([, name]) => name!).filter((name) => name !== 'llm.call');
  const tools = [...code.matchAll(/tools: \[(.*)\]/g)].flatMap(([, names]) => names!.split(', '));
  const actions = [...new Set([...named, ...tools])].map((name) =>
    defineAction({ name, description: 'As on the page.', input: z.looseObject({}), readOnly: true, run: () => null }),
  );
  const sandbox = createSandbox({ level: 'trusted' });
  const insights = openMemory({ folder: path.join(PROJECT, '.reflect', 'never-opened') });
  try {
    await prepareSpec(file.spec, {
      models: createModels([], {}),
      actions: createActionRegistry(actions),
      searchAttributes: () => Promise.resolve(true),
      sandbox,
      insights,
    });
  } finally {
    await sandbox.close();
  }
}

const STARTS_WITH_OUR_MESSAGES = messagesIn('messages.ts');

const UNCHECKED = new Set(['workflow result', 'workflow list', 'workflow delete', 'workflow show', 'server start']);

/** What is wrong with the words of Temporal's own command. */
function mistakesOfTemporal(words: readonly string[]): string[] {
  const value = (flag: string): string => words[words.indexOf(flag) + 1] ?? '';
  const call = words.filter((word, at) => /^[a-z][a-z-]*$/.test(word) && at < 3).join(' ');
  const input = words.includes('--input') ? (JSON.parse(value('--input')) as Record<string, unknown>) : {};
  switch (call) {
    case 'schedule create':
    case 'workflow start': {
      const { problems = [] } = parseSpec(input) as { problems?: unknown[] };
      return value('--type') === 'reflectionLoop' ? problems.map((each) => JSON.stringify(each)) : ['unknown type'];
    }
    case 'workflow query':
    case 'workflow signal':
    case 'workflow update execute': {
      const kind = /query|signal|update/.exec(call)![0];
      const name = value(kind === 'query' ? '--type' : '--name');
      const isThere = STARTS_WITH_OUR_MESSAGES.some((one) => one.name === name && one.kinds.includes(kind));
      return isThere ? [] : [`no ${kind} ${name}`];
    }
    case 'worker deployment set-ramping-version':
    case 'worker deployment set-current-version':
    case 'worker deployment describe-version':
      return value('--deployment-name') === deploymentName() ? [] : ['no such deployment'];
    default:
      return UNCHECKED.has(call) ? [] : [`temporal ${call} is checked by nothing`];
  }
}

/** What the versioned workers of `deploy/kubernetes` call themselves. */
function deploymentName(): string | undefined {
  const file = readFileSync(path.join(PROJECT, 'deploy/kubernetes/versioned/kustomization.yaml'), 'utf8');
  return /name: REFLECT_DEPLOYMENT, value: ([\w-]+)/.exec(file)?.[1];
}

const isFile = (word: string): boolean => existsSync(path.join(PROJECT, word));

/** The names of files that a page has its reader write: a block begins with the name, in a comment. */
function filesOf(place: string): string[] {
  const page = place.split(':')[0]!;
  const ofPage = BLOCKS.filter((block) => block.place.startsWith(`${page}:`));
  return ofPage.flatMap(({ code }) => /^(?:\/\/|#) ([\w./-]+\.\w+)$/m.exec(code.split('\n', 1)[0]!)?.[1] ?? []);
}

const PROJECTS_TO_START = readdirSync(path.join(PROJECT, 'examples')).filter((name) => {
  const manifest = path.join(PROJECT, 'examples', name, 'package.json');
  return existsSync(manifest) && /"start":/.test(readFileSync(manifest, 'utf8'));
});

/** How the words after each program are checked. Packages, files and scripts must be there. */
const PROGRAMS: Record<string, (words: readonly string[], written: readonly string[]) => string[]> = {
  reflect: mistakesOfReflect,
  temporal: mistakesOfTemporal,
  npx: ([name = '', ...words]) => {
    if (/^reflect$|^durable-reflection$|^\.\/durable-reflection-.*\.tgz$/.test(name)) return mistakesOfReflect(words);
    if (name === 'tsx') return isFile(words[0] ?? '') ? [] : [`no file ${words[0]}`];
    return name === 'jest' ? [] : [`npx ${name} is checked by nothing`];
  },
  npm: ([call = '', ...words]) => {
    if (call === 'run') return (words[0] ?? '') in scripts ? [] : [`no script ${words[0]}`];
    if (call === 'ci' || call === 'test' || call === 'install' || call === 'init' || call === 'pack') return [];
    // In the folder of an example that is a project of its own.
    if (call === 'start') return PROJECTS_TO_START.length > 0 ? [] : ['no example has a script start'];
    return [`npm ${call} is checked by nothing`];
  },
  pnpm: ([call = '', ...words]) => {
    if (call === 'exec') return words[0] === 'reflect' ? mistakesOfReflect(words.slice(1)) : ['not of this package'];
    return ['add', 'init', 'install'].includes(call) ? [] : [`pnpm ${call} is checked by nothing`];
  },
  node: ([file = ''], written) =>
    file.startsWith('-') || isFile(file) || written.includes(file) ? [] : [`no file ${file}`],
  cp: ([from = '']) => (isFile(from) ? [] : [`no file ${from}`]),
  docker: ([call = '']) => (call === 'compose' ? [] : [`docker ${call} is checked by nothing`]),
  kubectl: (words) => {
    const folder = words.includes('-k') ? words[words.indexOf('-k') + 1]! : undefined;
    if (folder !== undefined) return isFile(path.join(folder, 'kustomization.yaml')) ? [] : [`no folder ${folder}`];
    return /\b(?:create|rollout|exec|delete)\b/.test(words.join(' '))
      ? []
      : [`kubectl ${words[0]} is checked by nothing`];
  },
  python3: (words) => (words[0] === '-m' || isFile(words[0] ?? '') ? [] : [`no file ${words[0]}`]),
  pip: ([call = '']) => (call === 'install' ? [] : [`pip ${call} is checked by nothing`]),
  go: ([call = '', file = '']) =>
    ['run', 'install'].includes(call) && file !== '' ? [] : [`go ${call} is checked by nothing`],
  mvn: () => [],
  mkdir: () => [],
  cd: ([folder = '']) => (isFile(folder) || /^(?:\.\.\/)?[^/]*$/.test(folder) ? [] : [`no folder ${folder}`]),
  curl: ([, ...words]) => (words.length > 0 ? [] : ['curl without an address']),
  // Run by test/examples/client-types.long.test.ts.
  'datamodel-codegen': ([flag = '']) => (flag === '--input' ? [] : [`datamodel-codegen ${flag}`]),
  'go-jsonschema': ([flag = '']) => (flag === '--struct-name-from-title' ? [] : [`go-jsonschema ${flag}`]),
  openssl: ([call = '']) => (call === 'rand' ? [] : [`openssl ${call} is checked by nothing`]),
  export: () => [],
};

function checkShell({ place, code }: CodeBlock): void {
  const commands = shellCommands(code);
  expect(commands.length).toBeGreaterThan(0);
  const mistakes = commands.flatMap(({ variables, words: [name = '', ...words] }) => [
    ...variables.map((word) => word.split('=')[0]!).filter((variable) => !isVariable(variable)),
    ...(name === '' ? [] : (PROGRAMS[name]?.(words, filesOf(place)) ?? [`${name} is checked by nothing`])),
  ]);
  expect(mistakes).toEqual([]);
}

const isVariable = (name: string): boolean =>
  variableNames().some((known) => known === name || (known.endsWith('*') && name.startsWith(known.slice(0, -1))));

/** The profiles in it are read by the SDK, each with its address. */
function checkToml({ code }: CodeBlock): void {
  const profiles = [...code.matchAll(/^\[profile\.(\w+)\]$/gm)].map(([, name]) => name!);
  expect(profiles.length).toBeGreaterThan(0);
  for (const profile of profiles) {
    const source = { profile, configSource: { data: Buffer.from(code) }, configFileStrict: true, disableEnv: true };
    expect(loadClientConfigProfile(source)).toHaveProperty('address');
  }
}

/** A spec, or any other JSON. */
function checkJson({ code }: CodeBlock): void {
  const value = JSON.parse(code) as Record<string, unknown>;
  if ('generator' in value) expect(parseSpec(value)).toHaveProperty('spec');
}

/** Each line is JSON. */
function checkJsonLines({ code }: CodeBlock): void {
  const values = code
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(values.length).toBeGreaterThan(0);
}

/** How a block of each language is checked; `ts` is compiled, all blocks together. */
const CHECKS: Record<string, (block: CodeBlock) => void | Promise<void>> = {
  yaml: checkYaml,
  json: checkJson,
  jsonl: checkJsonLines,
  // What a command prints: the test of the command compares it.
  text: ({ code }) => expect(code.trim()).not.toBe(''),
  toml: checkToml,
  sh: checkShell,
  // Run by test/examples/notification-relay.test.ts.
  python: ({ code }) => expect(code).toMatch(/^def /m),
  // The table that a worker makes.
  sql: ({ code }) => expect(code.trim()).toBe(`${payloadsTableSql('reflect_payloads')};`),
  'ts [LangGraph]': checkSyntax,
  'ts [Mastra]': checkSyntax,
};

describe('code blocks of the pages', () => {
  test('are all of a language that is checked', () => {
    expect(BLOCKS.length).toBeGreaterThan(25);
    const unchecked = BLOCKS.filter(({ language }) => language !== 'ts' && !(language in CHECKS));
    expect(unchecked.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
  });

  test.each(BLOCKS.filter(({ language }) => language in CHECKS))('$place ($language) is right', async (block) => {
    expect.hasAssertions();
    await CHECKS[block.language]!(block);
    expect(block.code).not.toBe('');
  });

  test('TypeScript compiles against the entry points of the package', () => {
    // Inside the project, so that its packages are found.
    mkdirSync(path.join(PROJECT, 'coverage'), { recursive: true });
    const folder = mkdtempSync(path.join(PROJECT, 'coverage', 'blocks-'));
    try {
      const shown = BLOCKS.filter(({ language }) => language === 'ts');
      expect(shown.length).toBeGreaterThan(7);
      for (const { place, code } of shown) {
        writeFileSync(path.join(folder, `${place.replaceAll(/\W+/g, '-')}.mts`), `${code}\nexport {};\n`);
      }
      const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { types?: string }> };
      const paths = Object.entries(exports).flatMap(([key, { types }]) => {
        if (!types) return [];
        const source = types.replace('./dist/', 'src/').replace('.d.ts', '.ts');
        return [[`durable-reflection${key.slice(1)}`, [path.join(PROJECT, source)]]];
      });
      const configuration = {
        extends: path.join(PROJECT, 'tsconfig.json'),
        compilerOptions: {
          types: ['node', 'jest'],
          // What a page shows a name for, it need not use.
          noUnusedLocals: false,
          noUnusedParameters: false,
          paths: Object.fromEntries(paths) as unknown,
        },
        include: ['*.mts'],
      };
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration));
      const compiler = path.join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('the checks of code blocks', () => {
  const block = (language: string, code: string): CodeBlock => ({ place: 'here', language, code });

  test.each([
    'npx reflect runs a.yaml',
    'npx reflect run a.yaml --output-file x',
    'npx reflect show',
    'npm run no-such-script',
    'NO_SUCH_VARIABLE=1 npx reflect worker',
    'node no-such-file.mjs',
    'pnpm exec reflect runs a.yaml',
    'rm -r x',
    'kubectl apply -k deploy/no-such-folder',
    'temporal worker deployment set-current-version --deployment-name other --build-id b1',
    "temporal workflow update execute --name accepted --input '{}'",
    `temporal workflow start --type reflectionLoop --input '{"task": "x"}'`,
  ])('find what is wrong with %s', (code) => {
    expect(() => checkShell(block('sh', code))).toThrow();
  });

  test('find what is no TypeScript', () => {
    expect(() => checkSyntax(block('ts [Mastra]', 'const const = 1;'))).toThrow();
    expect(() => checkSyntax(block('ts [Mastra]', ''))).toThrow();
  });

  test.each([
    'review: { when: sometimes }',
    'generator: { action: llm.call, prompt: "{{ state.x" }',
    'frontend.NoSuchSetting:\n  - value: true',
  ])('find what is wrong with the YAML %s', async (code) => {
    await expect(checkYaml(block('yaml', code))).rejects.toThrow();
  });
});
