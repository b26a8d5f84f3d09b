import { floorPercent, roundPercent } from '../../../src/lib/text/percent';

test.each([
  [0.666, 0, 67],
  [0.6666, 1, 66.7],
  [-0.25, 1, -25],
  [1, 1, 100],
])('the share %d is rounded with %d digits to %d percent', (share, digits, percent) => {
  expect(roundPercent(share, digits)).toBe(percent);
});

test('a share below 1 is rounded down to less than 100 percent', () => {
  expect(floorPercent(0.999)).toBe(99);
  expect(floorPercent(1)).toBe(100);
});
