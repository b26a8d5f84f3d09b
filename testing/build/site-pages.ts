/** The pages as the site takes them: in a folder of their own, with links that lead to pages. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pages } from './code-blocks';
import { FIELDS, typePages } from './type-pages';

const PROJECT = path.join(__dirname, '..', '..');
/** Makes the folder beside the pages' own. */
const SITE = path.join(PROJECT, 'docs', 'site', 'cache');

/** A page, and where the site has it: `README.md` is the first page of its folder. */
export const siteName = (page: string): string => page.replace(/(^|\/)README\.md$/, '$1index.md');

/** Every page of the site, the generated reference and the changelog too. */
export function sitePages(): string[] {
  return [...pages(), 'CHANGELOG.md'];
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:)([^)\s]+)\)/g;

/** The text of a page with links to other pages and to images; what else it links to is only named. */
export function siteText(page: string, text: string, known: ReadonlySet<string>): string {
  return text.replaceAll(LINK, (whole, image: string, label: string, link: string) => {
    const [file = '', anchor] = link.split('#');
    if (file === '' || image === '!') return whole;
    const target = path.posix.normalize(path.posix.join(path.posix.dirname(page), file));
    if (target.startsWith(`${FIELDS}/`)) return whole;
    if (!known.has(target)) return label;
    // A type has a page of its own.
    if (target === `${FIELDS}.md` && anchor !== undefined)
      return `[${label}](${file.replace(/\.md$/, '')}/${anchor}.md)`;
    return `[${label}](${siteName(file)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

interface SidebarGroup {
  text: string;
  items: { text: string; link: string }[];
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The groups of the list in docs/README.md, which is the order of reading. */
export function sidebarOf(text: string): SidebarGroup[] {
  return text
    .split(/^\d+\. /m)
    .slice(1)
    .map((group) => ({
      text: group.slice(0, group.indexOf(':')).trim(),
      items: [...group.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label, link]) => ({
        text: capital(label!.replaceAll(/\s+/g, ' ')),
        link: `/${siteName(path.posix.join('docs', link!)).replace(/\.md$/, '')}`,
      })),
    }));
}

/** Returns the text of every page of the site, by the name that the site has for it. */
export function siteFiles(): Record<string, string> {
  const known = new Set(sitePages());
  const read = (page: string): string => readFileSync(path.join(PROJECT, page), 'utf8');
  const texts = [...known].flatMap((page) =>
    Object.entries(page === `${FIELDS}.md` ? typePages(read(page)) : { [page]: read(page) }),
  );
  return Object.fromEntries(texts.map(([page, text]) => [siteName(page), siteText(page, text, known)]));
}

/** Writes pages, images, the sidebar and the version into the folder from which the site is built. */
export function writeSitePages(folder = SITE): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [page, text] of Object.entries(siteFiles())) {
    const file = path.join(folder, 'pages', page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  cpSync(path.join(PROJECT, 'docs', 'images'), path.join(folder, 'pages', 'docs', 'images'), { recursive: true });
  const sidebar = sidebarOf(readFileSync(path.join(PROJECT, 'docs', 'README.md'), 'utf8'));
  const { version } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(path.join(folder, 'site.json'), JSON.stringify({ sidebar, version }));
}
