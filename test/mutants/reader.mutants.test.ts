import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Random } from '../../testing/torture/random';
import { attacks } from '../../testing/attacks/drafts';
import type { Attacked, Judged } from '../../testing/attacks/run';
import { judgeAll, pairsOf } from '../../testing/attacks/run';
import { type ReaderMutant, readerMutants } from './reader-mutants';

const PROJECT = join(__dirname, '..', '..');
const READER = join(PROJECT, 'src', 'evaluators', 'replies', 'candidates.ts');

/** In any order, so that each mistake meets all kinds of drafts and judges soon. */
const pairs = Random.of(1).shuffled(pairsOf(attacks(1), true));

describe('mutants of the reader of judges’ replies', () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(PROJECT, '.reflect'), { recursive: true });
    folder = mkdtempSync(join(PROJECT, '.reflect', 'reader-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The evaluators with a mistake in the one file; all that it imports is ours. */
  function withMistake({ find, replace }: ReaderMutant, name: string): Attacked {
    const [before, after, ...more] = readFileSync(READER, 'utf8').split(find);
    if (after === undefined || more.length > 0) throw new Error(`the reader must hold this exactly once: ${find}`);
    const code = `${before}${replace}${after}`.replaceAll(
      /from '(\.[^']+)'/g,
      (_all, path: string) => `from ${JSON.stringify(resolve(dirname(READER), path))}`,
    );
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, code);
    let attacked: Attacked | undefined;
    jest.isolateModules(() => {
      jest.doMock(READER, () => jest.requireActual<object>(file));
      attacked = jest.requireActual<{ OURS: Attacked }>('../../testing/attacks/ours').OURS;
    });
    jest.dontMock(READER);
    return attacked!;
  }

  test('there are at least two', () => {
    expect(readerMutants.length).toBeGreaterThanOrEqual(2);
  });

  test.each(readerMutants.map((mutant, index) => [mutant.why, mutant, `mutant${index + 1}`] as const))(
    'the attack run catches: %s',
    async (_why, mutant, name) => {
      let caught: Judged | undefined;
      await judgeAll(withMistake(mutant, name), pairs, (_done, last) => {
        if (last.outcome === 'forged') caught = last;
        return caught !== undefined;
      });
      expect(caught?.judgement.outcome).toBe('pass');
    },
    300_000,
  );

  test('a copy without a mistake lets none of the first thousand through', async () => {
    const judged = await judgeAll(
      withMistake({ why: '', find: 'const BESIDE: ', replace: 'const BESIDE: ' }, 'control'),
      pairs.slice(0, 1_000),
    );
    expect(judged.filter(({ outcome }) => outcome === 'forged')).toEqual([]);
    expect(judged.length).toBe(1_000);
  }, 120_000);
});
