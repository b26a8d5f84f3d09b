/**
 * Prints which tests are evidence for which requirement, from test/requirements.json.
 *
 *   npm run requirements                    prints every requirement with its test files and describe blocks
 *   npm run requirements -- --check P1,D2   also fails when one of these has no test; `all` are all of them
 *
 * Both fail when the table names a file or a describe block that does not exist or holds no test.
 */
import { parseArgs } from 'node:util';
import { mistakesIn, readTable, testsInFile } from '../testing/requirements/table';

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'string' } } });
  const table = readTable();
  const ids = Object.keys(table);
  const isCovered = (id: string) => table[id]!.tests.length > 0;
  for (const id of ids) {
    console.log(`${isCovered(id) ? '✓' : '–'} ${id.padEnd(4)}${table[id]!.requirement}`);
    for (const entry of table[id]!.tests) console.log(`        ${entry}`);
  }
  console.log(`\n${ids.filter(isCovered).length} of ${ids.length} requirements have a test; without: `);
  console.log(ids.filter((id) => !isCovered(id)).join(' ') || 'none');

  const claimed = values.check === 'all' ? ids : (values.check?.split(',').map((id) => id.trim()) ?? []);
  if (claimed.length > 0) console.log(`\n${claimed.length} are claimed: ${claimed.join(' ')}`);
  const mistakes = mistakesIn({ table, testsOf: testsInFile, claimed });
  if (mistakes.length === 0) return;
  console.error(`\n${mistakes.join('\n')}`);
  process.exitCode = 1;
}

main();
