/** The figures of the code's language that may only fall. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from './measure';

const CEILING = path.join(__dirname, '..', '..', 'test', 'repository', 'language', 'ceiling.json');

export type Counts = Record<string, number>;

/** Picks the figures that have a ceiling. */
export function countsOf({ functions, docstrings, dialect }: Figures): Counts {
  return {
    'participles as function names': functions.participles,
    'acting functions without a verb': functions.actingWithoutVerb,
    'docstrings with a forbidden opening': docstrings.forbidden,
    'dialect words in src': dialect.src.dialect,
    'dialect words in docs': dialect.guides.dialect,
  };
}

export function readCeiling(): Counts {
  return JSON.parse(readFileSync(CEILING, 'utf8')) as Counts;
}

/** Finds the figures that are above their ceiling, a sentence each. */
export function findRisen(counts: Counts, ceiling: Counts): string[] {
  return Object.entries(counts)
    .filter(([name, count]) => !(count <= ceiling[name]!))
    .map(([name, count]) => `${name}: ${count}, and at most ${ceiling[name]} are allowed`);
}

/** Returns the lower of count and ceiling for each figure. */
export function lower(counts: Counts, ceiling: Counts): Counts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Math.min(count, ceiling[name] ?? count)]),
  );
}

export function writeCeiling(counts: Counts): void {
  writeFileSync(CEILING, `${JSON.stringify(counts, null, 2)}\n`);
}
