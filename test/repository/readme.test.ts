import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pages } from '../../testing/build/code-blocks';

const PROJECT = path.join(__dirname, '..', '..');
const PAGES = [
  ...pages(),
  ...readdirSync(path.join(PROJECT, 'docs', 'reference')).map((file) => `docs/reference/${file}`),
];
const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');

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
