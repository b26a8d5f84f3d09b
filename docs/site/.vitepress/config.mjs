import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { sidebar, version } = JSON.parse(readFileSync(new URL('../cache/site.json', import.meta.url), 'utf8'));

/** Anchors as GitHub makes them, so that links work in the repository and here. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Templates are shown, and not filled in by Vue. */
function showBraces({ renderer: { rules } }) {
  for (const name of ['text', 'code_inline']) {
    const render = rules[name];
    rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
  }
}

/** Pages that would stand before the guides in most results of a search: why something is so, and what changed. */
const NOT_FOUND = ['docs/decisions/', 'CHANGELOG', 'CONTRIBUTING'];

function textToFind(source, env, markdown) {
  const html = markdown.render(source, env);
  return NOT_FOUND.some((start) => env.relativePath.startsWith(start)) ? '' : html;
}

/**
 * Makes a page of the reference a result for whoever asks for its name: what a word means is in the guides. It is written into the
 * site, so it may use nothing outside of itself.
 */
function boostDocument(id) {
  return /\/reference\/(?:fields\/|typescript)/.test(id) ? 0.25 : 1;
}

/** The version of the pages, and what changed in it. */
const versions = {
  text: `v${version}`,
  items: [
    { text: 'Changelog', link: '/CHANGELOG' },
    { text: 'Upgrading', link: '/docs/upgrading' },
  ],
};

// VitePress takes nothing else.
// oxlint-disable-next-line import/no-default-export
export default {
  title: 'durable-reflection',
  description: 'Reflection loops as durable Temporal workflows',
  srcDir: 'cache/pages',
  outDir: fileURLToPath(new URL('../dist', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../cache/vite', import.meta.url)),
  cleanUrls: false,
  // Pages show `<id>` and `{…}`, and mean just that.
  markdown: { html: false, attrs: { disable: true }, anchor: { slugify }, config: showBraces },
  themeConfig: {
    sidebar,
    nav: [{ text: 'Documentation', link: '/docs/' }, versions],
    search: {
      provider: 'local',
      options: { _render: textToFind, miniSearch: { searchOptions: { boostDocument } } },
    },
    outline: [2, 3],
  },
};
