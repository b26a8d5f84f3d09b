import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { namesInTests } from './test-names';

const PROJECT = path.join(__dirname, '..', '..');
/** Where the table stands, from the project's folder. */
export const TABLE = 'test/requirements.json';

export interface Requirement {
  /** What is required, in one line. */
  requirement: string;
  /** What proves it: files, with the names of their tests, or of a `describe` whose tests all do, as they are written. */
  tests: Record<string, string[]>;
}
/** Requirements by id. */
export type Requirements = Record<string, Requirement>;

export function readTable(): Requirements {
  return JSON.parse(readFileSync(path.join(PROJECT, TABLE), 'utf8')) as Requirements;
}

/** The names of tests in a file of the project; undefined when it is not there. */
export function namesInFile(file: string): readonly string[] | undefined {
  const place = path.join(PROJECT, file);
  return existsSync(place) ? namesInTests(readFileSync(place, 'utf8')) : undefined;
}

const hasTests = (requirement: Requirement): boolean => Object.values(requirement.tests).flat().length > 0;

export interface TableCheck {
  table: Requirements;
  /** The names of tests in a file; undefined when there is no such file. */
  namesOf: (file: string) => readonly string[] | undefined;
  /** Ids that must have a test. */
  claimed: readonly string[];
}

/** What is wrong with the table, a sentence each. */
export function mistakesIn({ table, namesOf, claimed }: TableCheck): string[] {
  const entries = Object.entries(table).flatMap(([id, { tests }]) =>
    Object.entries(tests).flatMap(([file, names]) => names.map((name) => ({ id, file, name }))),
  );
  const namesByFile = new Map([...new Set(entries.map(({ file }) => file))].map((file) => [file, namesOf(file)]));
  return [
    ...Object.entries(table).flatMap(([id, { requirement, tests }]) => [
      ...(/^[PTLGD]\d{1,2}$/.test(id) ? [] : [`${id} is no id of a requirement`]),
      ...(requirement ? [] : [`${id} does not say what is required`]),
      ...Object.entries(tests).flatMap(([file, names]) => [
        ...(names.length > 0 ? [] : [`${id} names ${file}, and no test of it`]),
        ...(new Set(names).size === names.length ? [] : [`${id} names a test of ${file} twice`]),
      ]),
    ]),
    ...entries.flatMap(({ id, file, name }) => {
      const names = namesByFile.get(file);
      if (!names) return [`${id} names ${file}, which is not there`];
      return names.includes(name) ? [] : [`${id} names a test that ${file} does not have: ${name}`];
    }),
    ...claimed.filter((id) => !(id in table)).map((id) => `${id} is no requirement`),
    ...claimed.filter((id) => table[id] && !hasTests(table[id])).map((id) => `${id} has no test`),
  ];
}
