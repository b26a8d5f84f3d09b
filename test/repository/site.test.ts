import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { siteFiles, siteName, sidebarOf, sitePages, siteText } from '../../testing/build/site-pages';

const PROJECT = path.join(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');
const FILES = new Set(sitePages().map(siteName));
const TEXTS = siteFiles();

/** What is no code: only there is a link one. */
const prose = (text: string): string => text.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

describe('the pages of the site', () => {
  test.each(Object.keys(TEXTS))('%s links to pages of the site and to images only', (page) => {
    const links = [...prose(TEXTS[page]!).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)];
    const isThere = (file: string): boolean =>
      file in TEXTS || (file.endsWith('.png') && existsSync(path.join(PROJECT, file)));
    const targets = links.map(([, link]) => path.posix.join(path.posix.dirname(page), link!));
    expect(targets.filter((target) => !isThere(target))).toEqual([]);
  });

  test('are in the order of reading, apart from the decisions, which have a list of their own', () => {
    const links = sidebarOf(read('docs/README.md')).flatMap(({ items }) =>
      items.map(({ link }) => `${link.slice(1)}.md`),
    );
    const ofDocs = [...FILES].filter((file) => /^docs\/(?!decisions\/(?!index)|index)/.test(file));
    expect(links.toSorted()).toEqual(ofDocs.toSorted());
  });

  test('have a page for each type, on which the description stands under the field', () => {
    const types = [...read('docs/reference/fields.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
    expect(types.length).toBeGreaterThan(50);
    const pages = Object.entries(TEXTS).filter(([page]) => page.startsWith('docs/reference/fields/'));
    expect(pages.map(([, text]) => /^# (.+)$/m.exec(text)![1]!).toSorted()).toEqual(types.toSorted());
    expect(pages.filter(([, text]) => /^\|/m.test(text))).toEqual([]);
    expect(TEXTS['docs/reference/fields/reflectionspec.md']).toContain(
      '### `maxIterations`\n\ninteger, 1 to 10000 · default: `3`\n\nMaximum number of versions.',
    );
    expect(TEXTS['docs/reference/messages.md']).toContain('[ReflectionSpec](fields/reflectionspec.md)');
  });

  test('keep the text of a link to what is no page', () => {
    const text = 'See [the loop](../src/loop.ts), [all](README.md#top) and [here](#down).';
    expect(siteText('docs/start.md', text, new Set(['docs/README.md']))).toBe(
      'See the loop, [all](index.md#top) and [here](#down).',
    );
  });
});

test('the lock of the site names no registry, and has the packages of every platform', () => {
  const { packages } = JSON.parse(read('docs/site/package-lock.json')) as {
    packages: Record<string, { resolved?: string; optionalDependencies?: Record<string, string> }>;
  };
  const names = Object.keys(packages);
  expect(names.length).toBeGreaterThan(100);
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !names.some((place) => place.endsWith(`node_modules/${name}`)))).toEqual([]);
});
