import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { sidebar } = JSON.parse(readFileSync(new URL('../cache/site.json', import.meta.url), 'utf8'));

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
  themeConfig: { sidebar, search: { provider: 'local' }, outline: [2, 3] },
};
