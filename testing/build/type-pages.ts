/** Cuts the page of all fields into a page for each type, on which the description stands under its field. */
import { anchorOf } from './reference/table';

/** The page of all fields, and the folder of the pages by type, without their endings. */
export const FIELDS = 'docs/reference/fields';

/** Returns the cells of a row of a table. */
const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Renders a row of a table as a heading, a line of facts, and the description. */
function renderField(row: string): string {
  const [field = '', type = '', otherwise = '', description = ''] = cellsOf(row);
  const given = otherwise === '' || otherwise === 'required' ? otherwise : `default: ${otherwise}`;
  return [`### ${field}`, [type, given].filter(Boolean).join(' · '), description].filter(Boolean).join('\n\n');
}

/** Renders tables as lists of fields. */
function renderTables(text: string): string {
  return text.replaceAll(/^\|.*\|\n(?:\|.*\|\n?)+/gm, (table) =>
    table.trim().split('\n').slice(2).map(renderField).join('\n\n').concat('\n'),
  );
}

/** Renders a type's own page. Links to types lead to pages beside it, and others one folder further up. */
function renderType(title: string, text: string): string {
  const linked = renderTables(text)
    .replaceAll(/\]\(#([\w-]+)\)/g, ']($1.md)')
    .replaceAll(/\]\((?!https?:|[\w-]+\.md\))([^)]+)\)/g, '](../$1)');
  return `# ${title}\n\n${linked.trim()}\n`;
}

/** Returns the pages by type, by their paths, and the page of all fields as a list of them. */
export function typePages(text: string): Record<string, string> {
  const [opening = '', ...sections] = text.split(/^## /m);
  const types = sections.map((section) => {
    const [title = '', ...rest] = section.split('\n');
    const body = rest.join('\n').trim();
    return { title, name: anchorOf(title), body, about: body.split('\n', 1)[0]! };
  });
  const list = types.map(({ title, name, about }) => `- [${title}](fields/${name}.md): ${about}`).join('\n');
  return {
    [`${FIELDS}.md`]: `${opening.trim()}\n\n${list}\n`,
    ...Object.fromEntries(types.map(({ title, name, body }) => [`${FIELDS}/${name}.md`, renderType(title, body)])),
  };
}
