/** The pages as the site takes them: in a folder of their own, with links that lead to pages. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pages } from './code-blocks';

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
    if (!known.has(target)) return label;
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

/** Writes pages, images and the sidebar into the folder from which the site is built. */
export function writeSitePages(folder = SITE): void {
  rmSync(folder, { recursive: true, force: true });
  const known = new Set(sitePages());
  for (const page of known) {
    const file = path.join(folder, 'pages', siteName(page));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, siteText(page, readFileSync(path.join(PROJECT, page), 'utf8'), known));
  }
  cpSync(path.join(PROJECT, 'docs', 'images'), path.join(folder, 'pages', 'docs', 'images'), { recursive: true });
  const sidebar = sidebarOf(readFileSync(path.join(PROJECT, 'docs', 'README.md'), 'utf8'));
  writeFileSync(path.join(folder, 'site.json'), JSON.stringify({ sidebar }));
}
