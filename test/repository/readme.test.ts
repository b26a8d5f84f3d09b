import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseSpec } from '../../src/schemas';
import { parseSpecFile } from '../../src/yaml/index';

const PROJECT = path.join(__dirname, '..', '..');
const folderOfPages = (folder: string) =>
  readdirSync(path.join(PROJECT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...folderOfPages('docs'),
  ...folderOfPages('docs/decisions'),
];
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

/** The code blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
}

/** What a link to a heading of a page says behind `#`. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('what the pages say', () => {
  test('YAML that they show loads', () => {
    const shown = blocks('README.md', 'yaml');
    expect(shown).not.toEqual([]);
    for (const text of shown) expect(parseSpecFile(text, 'README.md').spec.generator).toBeDefined();
  });

  test('JSON that they give to the temporal command is a valid spec', () => {
    const [input] = /(?<=--type reflectionLoop [^']*')\{[^']*\}/.exec(read('README.md')) ?? [];
    expect(parseSpec(JSON.parse(input ?? ''))).toHaveProperty('spec');
  });

  test('TypeScript that they show compiles against the entry points of the package', () => {
    // Inside the project, so that its packages are found.
    mkdirSync(path.join(PROJECT, 'coverage'), { recursive: true });
    const folder = mkdtempSync(path.join(PROJECT, 'coverage', 'readme-'));
    try {
      const pages = ['README.md', 'docs/embedding.md', 'docs/memory.md', 'docs/agents.md'];
      const shown = pages.flatMap((page) => blocks(page, 'ts'));
      expect(shown).toHaveLength(9);
      for (const [index, code] of shown.entries()) writeFileSync(path.join(folder, `${index}.mts`), code);
      const source = (file: string) => [path.join(PROJECT, 'src', file)];
      const configuration = {
        extends: path.join(PROJECT, 'tsconfig.json'),
        compilerOptions: {
          types: ['node'],
          // What a page shows a name for, it need not use.
          noUnusedLocals: false,
          paths: {
            'durable-reflection': source('index.ts'),
            'durable-reflection/worker': source('worker.ts'),
            'durable-reflection/workflow': source('workflow.ts'),
            'durable-reflection/testing': source('testing.ts'),
          },
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
  });

  test.each(PAGES)('the files that %s links to are there', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)]+)/g)].map((match) => match[1]!);
    const isMissing = (link: string): boolean => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(PROJECT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    };
    expect(links.filter(isMissing)).toEqual([]);
  });

  let help: string;
  beforeAll(() => {
    const options = { cwd: PROJECT, encoding: 'utf8' } as const;
    help = spawnSync(process.execPath, ['bin/reflect.js', '--help'], options).stdout;
  });

  test.each(PAGES)('the scripts and commands that %s names are there', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const commands = [...read(page).matchAll(/npx reflect (\w+)/g)].map((match) => match[1]!);
    expect(commands.filter((name) => !new RegExp(`^ {2}${name} `, 'm').test(help))).toEqual([]);
  });
});
