import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namesInTests, testsIn, type DeclaredTest } from './test-names';

const PROJECT = path.join(__dirname, '..', '..');
/** Where the table stands, from the project's folder. */
export const TABLE = 'test/requirements.json';

export interface Requirement {
  /** The requirement in one line. */
  requirement: string;
  /** The evidence: test files, or `FILE > BLOCK` where only a `describe` block of the file belongs to the requirement. */
  tests: string[];
}
/** Requirements by id. */
export type Requirements = Record<string, Requirement>;

export function readTable(): Requirements {
  return JSON.parse(readFileSync(path.join(PROJECT, TABLE), 'utf8')) as Requirements;
}

/** Splits an entry of the table into its file and its `describe` block. */
export function parseEntry(entry: string): { file: string; block?: string } {
  const [file = '', ...block] = entry.split(' > ');
  return block.length === 0 ? { file } : { file, block: block.join(' > ') };
}

function readSource(file: string): string | undefined {
  const place = path.join(PROJECT, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

/** Lists the names of tests in a file of the project; undefined for a file that does not exist. */
export function namesInFile(file: string): readonly string[] | undefined {
  const source = readSource(file);
  return source === undefined ? undefined : namesInTests(source);
}

/** Lists the tests of a file of the project; undefined for a file that does not exist. */
export function testsInFile(file: string): readonly DeclaredTest[] | undefined {
  const source = readSource(file);
  return source === undefined ? undefined : testsIn(source);
}

export interface TableCheck {
  table: Requirements;
  /** The tests of a file; undefined for a file that does not exist. */
  testsOf: (file: string) => readonly DeclaredTest[] | undefined;
  /** Ids that must have a test. */
  claimed: readonly string[];
}

/** Finds the mistakes in the table, a sentence each. */
export function mistakesIn({ table, testsOf, claimed }: TableCheck): string[] {
  const files = new Set(Object.values(table).flatMap(({ tests }) => tests.map((entry) => parseEntry(entry).file)));
  const testsByFile = new Map([...files].map((file) => [file, testsOf(file)]));
  const mistakesOf = (id: string, entry: string): string[] => {
    const { file, block } = parseEntry(entry);
    const tests = testsByFile.get(file);
    if (!tests) return [`${id} names ${file}, which does not exist`];
    if (tests.length === 0) return [`${id} names ${file}, which holds no test`];
    if (block === undefined || tests.some(({ blocks }) => blocks.includes(block))) return [];
    return [`${id} names a describe block that ${file} does not have, or that holds no test: ${block}`];
  };
  return [
    ...Object.entries(table).flatMap(([id, { requirement, tests }]) => [
      ...(/^[PTLGD]\d{1,2}$/.test(id) ? [] : [`${id} is no id of a requirement`]),
      ...(requirement ? [] : [`${id} does not say what is required`]),
      ...(new Set(tests).size === tests.length ? [] : [`${id} names an entry twice`]),
      ...tests.flatMap((entry) => mistakesOf(id, entry)),
    ]),
    ...claimed.filter((id) => !(id in table)).map((id) => `${id} is no requirement`),
    ...claimed.filter((id) => table[id]?.tests.length === 0).map((id) => `${id} has no test`),
  ];
}
