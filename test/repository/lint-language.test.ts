import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countsOf, findRisen, lower, readCeiling, type Counts } from '../../testing/structure/ceiling';
import { meanTouched, parseLog } from '../../testing/structure/feature-commits';
import {
  beginsWithVerb,
  dialectWordsIn,
  forbiddenOpening,
  isParticiple,
  wordsOf,
} from '../../testing/structure/language.cjs';
import { countFloors, matchesGlob, rulesOf, upwardIn, type LintConfig } from '../../testing/structure/lint-tables';
import { countDialect, measure, proseOf } from '../../testing/structure/measure';
import { languageProblems, readSourceFile } from '../../testing/structure/source-file';

test('figures of the language only fall; after they fell, `npm run structure -- --lower` lowers the ceiling', () => {
  const counts = countsOf(measure().figures);
  const ceiling = readCeiling();
  expect(Object.keys(ceiling).toSorted()).toEqual(Object.keys(counts).toSorted());
  expect(counts['docstrings with a forbidden opening']).toBeGreaterThanOrEqual(0);
  // `npm run structure -- --list` shows what is counted.
  expect(findRisen(counts, ceiling)).toEqual([]);
});

describe('the ceiling', () => {
  const ceiling: Counts = { a: 3, b: 0 };

  test.each<[string, Counts, string[]]>([
    ['no figure has changed', { a: 3, b: 0 }, []],
    ['a figure has fallen', { a: 2, b: 0 }, []],
    ['a figure has risen', { a: 4, b: 0 }, ['a: 4, and at most 3 are allowed']],
    ['a figure has no ceiling', { c: 1 }, ['c: 1, and at most undefined are allowed']],
    ['a figure is no number', { a: Number.NaN }, ['a: NaN, and at most 3 are allowed']],
  ])('when %s', (_case, counts, problems) => {
    expect(findRisen(counts, ceiling)).toEqual(problems);
  });

  test('goes down with the figures and never up', () => {
    expect(lower({ a: 5, b: 0, c: 7 }, { a: 3, b: 1 })).toEqual({ a: 3, b: 0, c: 7 });
  });
});

describe('names of functions', () => {
  test.each([
    ['toJSONText', ['to', 'json', 'text']],
    ['sha256', ['sha', '256']],
    ['run', ['run']],
  ])('%s is split into words', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  test.each(['readSpec', 'isJson', 'read', 'callModel'])('%s begins with a verb', (name) => {
    expect(beginsWithVerb(name)).toBe(true);
  });

  test.each(['specOf', 'callOf', 'listOf', 'readyTasks', 'jsonText'])('%s begins with none', (name) => {
    expect(beginsWithVerb(name)).toBe(false);
  });

  test.each(['told', 'shown', 'askedFor', 'bounded', 'judging', 'startedAs', 'paidFor', 'answeredUnasked'])(
    '%s is a participle',
    (name) => {
      expect(isParticiple(name)).toBe(true);
    },
  );

  test.each(['finishedTasks', 'embed', 'feed', 'need', 'setting', 'warning', 'readSpec', 'tell'])(
    '%s is none',
    (name) => {
      expect(isParticiple(name)).toBe(false);
    },
  );
});

describe('docstrings and comments', () => {
  test.each([
    ['* What a loop does. ', 'What'],
    ['*\n * Where it stands.\n ', 'Where'],
    ['* The same for plans. ', 'The same'],
    ['* Absent: as by default. ', 'Absent'],
    ['* Reports whether it is done. ', 'Reports whether'],
    ['* Reads a file. ', undefined],
    ['* Whether it is done. ', undefined],
    ['* Offset of a line. ', undefined],
    ['*\n * @param of What it is\n ', undefined],
  ])('%j opens with %s', (comment, opening) => {
    expect(forbiddenOpening(comment)).toBe(opening);
  });

  test('words of the dialect are found as whole words, in any case', () => {
    const text = 'Nobody told the caller, whom it\nstands beside; asked\nfor, unasked, toldyou, nobody’s';
    expect(dialectWordsIn(text)).toEqual(['nobody', 'told', 'stands', 'asked for']);
    expect(countDialect('a told b c')).toEqual({ words: 4, dialect: 1, perThousand: 250 });
  });

  test('the prose of a page has no code and no targets of links', () => {
    expect(proseOf('a `told` [b](said.md)\n\n```ts\ntold\n```\n\nc').split(/\s+/)).toEqual(['a', '[b]', 'c']);
  });
});

describe('a source file', () => {
  const source = `/** What it is. */
import { a, type B } from './a';
import type { C } from './c';
import { type D } from 'd';
export { e as f } from './e';
export type { G } from './g';

// Told \`stands\` once.
export function told(): void {
  const shown = () => 1; // said
}
/* oxlint-disable-next-line told */
export const [h, i] = [1, 2], entry = async (): Promise<void> => { await import('./late'); };
export class Box { open(): void {} get size() { return 1; } }
export interface Shape { a: typeof import('./shape') }
`;

  test('has functions, imports, exports, lines and comments', () => {
    expect(readSourceFile(source)).toEqual({
      functions: [
        { name: 'told', returnsNothing: true },
        { name: 'shown', returnsNothing: false },
        { name: 'entry', returnsNothing: true },
        { name: 'open', returnsNothing: true },
      ],
      docstrings: ['* What it is. '],
      commentText: expect.stringMatching(/^What it is\. \n Told {3}once\.\n said$/) as string,
      codeLines: 11,
      rawLines: 15,
      imports: [
        { specifier: './a', typeOnly: false },
        { specifier: './c', typeOnly: true },
        { specifier: 'd', typeOnly: true },
        { specifier: './e', typeOnly: false },
        { specifier: './g', typeOnly: true },
        { specifier: './late', typeOnly: false },
        { specifier: './shape', typeOnly: true },
      ],
      exports: ['f', 'G', 'told', 'entry', 'Box', 'Shape'],
    });
  });

  test('has problems of language', () => {
    expect(languageProblems(readSourceFile(source))).toEqual({
      participles: ['told', 'shown'],
      actingWithoutVerb: ['told', 'entry'],
      openings: ['What it is.'],
    });
  });
});

describe('the tables of the linter', () => {
  const config: LintConfig = {
    overrides: [
      {
        files: ['src/**'],
        rules: { 'repository/arrows': ['error', { cli: {}, client: {}, domain: { packages: [] } }] },
      },
      {
        files: ['src/domain/**'],
        rules: {
          'repository/no-current-date': 'error',
          'repository/floors': ['error', { domain: [['base'], ['text', 'spec'], ['loop']] }],
        },
      },
      { files: ['src/client/**'], rules: { 'typescript/no-floating-promises': 'error' } },
    ],
  };

  test.each([
    ['cli/a.ts', 'domain/base/a.ts', false],
    ['domain/base/a.ts', 'cli/a.ts', true],
    ['client.ts', 'client/a.ts', false],
    ['client/a.ts', 'cli.ts', true],
    ['domain/loop/a.ts', 'domain/base/a.ts', false],
    ['domain/base/a.ts', 'domain/loop/a.ts', true],
    ['domain/text/a.ts', 'domain/spec/a.ts', true],
    ['domain/text/a.ts', 'domain/text/b.ts', false],
  ])('an import from %s of %s runs upward: %s', (from, to, isUpward) => {
    expect(upwardIn(config)(from, to)).toBe(isUpward);
  });

  test('say how many floors there are, and which files are under which rules', () => {
    expect(countFloors(config)).toBe(3);
    expect(rulesOf(config, 'src/domain/base/a.ts')).toEqual(['determinism', 'packages']);
    expect(rulesOf(config, 'src/client/a.ts')).toEqual(['promises']);
    expect(rulesOf(config, 'src/cli/a.ts')).toEqual([]);
  });

  test('keep the clock out of loops and kinds of runs, but for what talks to servers, prints or reads files', () => {
    const project = path.join(__dirname, '..', '..');
    const own = JSON.parse(readFileSync(path.join(project, '.oxlintrc.json'), 'utf8')) as LintConfig;
    const others = /^src\/kinds\/(?:\w+\/(?:cli|client|file)\/|list\/(?:client|commands|files|views)\.ts)/;
    const files = ['loop', 'kinds'].flatMap((folder) =>
      readdirSync(path.join(project, 'src', folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => path.posix.join('src', folder, file.split(path.sep).join('/'))),
    );
    const pure = files.filter((file) => !others.test(file));
    expect(pure.length).toBeGreaterThan(150);
    expect(pure.filter((file) => !rulesOf(own, file).includes('determinism'))).toEqual([]);
  });

  test.each([
    ['src/domain/a/b.ts', 'src/domain/**', true],
    ['src/domains/a.ts', 'src/domain/**', false],
    ['src/a.ts', 'src/*.ts', true],
    ['src/a/b.ts', 'src/*.ts', false],
    ['src/kinds/a/view.ts', 'src/**/view.ts', true],
    ['src/atsx', 'src/a.ts', false],
  ])('%s matches %s: %s', (file, glob, matches) => {
    expect(matchesGlob(file, glob)).toBe(matches);
  });
});

describe('feature commits', () => {
  const log = `@loop: stop earlier\n\nsrc/a/b.ts\nsrc/a/c.ts\nsrc/d/e.ts\ntest/a.test.ts\n@test: say so\n\nsrc/a/b.ts\n@cli: show it\n\nsrc/a/b.ts\n`;

  test('are read from the log of git', () => {
    expect(parseLog(log)).toEqual([
      { subject: 'loop: stop earlier', files: ['src/a/b.ts', 'src/a/c.ts', 'src/d/e.ts', 'test/a.test.ts'] },
      { subject: 'test: say so', files: ['src/a/b.ts'] },
      { subject: 'cli: show it', files: ['src/a/b.ts'] },
    ]);
  });

  test('touch files and folders', () => {
    expect(meanTouched(parseLog(log))).toEqual({ commits: 2, files: 2, folders: 1.5 });
  });
});
