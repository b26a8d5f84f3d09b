/** Measures the structure of the project: what a newcomer meets in `src`, and in which language it speaks. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { meanTouched, readCommits } from './feature-commits';
import { beginsWithVerb, dialectWordsIn } from './language.cjs';
import { countFloors, rulesOf, upwardIn, type LintConfig } from './lint-tables';
import { languageProblems, readSourceFile, type SourceFile } from './source-file';

const PROJECT = path.join(__dirname, '..', '..');
const ENTRIES = ['index', 'worker', 'workflow', 'apps/testing/index', 'compat', 'apps/cli/review/index'];

const read = (file: string) => readFileSync(path.join(PROJECT, file), 'utf8');
const readJson = (file: string): unknown => JSON.parse(read(file));
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

export interface Dialect {
  words: number;
  dialect: number;
  perThousand: number;
}

/** Counts the words of the private dialect in a text. */
export function countDialect(text: string): Dialect {
  const words = text.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
  const dialect = dialectWordsIn(text).length;
  return { words, dialect, perThousand: (dialect / Math.max(words, 1)) * 1000 };
}

/** Returns the prose of a page: without code, and without the targets of links. */
export function proseOf(markdown: string): string {
  return markdown
    .replaceAll(/^ *(```+)[\s\S]*?^ *\1/gm, ' ')
    .replaceAll(/`[^`]*`/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

function readSources(): Map<string, SourceFile> {
  const files = readdirSync(path.join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.split(path.sep).join('/')}`)
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .toSorted();
  return new Map(files.map((file) => [file, readSourceFile(read(file))]));
}

/** Finds the file that a relative import names. */
function targetOf(file: string, specifier: string, files: ReadonlyMap<string, unknown>): string | undefined {
  const target = path.posix.join(path.posix.dirname(file), specifier);
  return [`${target}.ts`, `${target}/index.ts`, target].find((each) => files.has(each));
}

/** An entry of a list: a place, and what was found there. */
type Found = string;

/** Lists what the figures count, each with its file. */
export interface Lists {
  upward: Found[];
  upwardTypes: Found[];
  participles: Found[];
  actingWithoutVerb: Found[];
  openings: Found[];
  /** Files under the rules about determinism, promises and packages, with the names of these rules. */
  rules: Found[];
}

function listsOf(sources: ReadonlyMap<string, SourceFile>, config: LintConfig): Lists {
  const isUpward = upwardIn(config);
  const below = (file: string) => path.posix.relative('src', file);
  const arrows = [...sources].flatMap(([file, { imports }]) =>
    imports.flatMap(({ specifier, typeOnly }) => {
      const target = specifier.startsWith('.') ? targetOf(file, specifier, sources) : undefined;
      return target && isUpward(below(file), below(target)) ? [{ arrow: `${file} → ${target}`, typeOnly }] : [];
    }),
  );
  const problems = [...sources].map(([file, source]) => ({ file, ...languageProblems(source) }));
  const listOf = (key: 'participles' | 'actingWithoutVerb' | 'openings') =>
    problems.flatMap((each) => each[key].map((found) => `${each.file}: ${found}`));
  return {
    upward: arrows.filter(({ typeOnly }) => !typeOnly).map(({ arrow }) => arrow),
    upwardTypes: arrows.filter(({ typeOnly }) => typeOnly).map(({ arrow }) => arrow),
    participles: listOf('participles'),
    actingWithoutVerb: listOf('actingWithoutVerb'),
    openings: listOf('openings'),
    rules: [...sources.keys()].flatMap((file) => {
      const rules = rulesOf(config, file);
      return rules.length === 0 ? [] : [`${file}: ${rules.join(', ')}`];
    }),
  };
}

function countRelative(sources: ReadonlyMap<string, SourceFile>): number {
  const isRelative = ({ specifier }: { specifier: string }) => specifier.startsWith('.');
  return sum([...sources.values()].map(({ imports }) => imports.filter(isRelative).length));
}

export function measure() {
  const sources = readSources();
  const files = [...sources.values()];
  const config = readJson('.oxlintrc.json') as LintConfig;
  const lists = listsOf(sources, config);
  const names = files.flatMap(({ functions }) => functions.map(({ name }) => name));
  const withoutVerb = names.filter((name) => !beginsWithVerb(name)).length;
  const docstrings = sum(files.map((file) => file.docstrings.length));
  const guides = readdirSync(path.join(PROJECT, 'docs')).filter((file) => file.endsWith('.md'));
  const commits = readCommits(PROJECT);
  const exportsOf = (entry: string) => sources.get(`src/${entry}.ts`)?.exports ?? [];
  const countRule = (rule: string) => lists.rules.filter((each) => each.includes(rule)).length;
  const figures = {
    entries: readdirSync(path.join(PROJECT, 'src')).length,
    folders: new Set([...sources.keys()].map((file) => path.posix.dirname(file))).size - 1,
    files: files.length,
    codeLines: sum(files.map((file) => file.codeLines)),
    rawLines: sum(files.map((file) => file.rawLines)),
    floors: countFloors(config),
    arrows: { all: countRelative(sources), upward: lists.upward.length, upwardTypes: lists.upwardTypes.length },
    featureCommits: commits && meanTouched(commits),
    functions: {
      all: names.length,
      withoutVerb,
      withoutVerbShare: withoutVerb / names.length,
      participles: lists.participles.length,
      actingWithoutVerb: lists.actingWithoutVerb.length,
    },
    docstrings: { all: docstrings, forbidden: lists.openings.length, share: lists.openings.length / docstrings },
    dialect: {
      src: countDialect(files.map(({ commentText }) => commentText).join('\n')),
      guides: countDialect(guides.map((file) => proseOf(read(`docs/${file}`))).join('\n')),
    },
    exports: {
      ...Object.fromEntries(ENTRIES.map((entry) => [entry, exportsOf(entry).length])),
      different: new Set(ENTRIES.flatMap(exportsOf)).size,
    },
    rules: { determinism: countRule('determinism'), promises: countRule('promises'), packages: countRule('packages') },
  };
  return { figures, lists };
}

export type Figures = ReturnType<typeof measure>['figures'];
