/**
 * Measures what a newcomer meets: the size and the order of src, and the language of the code.
 *
 *   npm run structure               prints the figures
 *   npm run structure -- --json     prints them for machines
 *   npm run structure -- --list     lists what they count: upward imports, names of functions, openings of docstrings
 *   npm run structure -- --rules    lists the files under the rules about determinism, promises and packages
 *   npm run structure -- --lower    lowers the ceiling in test/repository/language to the figures, where they have fallen
 */
import { parseArgs } from 'node:util';
import { countsOf, lower, readCeiling, writeCeiling } from '../testing/structure/ceiling';
import { measure, type Figures, type Lists } from '../testing/structure/measure';

function printList(title: string, found: readonly string[]): void {
  console.log(`\n${title} (${found.length})`);
  for (const each of found) console.log(`  ${each}`);
}

function printLists(lists: Lists): void {
  printList('Imports that run upward', lists.upward);
  printList('Imports of types that run upward', lists.upwardTypes);
  printList('Participles as names of functions', lists.participles);
  printList('Functions that return nothing, without a verb in front', lists.actingWithoutVerb);
  printList('Docstrings with a forbidden opening', lists.openings);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function printFigures(figures: Figures): void {
  const { arrows, featureCommits: commits, functions, docstrings, dialect, exports, rules } = figures;
  const rows: [string, string | number][] = [
    ['entries of src', figures.entries],
    ['folders', figures.folders],
    ['files', figures.files],
    ['lines of code', `${figures.codeLines} (raw ${figures.rawLines})`],
    ['floors', figures.floors],
    ['relative imports', arrows.all],
    ['  upward', `${arrows.upward}, and ${arrows.upwardTypes} of types only`],
    [
      'a feature commit touches',
      commits
        ? `${commits.files.toFixed(1)} files in ${commits.folders.toFixed(1)} folders (mean of ${commits.commits})`
        : 'unknown: the history is not here',
    ],
    ['functions', functions.all],
    ['  without a verb in front', `${functions.withoutVerb} (${percent(functions.withoutVerbShare)})`],
    ['  that return nothing, without a verb', functions.actingWithoutVerb],
    ['  named by a participle', functions.participles],
    ['docstrings', docstrings.all],
    ['  with a forbidden opening', `${docstrings.forbidden} (${percent(docstrings.share)})`],
    [
      'dialect words in 1,000',
      `${dialect.src.perThousand.toFixed(1)} in src, ${dialect.guides.perThousand.toFixed(1)} in docs`,
    ],
    [
      'exported names',
      Object.entries(exports)
        .map(([entry, count]) => `${entry} ${count}`)
        .join(', '),
    ],
    ['files under rules', `${rules.determinism} determinism, ${rules.promises} promises, ${rules.packages} packages`],
  ];
  for (const [name, value] of rows) console.log(`${name.padEnd(40)}${value}`);
}

function main(): void {
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({ options: { json: flag, list: flag, rules: flag, lower: flag } });
  const { figures, lists } = measure();
  if (values.lower) writeCeiling(lower(countsOf(figures), readCeiling()));
  if (values.rules) console.log(lists.rules.join('\n'));
  else if (values.json) console.log(JSON.stringify(values.list ? { ...figures, lists } : figures, null, 2));
  else {
    printFigures(figures);
    if (values.list) printLists(lists);
  }
}

main();
