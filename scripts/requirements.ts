/**
 * Which requirement has which tests. A test belongs to every id that its name, or a `describe` around it, begins with.
 *
 *   npm run requirements                    prints every requirement
 *   npm run requirements -- --check P1,D2   also fails when one of these has no test; `all` are all of them
 *
 * The ids stand in docs/requirements.json. Where the shared requirements.md is at hand, its ids must be the same.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const PROJECT = path.join(__dirname, '..');
const SHARED = path.join(PROJECT, '..', 'shared', 'requirements.md');

/** A first argument that begins with ids, such as `test('P1 P2 stops …'` or the second pair of brackets of `test.each`. */
const NAME = /(\bskip|\btodo|\bxit|\bxtest|\bxdescribe)?\(\s*(['"`])((?:[PTLGD]\d{1,2}(?:, ?| ))+)/g;

/** The ids that the names in a test file begin with. Tests that are skipped or only planned do not count. */
export function idsInTests(source: string): string[] {
  const ids = [...source.matchAll(NAME)]
    .filter((match) => !match[1])
    .flatMap((match) => match[3]!.match(/\w\d+/g) ?? []);
  return [...new Set(ids)];
}

/** The ids of the rows of requirements.md. */
export function idsInTable(markdown: string): string[] {
  return [...markdown.matchAll(/^\| ([PTLGD]\d{1,2}) \|/gm)].map((match) => match[1]!);
}

function testsById(): Map<string, string[]> {
  const files = readdirSync(path.join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' })
    // The tests of this table itself quote names of tests.
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('requirements.test.ts'))
    .map((file) => file.split(path.sep).join('/'))
    .toSorted();
  const byId = new Map<string, string[]>();
  for (const file of files) {
    for (const id of idsInTests(readFileSync(path.join(PROJECT, 'test', file), 'utf8'))) {
      byId.set(id, [...(byId.get(id) ?? []), file]);
    }
  }
  return byId;
}

function disagreements(known: readonly string[]): string[] {
  if (!existsSync(SHARED)) return [];
  const shared = idsInTable(readFileSync(SHARED, 'utf8'));
  return [
    ...shared.filter((id) => !known.includes(id)).map((id) => `${id} stands in requirements.md only`),
    ...known.filter((id) => !shared.includes(id)).map((id) => `${id} stands in docs/requirements.json only`),
  ];
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'string' } } });
  const titles = JSON.parse(readFileSync(path.join(PROJECT, 'docs', 'requirements.json'), 'utf8')) as Record<
    string,
    string
  >;
  const ids = Object.keys(titles);
  const tests = testsById();
  for (const id of ids) {
    console.log(`${tests.has(id) ? '✓' : '–'} ${id.padEnd(4)}${titles[id]}`);
    for (const file of tests.get(id) ?? []) console.log(`        test/${file}`);
  }
  const covered = ids.filter((id) => tests.has(id));
  console.log(`\n${covered.length} of ${ids.length} requirements have a test; without: `);
  console.log(ids.filter((id) => !tests.has(id)).join(' ') || 'none');

  const checked = values.check === 'all' ? ids : (values.check?.split(',').map((id) => id.trim()) ?? []);
  const mistakes = [
    ...disagreements(ids),
    ...[...tests.keys()]
      .filter((id) => !ids.includes(id))
      .map((id) => `${id} is named by a test and is no requirement`),
    ...checked.filter((id) => !ids.includes(id)).map((id) => `${id} is to be checked and is no requirement`),
    ...checked.filter((id) => ids.includes(id) && !tests.has(id)).map((id) => `${id} is claimed and has no test`),
  ];
  if (checked.length > 0) console.log(`\n${checked.length} are claimed: ${checked.join(' ')}`);
  if (mistakes.length === 0) return;
  console.error(`\n${mistakes.join('\n')}`);
  process.exitCode = 1;
}

if (require.main === module) main();
