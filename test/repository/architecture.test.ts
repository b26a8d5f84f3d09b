import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readSourceFile } from '../../testing/structure/source-file';

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

/** The folders of `src` from the highest to the lowest, as the sentence about the direction of imports names them. */
function layersInDocs(): string[][] {
  const text = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8').replaceAll('\n', ' ');
  const [, direction] = /The direction is: ([^.]+)\./.exec(text)!;
  return direction!.split(' → ').map((names) => names.split(' and '));
}

test('imports go in the direction that the page names', () => {
  const layers = layersInDocs();
  expect(layers.flat()).toEqual(
    expect.arrayContaining(['apps', 'client', 'kinds', 'calls', 'spec-files', 'loop', 'lib']),
  );
  const rankOf = (place: string) => layers.findIndex((names) => names.includes(place.split(path.sep)[0]!));
  const source = path.join(ROOT, 'src');
  let followed = 0;
  const wrong = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && rankOf(file) >= 0)
    .flatMap((file) =>
      readSourceFile(readFileSync(path.join(source, file), 'utf8'))
        .imports.filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => path.relative(source, path.resolve(source, path.dirname(file), specifier)))
        .filter((target) => rankOf(target) >= 0 && file.split(path.sep)[0] !== target.split(path.sep)[0])
        .filter((target) => (followed++, rankOf(target) <= rankOf(file)))
        .map((target) => `${file} imports ${target}`),
    );
  expect(wrong).toEqual([]);
  expect(followed).toBeGreaterThan(1_000);
});
