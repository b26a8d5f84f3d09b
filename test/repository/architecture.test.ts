import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');

/** The names in code font before a path in code font, in the table of one section. */
function namedThings(): { name: string; file: string }[] {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('Where it is decided'))!;
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`src/'))
    .flatMap((line) => {
      const code = [...line.split('|')[2]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
      const named: { name: string; file: string }[] = [];
      let names: string[] = [];
      for (const each of code) {
        if (!each.startsWith('src/')) names.push(each);
        else {
          named.push(...names.map((name) => ({ name, file: each })), { name: '', file: each });
          names = [];
        }
      }
      return named;
    });
}

/** Names in the table that are no declarations: fields, variables of templates, a file in short. */
const OTHERS = ['state.guidance', 'reflection_guidance', 'nextMove', 'variables.ts'];

test('what "Where it is decided" names is where it says', () => {
  const named = namedThings();
  expect(named.length).toBeGreaterThan(30);
  const wrong = named.filter(({ name, file }) => {
    if (!existsSync(path.join(ROOT, file))) return true;
    if (name === '' || (OTHERS.includes(name) && !file.includes('next-move'))) return false;
    return !new RegExp(`\\b(function|const) ${name}\\b`).test(readFileSync(path.join(ROOT, file), 'utf8'));
  });
  expect(wrong).toEqual([]);
});
