/**
 * Makes the report of the API: what each entry point exports, with its types and comments. It says nothing of files, so that it stays
 * equal while they move.
 */
import path from 'node:path';
import { API, type Symbol as TypeSymbol } from 'typescript/unstable/sync';
import { entryPoints } from '../reference/public-exports';
import { Describer } from './describer';

const PROJECT = path.join(__dirname, '..', '..', '..');

/** A name, and what the report says of it. */
interface Entry {
  name: string;
  text: string;
}

function sections(entries: readonly Entry[]): string {
  const sorted = entries.toSorted((a, b) => (a.name === b.name ? compare(a.text, b.text) : compare(a.name, b.name)));
  return sorted.map(({ text }) => `\n${text}\n`).join('');
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Those of the entries that a text names, or one of them. */
function namedIn(text: string, entries: readonly Entry[]): Entry[] {
  const words = new Set(text.match(/\w+/g));
  const named = entries.filter(({ name }) => words.has(name));
  if (named.length === 0) return [];
  const others = entries.filter(({ name }) => !words.has(name));
  return [...named, ...namedIn(named.map((each) => each.text).join('\n'), others)];
}

/** The reports, by file name: one for each entry point, and one of the declarations that their types lead to. */
export function apiReports(): Record<string, string> {
  const api = new API({ cwd: PROJECT });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [path.join(PROJECT, 'tsconfig.build.json')] });
    const describer = new Describer(snapshot.getProjects()[0]!);
    const described = new Map<TypeSymbol, string>();
    const reports: Record<string, string> = {};
    for (const { name: entry, file } of entryPoints()) {
      const entries = [...describer.exportsOf(file)].map(([name, symbol]) => {
        const before = described.get(symbol);
        if (before === undefined) described.set(symbol, entry);
        return { name, text: before ? `${name}: as in ${before}` : describer.describe(name, symbol) };
      });
      reports[`${path.basename(entry)}.api.txt`] = `${entry}\n${sections(entries)}`;
    }
    const inner: Entry[] = [];
    for (const symbol of describer.reached) {
      if (!described.has(symbol)) inner.push({ name: symbol.name, text: describer.describe(symbol.name, symbol) });
    }
    const named = namedIn(Object.values(reports).join('\n'), inner);
    reports['reached.api.txt'] = `Declarations that the entry points name and do not export\n${sections(named)}`;
    return reports;
  } finally {
    api.close();
  }
}
