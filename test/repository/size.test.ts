import path from 'node:path';
import { mutants } from '../replay/mutants';
import { readerMutants } from '../mutants/reader-mutants';
import { lowerCeilings, measureSize, readCeilings, type Sizes, sizeProblems } from '../../testing/structure/size.cjs';

const PROJECT = path.join(__dirname, '..', '..');

test('the project is as small as its ceilings, which `npm run check -- --lower` lowers', () => {
  expect(sizeProblems(measureSize(PROJECT), readCeilings(PROJECT))).toEqual([]);
});

test('there are as many mutants to catch as there were', () => {
  expect(mutants.length + readerMutants.length).toBeGreaterThanOrEqual(readCeilings(PROJECT).mutants);
});

describe('the ratchet', () => {
  const measured = (lines: number, bytes: number, words = 100): Sizes => ({
    formatter: { printWidth: 120 },
    sizes: { src: [lines, bytes] },
    words: { guides: words },
  });
  const ceilings = measured(1_000, 50_000);

  test.each<[string, Sizes, string[]]>([
    ['everything is at its ceiling', ceilings, []],
    ['everything has a little to spare', measured(990, 49_500, 98), []],
    ['lines have risen', measured(1_001, 50_000), ['lines of src: 1001, and at most 1000 are allowed']],
    ['bytes have risen', measured(1_000, 50_001), ['bytes of src: 50001, and at most 50000 are allowed']],
    ['words have risen', measured(1_000, 50_000, 101), ['words of guides: 101, and at most 100 are allowed']],
    [
      'lines have fallen by more than the spare',
      measured(900, 50_000),
      ['lines of src: 900, so lower the ceiling of 1000: npm run check -- --lower'],
    ],
    [
      'the formatter makes longer lines',
      { ...ceilings, formatter: { printWidth: 200 } },
      ['the settings of the formatter (.prettierrc.json) have changed'],
    ],
    [
      'a folder is new',
      { ...ceilings, sizes: { ...ceilings.sizes, 'src/new': [1, 1] } },
      ['lines of src/new: there is no ceiling', 'bytes of src/new: there is no ceiling'],
    ],
    [
      'a folder is gone',
      { ...ceilings, sizes: {} },
      ['lines of src: nothing is counted any more', 'bytes of src: nothing is counted any more'],
    ],
  ])('when %s', (_case, sizes, problems) => {
    expect(sizeProblems(sizes, ceilings)).toEqual(problems);
  });

  test('lowering takes the lower of figure and ceiling, and raises nothing', () => {
    expect(lowerCeilings(measured(900, 60_000, 101), ceilings)).toEqual(measured(900, 50_000));
  });
});
